import { lowestRole } from '../../authority/roles.ts'
import { agentOfBuilder, builderName, dialogOfBuild, isBuilderName } from '../rules/build-dialog.ts'
import { type BuildState, needsTurn } from '../rules/build-state.ts'
import { stepIds } from '../rules/steps.ts'
import { turnText } from '../rules/turn-message.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import { buildVia } from '../../dialogs/rules/dialog-events.ts'
import { askHuman } from '../../dialogs/rules/question.ts'
import { type DialogState, needsTurn as dialogNeedsTurn, getStatus } from '../../dialogs/rules/dialog-state.ts'
import type { Team, Tool } from '../../ports/agent-runtime.ts'
import type { Ids } from '../../ports/ids.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { type CutReason, hasBegun, type OpenTurn, type TurnParts } from './turn.ts'

/** Dependencies of a build that works through a dialog. */
export type Builders = { dialogs: StreamHandler<DialogState, DialogCommand>; ids: Ids }

/** The team with every member also as a builder: the same agent, with the tools of a build instead of questions of its own. */
export function withBuilders(team: Team, tools: readonly Tool[]): Team {
  const own = new Set([askHuman, ...tools.map(({ name }) => name)])
  return {
    get default() {
      return team.default
    },
    list: () => team.list(),
    agent(name, model) {
      const agent = team.agent(agentOfBuilder(name), model)
      if (!agent || !isBuilderName(name)) return agent
      const { diligence: _, ...mind } = agent.mind ?? {}
      return { ...agent, mind, tools: [...agent.tools.filter((tool) => !own.has(tool.name)), ...tools] }
    },
  }
}

const backstopMs = 2_000

/**
 * A turn of an agent that has the tools of a build: it works in a dialog of its own, may ask teammates there, and only
 * what it does with the tools reaches the person. The dialog survives a crash by itself, so a turn that was cut is not
 * begun again: it is waited for again.
 */
export async function dialogTurn(parts: TurnParts, turn: OpenTurn): Promise<void> {
  const { store, streams, builders, clock, log } = parts
  const { build, cut } = turn
  const { dialogs, ids } = builders
  const dialog = dialogOfBuild(build)
  const at = clock.now()

  let state = await streams.load(build)
  if (state.turn === null) {
    const begun = await turn.write([{ type: 'start-turn', at }])
    if (!begun.ok) return void (begun.why === 'refused' && (await turn.end()))
    if (!hasBegun(begun.events)) return turn.end()
    state = begun.state
  }
  const result = await dialogs.handle(dialog, (now) => messageFor(now, state, ids.next('msg'), at), {
    once: { key: `build-turn:${build}:${state.turns}`, value: () => null },
  })
  if (!result.ok && result.why === 'refused') return turn.fail(result.refusal.code, result.refusal.details)

  for (;;) {
    if (cut.aborted) {
      const why = cut.reason as CutReason
      if (why === 'shutdown' || why === 'emergency') return turn.giveBack()
      if (why === 'lost') return
      await stopTree(parts, build, state.by)
      return turn.end()
    }
    const nextChange = change()
    const now = await streams.load(build)
    if (!needsTurn(now) || now.progress.isOver) {
      if (now.end?.how !== 'complete') await stopTree(parts, build, state.by)
      nextChange.forget()
      return turn.end()
    }
    const worker = await dialogs.load(dialog)
    const status = getStatus(worker)
    if (status === 'ready') {
      nextChange.forget()
      return turn.end()
    }
    // Stopped by a person: the build waits until it is continued.
    const isHeld = worker.latch !== null || worker.held !== null
    if (status === 'failed' || (status === 'stopped' && !isHeld) || status === 'dead') {
      nextChange.forget()
      const { code, details } = worker.failure ?? { code: 'agent_failed' as const, details: { why: 'its dialog was stopped' } }
      log('warn', 'the agent of a build failed', { build, dialog, code })
      return turn.fail(status === 'failed' ? code : 'agent_failed', status === 'failed' ? details : { why: 'its dialog was stopped' })
    }
    await nextChange.came
  }

  /** Resolves when one of the two streams changes, when the turn is cut, or after a while anyway. */
  function change(): { came: Promise<void>; forget(): void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = store.hints.onStream((stream) => (stream === build || stream === dialog) && resolve())
    const takeBack = clock.after(backstopMs, resolve)
    const onCut = (): void => resolve()
    cut.addEventListener('abort', onCut, { once: true })
    const forget = (): void => {
      stop()
      takeBack()
      cut.removeEventListener('abort', onCut)
    }
    void promise.then(forget)
    return { came: promise, forget }
  }
}

/** Stops the dialog of a build that ended without a result, with everything below it. */
export async function stopTree({ builders, clock }: Pick<TurnParts, 'builders' | 'clock'>, build: string, by: string): Promise<void> {
  const latch: DialogCommand = { type: 'latch-dialog', at: clock.now(), by: { kind: 'human', name: by }, via: buildVia }
  // A dialog that is at rest or was never opened needs no latch.
  await builders.dialogs.handle(dialogOfBuild(build), (now) => (now.seq > 0 && getStatus(now) !== 'ready' ? [latch] : []))
}

function messageFor(now: DialogState, state: BuildState, message: string, at: number): DialogCommand[] {
  // Answers and further instructions are in the message as well, so it has the lowest of their roles.
  const by = { kind: 'human' as const, name: state.by, ...(state.author ? { id: state.author.id } : {}), role: state.floor }
  // Each keeps the floor of the build, which is the lowest role of them all.
  const authors = state.authors.map((author) => ({ ...author, role: lowestRole(author.role, state.floor) }))
  const title = `Build: ${state.prompt.replace(/\s+/g, ' ')}`.slice(0, 80).toWellFormed()
  const open: DialogCommand[] =
    now.seq === 0 ? [{ type: 'open-dialog', at, agent: builderName(state.agent), by, language: state.locale, title }] : []
  // The latch of an earlier end, where the build is continued after all; a new round revives what had failed.
  const isOver = now.seq > 0 && now.rest !== 'ready' && !dialogNeedsTurn(now)
  const lift: DialogCommand[] =
    now.latch?.via === buildVia
      ? [{ type: 'lift-stop', at, by, via: buildVia }]
      : isOver
        ? [{ type: 'continue-dialog', at, by, via: buildVia }]
        : []
  return [
    ...open,
    ...lift,
    {
      type: 'say',
      at,
      message,
      text: `${rules}\n\n${turnText(state) ?? ''}`,
      by,
      via: buildVia,
      ...(authors.length > 0 ? { authors } : {}),
    },
  ]
}

/** Told with each message: a mind that was cleared in between has forgotten it. */
const rules = [
  'System note: this is a build. The person sees a timeline of seven steps, and what you do with start_step, say, ask, ask_many, finish and fail; nothing else you write reaches them.',
  `Go through the steps in this order, each with start_step: ${stepIds.join(', ')}. Then finish, or fail.`,
  'Speak plainly and seldom, never about tools, teammates or how you work. Ask only when you cannot go on. After ask or ask_many, end your turn.',
].join('\n')
