import { randomFillSync, randomUUID } from 'node:crypto'

/** Fresh names. Tests hand in a counter, so a run can be repeated exactly. */
export type Ids = {
  next(prefix: string): string
  /** A UUID of version 7 (RFC 9562), for names that others read as such; `at` is its time, so that they sort by it. */
  uuid(at: number): string
}

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function base32(value: number, width: number): string {
  let text = ''
  for (let rest = value; text.length < width; rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text
  return text
}

const randomChars = 13

// Taken in bulk: a call into the kernel for each name was 3 % of a turn's CPU time.
const pool = new Uint8Array(randomChars * 256)
let used = pool.length

// Names made in the same millisecond sort in the order they were made: 1,024 of them, then again from the start.
let lastAt = 0
let ordinal = 0

/** Sortable by time to the millisecond and by order in this process, then 65 random bits: no coordination between processes. */
export const randomIds: Ids = {
  next(prefix) {
    if (used === pool.length) {
      randomFillSync(pool)
      used = 0
    }
    let random = ''
    for (const end = used + randomChars; used < end; used += 1) random += alphabet[(pool[used] as number) % 32]
    const at = Date.now()
    ordinal = at === lastAt ? (ordinal + 1) % 1_024 : 0
    lastAt = at
    return `${prefix}_${base32(at, 9)}${base32(ordinal, 2)}${random}`
  },
  uuid(at) {
    const time = at.toString(16).padStart(12, '0')
    // Variant and random bits stand at the same places in version 4.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
  },
}
