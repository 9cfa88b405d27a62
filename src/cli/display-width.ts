import { createRequire } from 'node:module'
import type measure from 'string-width'

/** Latin letters, and the signs that the terminal prints itself. Each takes one column and joins with nothing beside it. */
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u257f\u25cb\u25cf\u2713\u2717]*$/

let stringWidth: typeof measure | null = null

/** Columns of a terminal. The library compiles tables of emoji when it is loaded, a fifth of a short command, so it is loaded for other texts only. */
export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length
  stringWidth ??= (createRequire(import.meta.url)('string-width') as { default: typeof measure }).default
  return stringWidth(text)
}
