import { builtInKinds } from '../../chats/channels/registry.ts'
import type { Places } from '../places.ts'
import type { Terminal } from '../terminal.ts'

/** `note` is good to know, `warning` will bite some day, `error` does not work now. */
export type Finding = {
  check: string
  level: 'ok' | 'note' | 'warning' | 'error'
  /** The finding and why it matters. */
  what: string
  /** The next command; null when there is nothing to do. */
  next: string | null
  fixed?: true
}

export type Patient = { terminal: Terminal; places: Places; fix: boolean; env: NodeJS.ProcessEnv }

/** The command that sets an account of parley.yaml anew. */
export const addChannel = (name?: string): string =>
  `parley channels add${name === undefined ? '' : Object.hasOwn(builtInKinds, name) ? ` ${name}` : ` <platform> --name ${name}`}`

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what, next: null })
export const note = (check: string, what: string, next: string | null = null): Finding => ({ check, level: 'note', what, next })
export const warning = (check: string, what: string, next: string): Finding => ({ check, level: 'warning', what, next })
export const wrong = (check: string, what: string, next: string): Finding => ({ check, level: 'error', what, next })
export const fixed = (check: string, what: string): Finding => ({ check, level: 'ok', what, next: null, fixed: true })
