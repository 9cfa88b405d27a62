/**
 * A number that follows from the shape of a value: the names of its fields and the types of their values. Of a list only the
 * first element counts. Snapshots with another number are ignored and the state is folded again.
 */
export function shapeVersion(sample: unknown): number {
  // FNV-1a, 32 bits: the pure core has no crypto, and a version needs no more.
  let hash = 0x81_1c_9d_c5
  for (const char of describeShape(sample)) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01_00_01_93)
  return hash >>> 0
}

function describeShape(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `[${value.length === 0 ? '' : describeShape(value[0])}]`
  if (typeof value !== 'object') return typeof value
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([name, field]) => `${name}:${describeShape(field)}`).join(',')}}`
}
