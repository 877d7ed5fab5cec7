/**
 * A CPF or CNPJ as it is kept: without punctuation, upper-case. Undefined where the text is neither, or its
 * check digits are wrong. Since July 2026 the first twelve characters of a CNPJ may be letters.
 */
export function parseDocumento(text: string): string | undefined {
  const bare = text.replace(/[.\-/ ]/g, '').toUpperCase()
  if (/^(.)\1*$/.test(bare)) return undefined
  if (/^\d{11}$/.test(bare)) return endsInCheckDigits(bare, 11) ? bare : undefined
  if (/^[0-9A-Z]{12}\d{2}$/.test(bare)) return endsInCheckDigits(bare, 9) ? bare : undefined
  return undefined
}

function endsInCheckDigits(document: string, heaviest: number): boolean {
  const body = document.slice(0, -2)
  const first = checkDigit(body, heaviest)
  return document === body + first + checkDigit(body + first, heaviest)
}

/** Modulo 11: weights from 2 up, from the right, beginning again after the heaviest. */
function checkDigit(body: string, heaviest: number): string {
  let sum = 0
  let weight = 2
  for (let i = body.length - 1; i >= 0; i--) {
    // A character is worth its ASCII code less 48: a digit itself, a letter from 17 up.
    sum += (body.charCodeAt(i) - 48) * weight
    weight = weight === heaviest ? 2 : weight + 1
  }
  const rest = sum % 11
  return String(rest < 2 ? 0 : 11 - rest)
}
