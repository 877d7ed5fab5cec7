import { Type } from 'typebox'
import { isText } from '../http/formats.ts'

const PATTERN = '^\\s*[^\\s@]+@[^\\s@]+\\s*$'
const MAX_LENGTH = 254

/** No more is asked of an address than that somebody could have it: whoever has the link proves the rest. */
export const Email = Type.String({ pattern: PATTERN, maxLength: MAX_LENGTH, format: 'text' })

export function isEmail(text: string): boolean {
  return text.length <= MAX_LENGTH && isText(text) && new RegExp(PATTERN).test(text)
}
