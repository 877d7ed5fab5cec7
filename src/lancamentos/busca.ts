/** Each plain letter with all that differ from it only in case and accents. */
const FAMILIES = new Map<string, string>()
// ASCII, Latin-1 and Latin Extended-A: the letters of every language that is written around here.
for (let code = 0x41; code < 0x180; code++) {
  const letter = String.fromCharCode(code)
  const plain = plainOf(letter)
  if (/[a-z]/.test(plain)) FAMILIES.set(plain, (FAMILIES.get(plain) ?? '') + letter)
}

/** A letter without its accents, in lower case. */
function plainOf(letter: string): string {
  return String.fromCodePoint(letter.normalize('NFD').codePointAt(0)!).toLowerCase()
}

/**
 * The regular expression that finds a text as it is, whatever the case and accents. PostgreSQL itself would
 * fold them only by an extension, which not everybody may install, or several times slower.
 */
export function patternOf(busca: string): string {
  return [...busca.normalize('NFC')].map(one).join('')
}

function one(letter: string): string {
  // Accents may be stored apart from their letters, and then follow them.
  const family = FAMILIES.get(plainOf(letter))
  if (family) return `[${family}][\u0300-\u036f]*`
  if (/[\u0300-\u036f]/.test(letter)) return ''
  if (/\p{L}/u.test(letter)) return `(${letter}|${letter.toLowerCase()}|${letter.toUpperCase()})`
  return /[\x20-\x7e]/.test(letter) && !/\d/.test(letter) ? `\\${letter}` : letter
}
