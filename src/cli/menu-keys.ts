import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Terminal } from './terminal.ts'

/** Keys pressed before a person can have read a new menu do not choose in it. */
export const menuGraceMs = 300

const escape = '\u001b'
const interrupt = '\u0003'
const endOfInput = '\u0004'
const arrows = new Set(['A', 'B', 'C', 'D'].flatMap((key) => [`${escape}[${key}`, `${escape}O${key}`]))
// oxlint-disable-next-line no-control-regex -- Keys arrive as control characters.
const keyPattern = /\u001b\[[0-9;]*[A-Za-z~]|\u001bO[A-Z]|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g

/**
 * Filters what reaches a menu. Only arrows, Enter and Esc act on it; words are kept as text. Enter after a word leaves the menu,
 * because a person who types "no" answers in words and has not chosen the highlighted option. With `toggles` a space that follows
 * no word acts too.
 */
export function menuKeys(isSettled: () => boolean, toggles = false): { read(chunk: string): string; typed(): string } {
  let typed = ''
  let endsInWord = false
  const readKey = (key: string): string => {
    if (key === escape || key === interrupt || key === endOfInput) return escape
    if (arrows.has(key)) {
      if (!isSettled()) return ''
      endsInWord = false
      return key
    }
    if (key === '\r' || key === '\n') {
      if (!isSettled()) return ''
      return endsInWord ? escape : '\r'
    }
    if (toggles && key === ' ' && !endsInWord) return isSettled() ? key : ''
    if (key === '\u007f' || key === '\b') typed = typed.replace(/.$/su, '')
    // oxlint-disable-next-line no-control-regex -- Other control keys do nothing.
    if (/^[\u0000-\u001f\u007f]/.test(key)) return ''
    typed += key
    endsInWord = true
    return ''
  }
  return {
    read: (chunk) => (chunk.match(keyPattern) ?? []).map(readKey).join(''),
    typed: () => typed,
  }
}

/** Standard input for one menu. `close` gives the keyboard back and returns the words typed meanwhile. */
export function menuInput(
  { stdin }: Pick<Terminal, 'stdin'>,
  // A clock that never goes back: after a correction of the time of day the menu would take no key.
  { now = () => performance.now(), toggles = false }: { now?: () => number; toggles?: boolean } = {},
): { input: PassThrough; close(): string } {
  const openedAt = now()
  const keys = menuKeys(() => now() - openedAt >= menuGraceMs, toggles)
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: (isRaw: boolean) => stdin.setRawMode?.(isRaw) })
  const decoder = new StringDecoder('utf8')
  const take = (chunk: Buffer | string): void => {
    const passed = keys.read(typeof chunk === 'string' ? chunk : decoder.write(chunk))
    if (passed !== '') input.write(passed)
  }
  const end = (): void => void input.write(escape)
  stdin.on('data', take).once('end', end).resume()
  return {
    input,
    close() {
      stdin.off('data', take).off('end', end).pause()
      input.destroy()
      return keys.typed()
    },
  }
}
