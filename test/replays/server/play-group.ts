import { type Wire, wires } from '../../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../../src/testing/model-behaviours.ts'
import { Chance } from '../../simulation/chance.ts'
import { behaviours, isSayable } from '../replay.ts'
import { checkLine } from './check-line.ts'
import { Stage } from './play.ts'

/** Lines that are played on one server at the same time. */
export type Group = { wire: Wire; from: number; lines: readonly BehaviourLine[] }

const linesInGroup = 12
/** Dialogs that run together share commits; a group surely makes this many. */
const commitsFor = (lines: number): number => 4 + 2 * lines

/** Every line once in every wire that can say it. */
export const groups: readonly Group[] = wires.flatMap((wire) => {
  const lines = behaviours.filter((line) => isSayable(line, wire))
  const starts = Array.from({ length: Math.ceil(lines.length / linesInGroup) }, (_, at) => at * linesInGroup)
  return starts.map((from) => ({ wire, from, lines: lines.slice(from, from + linesInGroup) }))
})

export const pickKill = ({ wire, from, lines }: Group, seed: number): number =>
  1 + new Chance(seed + from * 3 + wires.indexOf(wire)).below(commitsFor(lines.length))

/** One play of a group. */
export type GroupPlay = { kills: number; faults: { id: string; fault: string }[] }

/** With `killAt`, the server is killed after that commit and started again. */
export async function playGroup({ wire, lines }: Group, killAt: number | null): Promise<GroupPlay> {
  const stage = await Stage.open(wire, lines)
  try {
    const played = await stage.play(
      lines.map((_, at) => at),
      killAt,
    )
    const faults = played.flatMap((one) => {
      try {
        checkLine(one)
        return []
      } catch (error) {
        return [{ id: one.line.id, fault: error instanceof Error ? error.message : String(error) }]
      }
    })
    return { kills: stage.kills, faults }
  } finally {
    await stage.close()
  }
}
