import type { BuildState } from '../build/build-state.ts'
import type { BuildCommand } from '../build/decide.ts'
import { ParleyError } from '../errors.ts'
import type { Caller } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'

export type BuildStreams = StreamHandler<BuildState, BuildCommand>

type Parts = { store: Store; streams: BuildStreams }

/** Hands a command to a build; a repeated key gives the first value again, and a refusal is thrown in words. */
export async function askBuild<Value>(
  { store, streams }: Parts,
  build: string,
  command: BuildCommand,
  { by, once }: Caller,
  value: Value,
): Promise<Value> {
  const key = once && `request:${by.name}:${once.key}`
  const repeated = (remembered: unknown): Value => {
    const { request, value: first } = remembered as { request: string; value: Value }
    if (request !== once?.request) throw new ParleyError('key_reused')
    return first
  }
  const remembered = key === undefined ? null : await store.remembered(key)
  if (remembered) return repeated(remembered.value)
  const under = once && key !== undefined ? { once: { key, value: () => ({ request: once.request, value }) } } : {}
  const handled = await streams.handle(build, [command], under)
  if (handled.ok) return value
  if (handled.why === 'seen') return repeated(handled.value)
  if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, { build, ...handled.refusal.details })
  throw new ParleyError('busy', {}, { retryable: true })
}
