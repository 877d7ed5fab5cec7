import { isText } from '../http/formats.ts'

export const EMAIL_PATTERN = '^\\s*[^\\s@]+@[^\\s@]+\\s*$'
export const EMAIL_LENGTH = 254

/** No more is asked of an address than that somebody could have it: whoever has the link proves the rest. */
export function isEmail(text: string): boolean {
  return text.length <= EMAIL_LENGTH && isText(text) && new RegExp(EMAIL_PATTERN).test(text)
}
