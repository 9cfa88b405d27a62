import { ParleyError } from '../../errors.ts'
import type { Agent, ModelPrompt, PromptSource } from '../../ports/agent-runtime.ts'
import { noNotes } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Spent } from '../rules/dialog-events.ts'
import { type DialogState, findFocus } from '../rules/dialog-state.ts'
import { itemsToSend } from '../rules/prompt/prompt-list.ts'
import { isTellaskTool, markers } from '../rules/tellask.ts'
import type { Admitted } from './budget.ts'
import { endOnError } from './end-turn.ts'
import { foldCommands } from './fold-commands.ts'
import { type Generated, generate } from './generation.ts'
import { boundsFor } from './generation-bounds.ts'
import { costOfLost } from './generation-cost.ts'
import { planOutcome } from './generation-outcome.ts'
import { declaredTools } from './offered-tools.ts'
import { type Prepared, preparePrompt } from './prepare-prompt.ts'
import type { TurnRun } from './turn-run.ts'

/** Runs one generation and commits everything that follows from it. False when the turn is over. */
export async function runGeneration(run: TurnRun, by: Agent, admitted: Admitted): Promise<boolean> {
  const { dialog, parts, lease } = run
  if (!(await countTaskdoc(run, by))) return false
  const lost = costOfLost(admitted, by.spending)
  // Under a budget the reservation has marked it already.
  const isMarked = by.prompt ? await fixPrompt(run, by, by.prompt, lost) : run.reservation !== null || (await run.mark(lost))
  if (!isMarked) return false
  const from = run.state
  const seen = (by.prompt ? from.prompt?.list.fixedSeen : null) ?? from.seq
  const generated = await endOnError(run, () => callAgent(run, by, from, admitted))
  // The document may have changed while the agent read it: its calls are judged by the role it can have read.
  if (generated === null || !(await countTaskdoc(run, by))) return false
  const result = from.origin?.mode === 'reasoning' ? withoutCalls(generated, parts.log, dialog) : generated
  const spent = run.cost.read().spent ?? { tokens: 0, money: 0 }
  // Replies to the same dialog are written one after the other.
  const commit = () =>
    parts.inTurn(findFocus(from)?.from ?? dialog, () =>
      parts.dialogs.handleAll((load) => planOutcome(run, load, { made: result, by, seen, spent }), { lease, ...run.ending() }),
    )
  // Side dialogs of one tree are opened by one generation at a time, so that their number can be counted.
  const opensDialogs = result.calls.some(({ name }) => isTellaskTool(name))
  const written = await (opensDialogs ? parts.inTurn(`tree ${from.origin?.root ?? dialog}`, commit) : commit())
  run.partialText = ''
  if (!written.ok) {
    // A lost claim needs no record. Any other refusal would be repeated for ever.
    if (written.why === 'refused' && written.refusal.code !== 'dialog_dead') await run.fail(written.refusal.code, written.refusal.details)
    else await run.endIfDead()
    return false
  }
  run.ended()
  run.cost.clear()
  parts.alone.giveBack()
  run.state = written.states.get(dialog) ?? from
  if (run.state.turn === null) {
    run.countFinished()
    return false
  }
  for (const call of result.calls) run.freshCalls.add(call.call)
  return true
}

/** Writes what the model will read, and that it is asked now. False when the turn is over. */
async function fixPrompt(run: TurnRun, by: Agent, source: PromptSource, lost: Spent | null): Promise<boolean> {
  const { dialog, parts, state } = run
  if (state.origin === null) run.notes = await parts.turnNotes({ dialog, turn: state.turn?.turn ?? state.turns + 1, agent: state.agent })
  const notes = run.notes === noNotes ? null : run.notes
  const knownState = await parts.dialogs.known(dialog)
  const start = run.gate.start()
  const prepare = (from: DialogState): Prepared => {
    const opening = from.turn === null ? [start] : []
    const prepared = preparePrompt(foldCommands(from, opening), { agent: by, source, notes, at: run.now() })
    return 'fails' in prepared || prepared.commands.length === 0 ? prepared : { commands: [...opening, ...prepared.commands] }
  }
  const first = await endOnError(run, async () => prepare(knownState))
  if (first === null) return false
  if ('commands' in first && first.commands.every(({ type }) => type === 'start-turn' || type === 'start-generation')) {
    // Nothing changed: the list is what the log has, and the output will say how far it was read.
    run.state = knownState
    return run.mark(lost, knownState.prompt?.list.fixedSeen === null ? knownState.seq : null)
  }
  let fails: Extract<Prepared, { fails: object }>['fails'] | null = null
  const marked = await endOnError(run, async () =>
    run.markWith(lost, (now) => {
      const prepared = now === knownState ? first : prepare(now)
      fails = 'fails' in prepared ? prepared.fails : null
      return 'fails' in prepared ? [] : prepared.commands
    }),
  )
  if (marked === null) return false
  if (!marked.ok) {
    await run.endIfDead()
    return false
  }
  run.state = marked.state
  const failed = fails as Extract<Prepared, { fails: object }>['fails'] | null
  if (failed) await run.fail(failed.code, failed.details)
  return failed === null
}

/** Text in the task document counts with the role it was written for, before the agent reads it. False when the claim is lost. */
async function countTaskdoc(run: TurnRun, by: Agent): Promise<boolean> {
  const { taskdoc, taskdocChange } = run.state
  const floor = taskdoc === null ? null : (by.readTaskdocFloor?.(taskdoc) ?? null)
  if (floor === null || floor.change === taskdocChange) return true
  const { dialog, parts, lease } = run
  const counted = await parts.dialogs.handle(dialog, [{ type: 'read-taskdoc', at: run.now(), ...floor }], { lease })
  if (counted.ok) run.state = counted.state
  else await run.endIfDead()
  return counted.ok
}

async function callAgent(run: TurnRun, by: Agent, from: DialogState, admitted: Admitted): Promise<Generated> {
  const { dialog, parts, cut } = run
  const { allowance } = admitted
  const turn = from.turn?.turn ?? from.turns + 1
  const generation = (from.turn?.generations ?? 0) + 1
  const draft = parts.drafts.begin(dialog, turn, `${turn}.${generation}.${run.lease.epoch}`)
  const { agent, language, context, contextDropped, course, taskdoc, floor: role } = from
  const isSide = from.origin !== null
  const teammates = parts.team.list().filter((member) => member.name !== by.name).length
  const prompt = by.prompt ? toModelPrompt(from) : null
  const tools = prompt?.tools ?? declaredTools(from, by, teammates)
  const reminders = from.reminders.map(({ text }) => text)
  if (!isSide && !prompt) run.notes = await parts.turnNotes({ dialog, turn, agent })
  const heard = run.cost.begin(by, admitted)
  const limited = allowance ? { allowance } : {}
  const requestNotes = run.notes === noNotes ? {} : { notes: { ...run.notes, lines: run.notes.lines.map(({ text }) => text) } }
  const request = { dialog, agent, language, turn, generation, context, contextDropped, tools, reminders, course, isSide, role, taskdoc }
  const bounds = boundsFor(by, limited, from.origin?.mode === 'reasoning', parts.bounds)
  try {
    // A generation that is aborted before it begins has read nothing: the person's message is still unanswered.
    cut.throwIfAborted()
    run.readSeq = (prompt && from.prompt?.list.fixedSeen) ?? from.seq
    const { ids, clock, log, abandonAfterMs } = parts
    const generated = await generate(
      by,
      { ...request, ...limited, ...requestNotes, ...(prompt && { prompt, readFile: parts.files.content }) },
      draft,
      { ids, clock, log, bounds, heard, abandonAfterMs },
      cut,
    )
    // The runtime has asked twice, and no request is there to be reminded of.
    const isSilent = generated.text.trim() === '' && generated.calls.length === 0 && generated.questions.length === 0
    if (prompt && isSilent && findFocus(from) === null) throw new ParleyError('model_garbled', { why: 'the reply is empty' })
    return generated
  } finally {
    run.partialText = draft.text
    draft.end()
  }
}

/** The request as the log has fixed it. */
function toModelPrompt({ prompt }: DialogState): ModelPrompt | null {
  if (!prompt?.epoch) return null
  const { list, epoch, counted } = prompt
  const counts = counted && list.sentItems > 0 ? { cachedTokens: counted.tokens } : {}
  const { system, tools, maker } = epoch
  return { epoch: list.epoch, system, tools, maker, items: itemsToSend(list), cachedItems: list.sentItems, ...counts }
}

/** A fresh mind may only reason. If it calls a tool all the same, its reply says so. */
function withoutCalls(made: Generated, log: Log, dialog: string): Generated {
  if (made.calls.length === 0 && made.questions.length === 0) return made
  log('warn', 'a fresh mind called something, which it may not', { dialog, calls: made.calls.map(({ name }) => name) })
  const names = [...new Set(made.calls.map(({ name }) => name))].join(', ') || 'a question'
  const text = `${markers.reasonedOnly}\nThis mind broke a rule: it tried to call ${names}. What it said before that:\n\n${made.text}`
  const { shown: _, ...rest } = made
  return { ...rest, calls: [], questions: [], together: [], wantsMore: false, text, output: [{ type: 'words', text }] }
}
