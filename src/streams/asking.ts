import { ParleyError } from '../errors.ts'
import type { Caller } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import type { StreamHandler } from './stream-handler.ts'

/** What a caller's once-only name is remembered under. */
export const requestKey = ({ by, once }: Caller): string => `request:${by.name}:${once?.key ?? ''}`

type Ask<State, Command> = <Value>(
  stream: string,
  commands: (state: State) => Command[],
  caller: Caller,
  value: (firstSeq: number) => Value,
) => Promise<Value>

/**
 * Hands a caller's commands to a stream; a repeated key gives the first value again, and a refusal is thrown in words that
 * know the stream as `noun`.
 */
export function asking<State extends { seq: number }, Command>(
  store: Store,
  streams: StreamHandler<State, Command>,
  noun: 'dialog' | 'build',
): Ask<State, Command> {
  return async (stream, commands, caller, value) => {
    const { once } = caller
    const key = once && requestKey(caller)
    const remembered = key === undefined ? null : await store.remembered(key)
    if (remembered) return repeated(remembered.value, caller)
    const under =
      once && key !== undefined ? { once: { key, value: (firstSeq: number) => ({ request: once.request, value: value(firstSeq) }) } } : {}
    const handled = await streams.handle(stream, commands, under)
    if (handled.ok) return value(handled.events[0]?.seq ?? handled.state.seq)
    if (handled.why === 'seen') return repeated(handled.value, caller)
    if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, { [noun]: stream, ...handled.refusal.details })
    throw new ParleyError('busy', {}, { retryable: true })
  }
}

function repeated<Value>(remembered: unknown, caller: Caller): Value {
  const { request, value } = remembered as { request: string; value: Value }
  if (request !== caller.once?.request) throw new ParleyError('key_reused')
  return value
}
