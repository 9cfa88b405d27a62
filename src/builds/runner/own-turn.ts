import type { AgentItem } from '../rules/build-events.ts'
import { readHistory } from '../rules/build-history.ts'
import { turnMessage } from '../rules/turn-message.ts'
import { withoutSecrets } from '../rules/words/shapes.ts'
import { buildLimits } from '../rules/build-limits.ts'
import { type BuildState, recentCrashes } from '../rules/build-state.ts'
import { type ErrorCode, ParleyError, errorMessage } from '../../errors.ts'
import type { BuildRuntime, BuildTurn } from '../../ports/agent-runtime.ts'
import type { Store } from '../../ports/store.ts'
import { untilAbandoned } from '../../streams/abandon.ts'
import { buildingLimits } from './runner-limits.ts'
import { type CutReason, detailsWithoutSecrets, hasBegun, type OpenTurn, type TurnParts } from './turn.ts'

/** A failure the agent cannot fix. */
const hopeless = new Set<ErrorCode>(['command_missing', 'agent_not_found'])

/** A turn of an agent that speaks the protocol itself: its program, or a script. */
export async function ownTurn(parts: TurnParts, runtime: BuildRuntime, turn: OpenTurn): Promise<void> {
  const { clock, leftBehind, programs, log } = parts
  const { build, cut } = turn
  let giveBackPlace = (): void => {}
  let giveBackSuspect = (): void => {}
  try {
    if (recentCrashes(await parts.streams.load(build), clock.now()) >= buildLimits.suspectCrashes)
      giveBackSuspect = await parts.suspects.take(cut)
    if (runtime.isProgram) giveBackPlace = await programs.take(cut)
  } catch (error) {
    giveBackSuspect()
    if (!cut.aborted) throw error
    return whenCut()
  }
  try {
    for (;;) {
      await leftBehind.end(build)
      const begun = await turn.begin([{ type: 'start-turn', at: clock.now() }])
      if (!begun.ok) return void (begun.why === 'refused' && (await turn.end()))
      if (!hasBegun(begun.events)) return await turn.end()
      const failure = await listen(begun.state)
      if (failure === 'lost') return
      if (failure === 'cut') return await whenCut()
      if (failure === null) return await turn.end()
      // It died, hangs or floods. The first time its turn is run again, with the same input and a hint.
      const { code, details } = failure
      log('warn', 'the agent of a build failed', { build, code, ...detailsWithoutSecrets(details) })
      const now = await parts.streams.load(build)
      if (now.progress.isOver || now.turn?.hasAsked) return await turn.end()
      if (hopeless.has(code) || now.repair?.isGiven) return await turn.fail(code, details)
      const fault = { rule: 'T6' as const, words: hintAfter(failure) }
      const result = await turn.write([{ type: 'take-items', at: clock.now(), turn: now.turns, items: [{ fault }] }])
      if (!result.ok) return void (result.why === 'refused' && (await turn.end()))
    }
  } finally {
    giveBackPlace()
    giveBackSuspect()
  }

  async function whenCut(): Promise<void> {
    const why = cut.reason as CutReason
    if (why === 'shutdown' || why === 'emergency') await turn.giveBack()
    if (why === 'cancel') await turn.end()
  }

  /** Takes what the agent sends until it ends. Null: it ended well. */
  async function listen(begun: BuildState): Promise<ParleyError | 'cut' | 'lost' | null> {
    const number = begun.turns
    let storeFault: { error: unknown } | null = null
    /** A fault of the store is no fault of the agent, also where it reaches the agent first. */
    const fromStore = async <Result>(call: Promise<Result>): Promise<Result> => {
      try {
        return await call
      } catch (error) {
        storeFault ??= { error }
        throw error
      }
    }
    const started = (pid: number): Promise<void> => fromStore(leftBehind.note(turn.work.lease, pid))
    const enough = new AbortController()
    let stopWaiting = (): void => {}
    let isDone = false
    // An answer or a new round does not wait until the agent of the turn before has said good-bye.
    const goesOn = (type: string): boolean => type === 'build.answered' || type === 'build.retried'
    const stopListening = parts.store.hints.onStream((stream, _head, events) => {
      if (stream === build && isDone && events?.some(({ type }) => goesOn(type))) enough.abort()
    })
    try {
      const input = await fromStore(toInput(parts.store, begun))
      const signal = AbortSignal.any([cut, enough.signal])
      const sentItems = untilAbandoned(runtime.turn(input, signal, { started }), {
        signal,
        clock,
        afterMs: parts.abandonAfterMs,
        onAbandoned: () => log('warn', 'the agent of a build ignored its abort signal and was abandoned', { build, turn: number }),
        onLate: () => log('warn', 'an abandoned agent of a build answered late; its output is ignored', { build, turn: number }),
      })
      for await (const items of sentItems) {
        const agentItems: AgentItem[] = []
        for (const item of items) {
          if ('note' in item) log('info', 'an agent wrote', { build, text: withoutSecrets(item.note) })
          else agentItems.push(item)
        }
        if (agentItems.length === 0) continue
        const at = clock.now()
        const result = await fromStore(
          turn.write((now) =>
            now.turn?.turn === number && !now.isCancelled ? [{ type: 'take-items', at, turn: number, items: agentItems }] : [],
          ),
        )
        if (!result.ok) return 'lost'
        const { progress, turn: open } = result.state
        if (result.events.some(({ type }) => type === 'build.failed')) return null
        // Its part is done: it may say good-bye, and is not waited for.
        if (progress.isOver || open?.hasAsked) {
          isDone = true
          stopWaiting()
          stopWaiting = clock.after(buildingLimits.endingMs, () => enough.abort())
        }
      }
      return null
    } catch (error) {
      // The work is tried again, and the agent gets the same input.
      if (storeFault) throw storeFault.error
      if (enough.signal.aborted && !cut.aborted) return null
      if (cut.aborted) return 'cut'
      if (error instanceof ParleyError) return error
      log('error', 'the agent of a build has a fault', { build, error })
      return new ParleyError('agent_failed', { why: errorMessage(error) })
    } finally {
      stopWaiting()
      stopListening()
      leftBehind.forget(build)
    }
  }
}

function hintAfter({ code, details }: ParleyError): string {
  if (code === 'command_timeout') return `Your turn took longer than ${details.seconds} s and was ended.`
  if (code === 'command_flooded') return `You wrote more than ${details.limit} bytes in one turn and were ended. Write events only.`
  if (code === 'command_failed') return `Your program ended with ${details.status} before its turn was over.`
  return 'You failed in the middle of your turn.'
}

async function toInput(store: Store, state: BuildState): Promise<BuildTurn> {
  const { build, session, agent, prompt, locale, progress, turn } = state
  if (!turn) throw new Error('no turn is open')
  const answers: Record<string, string> = {}
  const earlier = state.turns > 1 ? await store.read(build, 0, buildingLimits.answersRead) : []
  for (const { type, data } of earlier)
    if (type === 'build.answered') Object.assign(answers, (data as { answers: Record<string, string> }).answers)
  const history = readHistory(earlier)
  const { turn: number, input, hint, resumes } = turn
  const message = turnMessage(state) ?? ''
  return { build, session, agent, prompt, language: locale, turn: number, message, input, progress, answers, history, hint, resumes }
}
