import type { Team } from '../../src/ports/agent-runtime.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { type Brain, call, last, teamWith, text } from './team-scene.ts'

export type Meter = {
  /** Model calls begun, and those under way. */
  calls: number
  inFlight: number
}

/** Three agents that only delegate to each other. Each model call takes `thinkMs` on the given clock; 0 answers at once. */
export function runawayTeam(clock: Pick<Clock, 'after'>, thinkMs: number): { team: Team; meter: Meter } {
  const meter: Meter = { calls: 0, inFlight: 0 }
  const delegatesTo = (other: string): Brain =>
    async function* (input, signal) {
      meter.calls += 1
      meter.inFlight += 1
      try {
        if (thinkMs > 0)
          await new Promise<void>((resolve, reject) => {
            const cancel = clock.after(thinkMs, resolve)
            signal.addEventListener('abort', () => {
              cancel()
              reject(new Error('cut'))
            })
          })
      } finally {
        meter.inFlight -= 1
      }
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'are you there?') return yield text('I am here.')
      // One request goes deeper, one is repeated for each reply: it never ends by itself.
      yield call('tellaskSessionless', { targetAgentId: other, tellaskContent: `go on ${meter.calls}` })
      yield call('tellaskSessionless', { targetAgentId: other, tellaskContent: `and on ${meter.calls}` })
    }
  return { team: teamWith({ ada: delegatesTo('bob'), bob: delegatesTo('cy'), cy: delegatesTo('ada') }), meter }
}
