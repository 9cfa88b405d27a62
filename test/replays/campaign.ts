import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { type Wire, wires } from '../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../src/testing/model-behaviours.ts'
import type { Hold } from '../fixtures/hold-commits.ts'
import { isSayable } from './replay.ts'
import { Stage } from './server/play.ts'
import { describeFault, findFault } from './server/play-group.ts'

/** The plays of one line in one wire so far. `next` is the number of the play that comes next: 0 is undisturbed. */
export type Progress = { id: string; wire: Wire; next: number; kills: number; isOver: boolean; faults: string[] }

export const campaignLimits = {
  /** Plays at once on one server, and how often before it is replaced. All their agents are teammates, which takes room in small windows. */
  playsAtOnce: 12,
  playsOnStage: 2,
  /** A line with more commits would not end. */
  commits: 200,
  /** After so many faults a line is given up. */
  faults: 5,
} as const

/** A play of a line, and its number on the stage. */
type Point = { one: Progress; play: number; number: number }

/** Plays 1, 2, 3 … of a line: before its first commit, after it, before the second one … */
const holdFor = (play: number): Hold | null => (play === 0 ? null : { at: Math.ceil(play / 2), when: play % 2 === 1 ? 'before' : 'after' })

/** Every line in every wire that can say it, killed before and after each of its commits. Kept in a file, so that it can go on later. */
export class Campaign {
  readonly progress: Progress[]
  readonly #file: string | null
  readonly #lines: ReadonlyMap<string, BehaviourLine>

  constructor(lines: readonly BehaviourLine[], file: string | null) {
    this.#file = file
    this.#lines = new Map(lines.map((line) => [line.id, line]))
    const before = file !== null && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress[]) : []
    this.progress = wires.flatMap((wire) =>
      lines
        .filter((line) => isSayable(line, wire))
        .map(
          ({ id }) =>
            before.find((one) => one.id === id && one.wire === wire) ?? { id, wire, next: 0, kills: 0, isOver: false, faults: [] },
        ),
    )
  }

  get isOver(): boolean {
    return this.progress.every(({ isOver }) => isOver)
  }

  /** Works until every line is over or `isDue` says that the time is up. */
  async run(jobs: number, isDue: () => boolean): Promise<void> {
    const busy = new Set<Progress>()
    const work = async (): Promise<void> => {
      while (!isDue()) {
        const first = this.#waiting(busy)[0]
        if (!first) return
        const some = this.#waiting(busy)
          .filter(({ wire }) => wire === first.wire)
          .slice(0, campaignLimits.playsAtOnce)
        for (const one of some) busy.add(one)
        await this.#playSome(first.wire, some, isDue)
        for (const one of some) busy.delete(one)
      }
    }
    await Promise.all(Array.from({ length: jobs }, work))
  }

  /** The least advanced ones first, so that a campaign that is cut has seen all lines. */
  #waiting(busy: ReadonlySet<Progress>): Progress[] {
    return this.progress.filter((one) => !one.isOver && !busy.has(one)).toSorted((one, two) => one.next - two.next)
  }

  /** When few lines are left, each is played at several of its points at once: one SIGKILL finds them all. */
  async #playSome(wire: Wire, some: readonly Progress[], isDue: () => boolean): Promise<void> {
    const depth = Math.floor(campaignLimits.playsAtOnce / some.length)
    const lines = some.flatMap(({ id }) => Array.from({ length: depth }, () => this.#lines.get(id) as BehaviourLine))
    const copies = Array.from({ length: campaignLimits.playsOnStage }, () => lines).flat()
    const stage = await Stage.open(wire, copies)
    try {
      for (let copy = 0; copy < campaignLimits.playsOnStage && !isDue() && some.some(({ isOver }) => !isOver); copy += 1) {
        const points = some.flatMap((one, at) =>
          one.isOver
            ? []
            : Array.from({ length: depth }, (_, ahead) => ({
                one,
                play: one.next + ahead,
                number: copy * lines.length + at * depth + ahead,
              })),
        )
        await this.#playPoints(stage, points)
        this.#save()
        const kills = this.progress.reduce((sum, one) => sum + one.kills, 0)
        console.log(`${wire}, play ${points[0]?.play ?? 0} of ${some.length} lines; ${kills} kills, ${this.#faults()} faults so far`)
      }
    } finally {
      await stage.close()
    }
  }

  #faults(): number {
    return this.progress.reduce((sum, { faults }) => sum + faults.length, 0)
  }

  async #playPoints(stage: Stage, points: readonly Point[]): Promise<void> {
    const holds = points.map(({ play }) => holdFor(play))
    const numbers = points.map(({ number }) => number)
    const played = await stage.play(numbers, holds).catch((error: unknown) => describeFault(error))
    for (const [at, { one, play }] of points.entries()) {
      const hold = holds[at]
      const result = typeof played === 'string' ? null : played[at]
      const fault = result ? findFault(result) : typeof played === 'string' ? played : 'it was not played'
      const name = hold ? `killed ${hold.when} commit ${hold.at}` : 'undisturbed'
      if (fault !== null) one.faults.push(`${name}: ${fault}`)
      if (result?.isKilled) one.kills += 1
      // A line that ended before its hold has no further commit.
      if ((hold !== null && result?.isKilled === false) || one.faults.length >= campaignLimits.faults) one.isOver = true
      one.next = play + 1
      if (one.next > 2 * campaignLimits.commits) one.isOver = true
    }
  }

  #save(): void {
    if (this.#file === null) return
    writeFileSync(`${this.#file}.new`, JSON.stringify(this.progress))
    renameSync(`${this.#file}.new`, this.#file)
  }
}
