import { worldLimits } from '../world-limits.ts'

/** 32 characters without those that are read as another: 0 and O, 1 and I. */
export const codeAlphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** The code from random bytes; the caller draws again if it is taken. */
export const codeFromBytes = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, worldLimits.codeChars), (byte) => codeAlphabet[byte % codeAlphabet.length]).join('')

export const isPublicCode = (code: string): boolean =>
  code.length === worldLimits.codeChars && Array.from(code).every((char) => codeAlphabet.includes(char))

/** The code as it is compared and stored; null for a text that cannot be one. */
export function readPublicCode(text: string): string | null {
  const code = text.trim().toUpperCase()
  return isPublicCode(code) ? code : null
}
