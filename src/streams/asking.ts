import { ParleyError, type Refusal } from '../errors.ts'
import type { Caller } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Plan, StreamHandler, Under } from './stream-handler.ts'

/** The once-only key of a caller's request. */
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
    const remembered = await rememberedFor(store, caller)
    if (remembered) return repeated(remembered.value, caller)
    const handled = await streams.handle(stream, commands, onceOnly(caller, value))
    if (handled.ok) return value(handled.events[0]?.seq ?? handled.state.seq)
    return unhandled(handled, stream, noun, caller)
  }
}

/** The same for a plan that concerns several streams; `stream` is the one it was asked of. */
export function askingAll<State extends { seq: number }, Command>(
  store: Store,
  streams: StreamHandler<State, Command>,
  noun: 'dialog' | 'build',
): <Value>(
  stream: string,
  plan: Plan<State, Command>,
  caller: Caller,
  value: () => Value,
  under?: Pick<Under, 'rows' | 'trim'>,
) => Promise<Value> {
  return async (stream, plan, caller, value, under = {}) => {
    const remembered = await rememberedFor(store, caller)
    if (remembered) return repeated(remembered.value, caller)
    const handled = await streams.handleAll(plan, { ...under, ...onceOnly(caller, value) })
    return handled.ok ? value() : unhandled(handled, stream, noun, caller)
  }
}

const rememberedFor = async (store: Store, caller: Caller): Promise<{ value: unknown } | null> =>
  caller.once ? store.remembered(requestKey(caller)) : null

export const isRepeatedBy = async (store: Store, caller: Caller): Promise<boolean> => (await rememberedFor(store, caller)) !== null

function onceOnly(caller: Caller, value: (firstSeq: number) => unknown): Pick<Under, 'once'> {
  const { once } = caller
  if (!once) return {}
  return { once: { key: requestKey(caller), value: (firstSeq) => ({ request: once.request, value: value(firstSeq) }) } }
}

type Unhandled = { why: 'refused'; refusal: Refusal } | { why: 'fenced' } | { why: 'seen'; value: unknown } | { why: 'over' }

function unhandled<Value>(handled: Unhandled, stream: string, noun: string, caller: Caller): Value {
  if (handled.why === 'seen') return repeated(handled.value, caller)
  if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, { [noun]: stream, ...handled.refusal.details })
  throw new ParleyError('busy', {}, { retryable: true })
}

function repeated<Value>(remembered: unknown, caller: Caller): Value {
  const { request, value } = remembered as { request: string; value: Value }
  if (request !== caller.once?.request) throw new ParleyError('key_reused')
  return value
}
