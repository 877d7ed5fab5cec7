interface Boleto {
  /** The bank's number, 3 digits. */
  banco: string
  /** Centavos. */
  valor: bigint
  vencimento: string
  /** 25 digits of the bank's own. */
  campoLivre: string
}

const REAL = '9'
const FIRST_DAY = Temporal.PlainDate.from('1997-10-07')
/** What ten digits hold: R$ 99.999.999,99. */
const LARGEST = 9_999_999_999n

/** The bar code and the line to be typed instead. A `RangeError` where something does not fit. */
export function boletoCodes({ banco, valor, vencimento, campoLivre }: Boleto): {
  codigoBarras: string
  linhaDigitavel: string
} {
  if (valor < 0n || valor > LARGEST) throw new RangeError(`no boleto of ${valor} centavos`)
  const bank = banco + REAL
  const terms = dueFactor(vencimento) + String(valor).padStart(10, '0')
  const check = modulo11(bank + terms + campoLivre)
  const fields = [bank + campoLivre.slice(0, 5), campoLivre.slice(5, 15), campoLivre.slice(15)]
  return {
    codigoBarras: bank + check + terms + campoLivre,
    linhaDigitavel: fields.map((field) => field + modulo10(field)).join('') + check + terms,
  }
}

/** Days since the first; as there are four digits only, 1000 follows 9999, first on 2025-02-22. */
function dueFactor(vencimento: string): string {
  const { days } = FIRST_DAY.until(vencimento)
  if (days < 0) throw new RangeError(`no boleto is due on ${vencimento}`)
  // Before the thousandth day the remainder is negative, and the sum just the days.
  return String(1000 + ((days - 1000) % 9000)).padStart(4, '0')
}

/** Of the whole code: weights 2 to 9 from the right. It is never 0. */
function modulo11(digits: string): string {
  let sum = 0
  let weight = 2
  for (const digit of [...digits].reverse()) {
    sum += Number(digit) * weight
    weight = weight === 9 ? 2 : weight + 1
  }
  const check = 11 - (sum % 11)
  return String(check > 9 ? 1 : check)
}

/** Of a field of the typed line: weights 2 and 1 from the right, the digits of each product summed. */
function modulo10(digits: string): string {
  let sum = 0
  let weight = 2
  for (const digit of [...digits].reverse()) {
    const product = Number(digit) * weight
    sum += product > 9 ? product - 9 : product
    weight = 3 - weight
  }
  return String((10 - (sum % 10)) % 10)
}
