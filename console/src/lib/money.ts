/** The amount that a person has typed: 1.234,56 or 1234.56, with or without R$. Nothing where it is none. */
export function parseReais(text: string): number | undefined {
  const bare = text.replace(/R\$|\s/g, '')
  const thousands = /^\d{1,3}(\.\d{3})+$/.test(bare)
  const plain = bare.includes(',') || thousands ? bare.replaceAll('.', '').replace(',', '.') : bare
  return /^\d{1,10}(\.\d{1,2})?$/.test(plain) ? Number(plain) : undefined
}

const field = new Intl.NumberFormat('pt-BR', { minimumFractionDigits: 2 })

/** 1234.5 as a field shows it: 1.234,50. */
export const typedReais = (value: number) => field.format(value)
