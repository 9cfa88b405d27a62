import type { AgentItem } from '../../builds/rules/build-events.ts'
import { listEvents } from '../../builds/rules/moves.ts'
import { advance, getFault } from '../../builds/rules/rules.ts'
import type { BuildRuntime } from '../../ports/agent-runtime.ts'
import { played, type ScriptedAgent, type ScriptPace } from './scripted.ts'

/** A build written by hand: its moves become events, what goes without saying is added. */
export function scriptedBuilds(build: NonNullable<ScriptedAgent['build']>, pace: ScriptPace = {}): BuildRuntime {
  return {
    async *turn(input, signal) {
      let { progress } = input
      for await (const move of played(pace, signal, (pause) => build(input, { signal, pause }))) {
        const items: AgentItem[] = []
        for (const event of 'type' in move ? [move] : listEvents(move, progress, input.language)) {
          if (getFault(progress, event) === null) progress = advance(progress, event)
          items.push({ event })
        }
        yield items
      }
    },
  }
}
