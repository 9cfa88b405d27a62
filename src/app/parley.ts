import { openParley, type OpenParley, type ParleyParts } from './library.ts'
import { openApp, type ParleyApp, type ParleyOptions } from './parley-app.ts'

/** Parley in this process, over a store and with agents. Close it, or use `await using`. */
export function parley(options: ParleyOptions): Promise<ParleyApp>
/** @deprecated since 0.2, until 1.0: give `agents` instead of `team`. */
export function parley(parts: ParleyParts): OpenParley
export function parley(given: ParleyOptions | ParleyParts): Promise<ParleyApp> | OpenParley {
  return 'agents' in given ? openApp(given) : openParley(given)
}
