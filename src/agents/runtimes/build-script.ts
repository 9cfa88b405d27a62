import type { AgentItem } from '../../build/build-events.ts'
import { eventsOf } from '../../build/moves.ts'
import { advance, faultOf } from '../../build/rules.ts'
import type { BuildRuntime } from '../../ports/agent-runtime.ts'
import { played, type ScriptedAgent, type ScriptPace } from './scripted.ts'

/** A build written by hand: its moves become events, what goes without saying is added. */
export function scriptedBuilds(build: NonNullable<ScriptedAgent['build']>, pace: ScriptPace = {}): BuildRuntime {
  return {
    async *turn(input, signal) {
      let { progress } = input
      for await (const move of played(pace, signal, (pause) => build(input, { signal, pause }))) {
        const items: AgentItem[] = []
        for (const event of 'type' in move ? [move] : eventsOf(move, progress, input.language)) {
          if (faultOf(progress, event) === null) progress = advance(progress, event)
          items.push({ event })
        }
        yield items
      }
    },
  }
}
