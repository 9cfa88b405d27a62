import { type Wire, wires } from '../../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../../src/testing/model-behaviours.ts'
import { Chance } from '../../simulation/chance.ts'
import { behaviours, isSayable } from '../replay.ts'
import type { Hold } from '../../fixtures/hold-commits.ts'
import { checkLine } from './check-line.ts'
import { type Played, Stage } from './play.ts'

/** Lines that are played on one server at the same time. */
export type Group = { wire: Wire; from: number; lines: readonly BehaviourLine[] }

const linesInGroup = 12

/** Every line once in every wire that can say it. */
export const groups: readonly Group[] = wires.flatMap((wire) => {
  const lines = behaviours.filter((line) => isSayable(line, wire))
  const starts = Array.from({ length: Math.ceil(lines.length / linesInGroup) }, (_, at) => at * linesInGroup)
  return starts.map((from) => ({ wire, from, lines: lines.slice(from, from + linesInGroup) }))
})

/** Points are picked among the first commits of a line. */
const firstCommits = 4

/** One point for each line of the group. */
function pickHolds({ wire, from, lines }: Group, seed: number): Hold[] {
  const chance = new Chance(seed + from * 3 + wires.indexOf(wire))
  return lines.map(() => ({ at: 1 + chance.below(firstCommits), when: chance.one(['before', 'after'] as const) }))
}

type GroupPlay = { killed: string[]; faults: { id: string; fault: string }[] }

/**
 * Kills every line of the group once. A line that ended before its point has fewer commits: it is played again, with a point one
 * commit earlier, until it is killed. The opening of its dialog is a commit, so that the last try is at the first one.
 */
export async function killGroup(group: Group, seed: number): Promise<GroupPlay> {
  const whole: GroupPlay = { killed: [], faults: [] }
  const holds = pickHolds(group, seed)
  let left = group.lines.map((line, at) => ({ line, hold: holds[at] as Hold }))
  while (left.length > 0) {
    const { killed, faults } = await playGroup(
      { ...group, lines: left.map(({ line }) => line) },
      left.map(({ hold }) => hold),
    )
    whole.killed.push(...killed)
    whole.faults.push(...faults)
    left = left
      .filter(({ line, hold }) => !killed.includes(line.id) && hold.at > 1)
      .map(({ line, hold }) => ({ line, hold: { ...hold, at: hold.at - 1 } }))
  }
  return whole
}

/** One play of a group, with one kill that finds each line at its point. */
async function playGroup({ wire, lines }: Group, holds: readonly (Hold | null)[]): Promise<GroupPlay> {
  const stage = await Stage.open(wire, lines)
  try {
    const played = await stage.play(
      lines.map((_, at) => at),
      holds,
    )
    const faults = played.flatMap((one) => {
      const fault = findFault(one)
      return fault === null ? [] : [{ id: one.line.id, fault }]
    })
    return { killed: played.filter(({ isKilled }) => isKilled).map(({ line }) => line.id), faults }
  } finally {
    await stage.close()
  }
}

/** The first rule or sentence that does not hold. */
export function findFault(played: Played): string | null {
  try {
    checkLine(played)
    return null
  } catch (error) {
    return describeFault(error)
  }
}

export const describeFault = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300)
