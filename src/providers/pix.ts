interface PixCharge {
  /** The receiver's key. */
  chave: string
  nome: string
  cidade: string
  /** Centavos. */
  valor: bigint
  /** 1 to 25 letters and digits. */
  txid: string
}

/** What the 13 characters of the amount hold: R$ 9.999.999.999,99. */
const LARGEST = 999_999_999_999n
/** The account's field holds 99 characters, of which the rest of it takes 22. */
const LONGEST_KEY = 77

/** A static BR Code: what a QR code shows and a payer copies. A `RangeError` where something does not fit. */
export function pixBrCode({ chave, nome, cidade, valor, txid }: PixCharge): string {
  if (valor < 1n || valor > LARGEST) throw new RangeError(`no PIX of ${valor} centavos`)
  if (chave.length > LONGEST_KEY) throw new RangeError(`no PIX key: ${chave}`)
  if (!/^[A-Za-z0-9]{1,25}$/.test(txid)) throw new RangeError(`no txid: ${txid}`)
  const signed = [
    field('00', '01'),
    field('26', field('00', 'br.gov.bcb.pix') + field('01', chave)),
    field('52', '0000'),
    field('53', '986'),
    field('54', `${valor / 100n}.${String(valor % 100n).padStart(2, '0')}`),
    field('58', 'BR'),
    field('59', plain(nome, 25) || 'RECEBEDOR'),
    field('60', plain(cidade, 15) || 'BRASIL'),
    field('62', field('05', txid)),
    // The checksum covers the head of its own field.
    '6304',
  ].join('')
  return signed + crc16(signed)
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, '0') + value
}

/** Without accents, and without whatever else is not ASCII: banks' readers differ in what they take. */
function plain(text: string, length: number): string {
  const ascii = text.normalize('NFD').replace(/[^ -~]/g, '')
  return ascii.trim().slice(0, length).trimEnd()
}

/** CRC-16/CCITT-FALSE, four hexadecimal digits. */
export function crc16(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
    }
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}
