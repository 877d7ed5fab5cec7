/** Reais as JSON has them → centavos, which is what is kept and summed. */
export function toCentavos(reais: number): bigint {
  return BigInt(Math.round(reais * 100))
}

/** Centavos → the number that is nearest to the exact amount in reais. */
export function toReais(centavos: bigint): number {
  if (centavos >= -SAFE && centavos <= SAFE) return Number(centavos) / 100
  const digits = centavos.toString()
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER)
