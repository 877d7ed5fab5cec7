import { Type } from 'typebox'
import { EMAIL_LENGTH, EMAIL_PATTERN } from './email.ts'

/** What `isEmail` says. */
export const Email = Type.String({
  pattern: EMAIL_PATTERN,
  maxLength: EMAIL_LENGTH,
  format: 'text',
})
