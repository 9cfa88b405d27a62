import { randomBytes } from 'node:crypto'

/** Fresh names. Tests hand in a counter, so a run can be repeated exactly. */
export type Ids = { next(prefix: string): string }

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}

/** Sortable by time to the millisecond, then 75 random bits: no coordination between processes. */
export const randomIds: Ids = {
  next(prefix) {
    let random = ''
    for (const byte of randomBytes(15)) random += alphabet[byte % 32]
    return `${prefix}_${base32(Date.now(), 9)}${random}`
  },
}
