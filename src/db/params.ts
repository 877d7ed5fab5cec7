import type { Param } from './batch.ts'

/** Adds a value to those of a statement, and returns what stands for it there. */
export type Add = (value: Param) => string

/** The values of a statement that is put together as it goes, after those it begins with. */
export function params(...first: Param[]): { values: Param[]; add: Add } {
  const values = [...first]
  return { values, add: (value) => `$${values.push(value)}` }
}
