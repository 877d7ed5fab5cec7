import type { FieldFault } from '../errors.ts'

/** A PATCH may carry read-only fields where they equal what is stored; where they differ, they are faults. */
export function readOnlyFaults<T extends object>(
  patch: Partial<T>,
  stored: T,
  fields: readonly (keyof T & string)[],
): FieldFault[] {
  return fields
    .filter((field) => patch[field] !== undefined && patch[field] !== stored[field])
    .map((field) => ({ field, message: 'é somente leitura e difere do valor guardado' }))
}
