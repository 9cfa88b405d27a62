import { isBuildId } from '../rules/build-dialog.ts'
import type { StoredBuildEvent } from '../rules/build-events.ts'
import { buildSample } from '../rules/build-sample.ts'
import { type BuildState, initialBuild, needsTurn, silenceDueAt } from '../rules/build-state.ts'
import { type BuildCommand, decideBuild } from '../rules/decide-build.ts'
import { evolveBuild } from '../rules/evolve-build.ts'
import type { StreamKind } from '../../streams/decider.ts'
import { rowOfBuild } from './build-rows.ts'
import { ownBuildRows } from '../../dialogs/rows/own-rows.ts'

/** A build's stream bears its id. */
export const isBuildStream = isBuildId

/** Work that follows from a build; the key is the build. */
export const buildWork = { turn: 'build-turn', silence: 'build-silence' } as const

/**
 * A build as the stream handler runs it.
 *
 * Its turn is woken when the agent has something to hear and no turn is under way: one that is holds its own claim. The
 * timer of a silence is one row of work from when the build is opened, or goes on after an answer, until it waits
 * for a person or ends. A wake-up that comes too early moves it on, so that an active build does not move it with each event.
 */
export const buildKind: StreamKind<BuildState, BuildCommand, StoredBuildEvent> = {
  initial: initialBuild,
  decide: decideBuild,
  evolve: evolveBuild,
  consequences(build, events, after) {
    const at = events.at(-1)?.at ?? 0
    const dueAt = events.some(beginsToRun) ? silenceDueAt(after) : null
    return {
      wake: [
        ...(needsTurn(after) && after.turn === null ? [{ kind: buildWork.turn, key: build, at }] : []),
        ...(dueAt === null ? [] : [{ kind: buildWork.silence, key: build, at: dueAt }]),
      ],
      cancel: after.progress.isOver ? [{ kind: buildWork.silence, key: build }] : [],
      rows: [rowOfBuild(after), ...ownBuildRows(build, events)],
    }
  },
  sample: buildSample,
  weigh: ({ prompt, ownWords, progress, turn }) =>
    2_000 + prompt.length + ownWords.length + 200 * progress.asked.length + (turn?.said.reduce((sum, text) => sum + text.length, 0) ?? 0),
}

const beginsToRun = (event: StoredBuildEvent): boolean => event.type === 'build.answered' || event.type === 'session.started'
