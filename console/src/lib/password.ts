const SHORTEST = 10

export const PASSWORD_HINT = `Pelo menos ${SHORTEST} caracteres. Uma frase que só você conhece serve bem.`

export function newPasswordFault<Name extends string>(name: Name, password: string) {
  const faults: Partial<Record<Name, string>> = {}
  if ([...password].length < SHORTEST) faults[name] = `Use pelo menos ${SHORTEST} caracteres.`
  return faults
}
