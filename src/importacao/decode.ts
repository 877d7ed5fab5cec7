import { ApiError } from '../errors.ts'

/** What people choose by mistake, by how such a file begins. */
const OTHER_FILES: [start: number[], words: string][] = [
  [[0x50, 0x4b, 0x03, 0x04], 'é uma planilha do Excel; abra-a e salve como CSV'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'é uma planilha antiga do Excel; abra-a e salve como CSV'],
  [[0x25, 0x50, 0x44, 0x46], 'é um PDF; peça ao banco o extrato em OFX ou CSV'],
  [[0xff, 0xfe], 'está em UTF-16; salve como CSV em UTF-8'],
  [[0xfe, 0xff], 'está em UTF-16; salve como CSV em UTF-8'],
]

/**
 * The text of a file: UTF-8, or else Windows-1252, which every sequence of bytes can be. Its content decides
 * and not what it says of itself: banks write UTF-8 under the name of 1252.
 */
export function decode(bytes: Buffer): string {
  const other = OTHER_FILES.find(([start]) => start.every((byte, i) => bytes[i] === byte))
  if (other) throw unreadable(other[1])
  if (bytes.includes(0)) throw unreadable('não é um arquivo de texto, ou está em UTF-16')
  const text = asUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
  if (text.trim() === '') throw unreadable('está vazio')
  return text
}

function asUtf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export function unreadable(words: string): ApiError {
  return new ApiError('arquivo-recusado', { detail: `O arquivo ${words}.` })
}
