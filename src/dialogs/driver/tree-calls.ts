import { dialogTexts, promptTexts } from '../../words/index.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { AskedQuestion } from '../rules/decide-question.ts'
import { firstWords } from '../rules/decide-talk.ts'
import type { ToolCall } from '../rules/decide-turn.ts'
import { limitQuestion } from '../rules/limit-question.ts'
import { askHuman } from '../rules/question.ts'
import type { Hold, Origin } from '../rules/dialog-events.ts'
import { type DialogState, initialDialog } from '../rules/dialog-state.ts'
import {
  assignmentPrompt,
  isSlug,
  isTellaskTool,
  markers,
  sessionKey,
  tellaskLimits,
  type TellaskMode,
  tellaskTools,
  type TreeBounds,
  withMarker,
} from '../rules/tellask.ts'
import { measureRoom } from '../rules/prompt/context-levels.ts'
import { isTreeTool, mindTools, replyTools, showReply } from '../rules/tree-tools.ts'
import { getCause } from '../rules/turn-cause.ts'
import { describeError, type Refusal } from '../../errors.ts'
import type { Agent, Team } from '../../ports/agent-runtime.ts'
import type { Ids } from '../../ports/ids.ts'
import { tryCommands } from './fold-commands.ts'
import { changeMind } from './mind-calls.ts'
import { readSnapshot } from './prepare-prompt.ts'
import { giveReply, recallOutput, withdrawQuestion } from './reply-calls.ts'
import { isRecord } from '../../shapes/record.ts'

/** `isNew` where the id of the dialog was just made. */
export type Order = { stream: string; commands: DialogCommand[]; isNew?: true }

type Load = (stream: string) => Promise<DialogState>

/** Limits of a tree, and its present size. */
export type TreeParts = {
  bounds: TreeBounds
  getDepth(state: DialogState, load: Load): Promise<number>
  countSides(root: string): Promise<number>
  /** False where no owner reads questions. */
  canAsk(root: string): boolean
}

type Scene = TreeParts & {
  dialog: string
  /** As it will be once the generation is written. */
  state: DialogState
  agent: Agent
  team: Team
  ids: Ids
  at: number
  load: Load
  /** The whole output of a tool, by the number of its event in this dialog. */
  readOutput(seq: number): Promise<string | null>
  /** Names of all calls of the generation. */
  callsInStep: readonly string[]
  hold(state: DialogState): Promise<Hold | null>
}

/**
 * Commands from the calls of one generation, for this dialog and for others, in call order. `isDelivered`: a reply was given,
 * which ends the turn. `shown`: the number of presentations that are shown.
 */
export type TreeCalls = { own: DialogCommand[]; others: Order[]; isDelivered?: boolean; shown?: number }

/**
 * Turns calls between dialogs, and on the agent's own mind, into commands that are committed with the generation itself:
 * there is no moment in which a request exists without its tellaskee. What cannot be done becomes a failed result the
 * agent can read; nothing is left behind.
 */
export async function treeCalls(
  calls: readonly ToolCall[],
  questions: readonly AskedQuestion[],
  scene: Scene,
): Promise<TreeCalls & { shown: number }> {
  const result: TreeCalls & { shown: number } = { own: [], others: [], shown: 0 }
  let isCleared = false
  const changed = new Map<string, DialogState>()
  const load: Load = async (stream) => changed.get(stream) ?? scene.load(stream)
  let { state } = scene

  /** Why the rules would refuse this step; when they do not, the next call is decided on what it led to. */
  async function toRefusal(step: TreeCalls): Promise<string | null> {
    const after = new Map<string, DialogState>()
    const orders: Order[] = [{ stream: scene.dialog, commands: step.own }, ...step.others]
    for (const { stream, commands, isNew } of orders) {
      const from = stream === scene.dialog ? state : (after.get(stream) ?? (isNew ? initialDialog : await load(stream)))
      const folded = tryCommands(from, commands)
      if ('refused' in folded) return inWords(folded.refused)
      after.set(stream, folded.state)
    }
    state = after.get(scene.dialog) ?? state
    for (const [stream, then] of after) if (stream !== scene.dialog) changed.set(stream, then)
    return null
  }

  for (const call of calls) {
    if (!isTreeTool(call.name) || call.name === askHuman) continue
    if (isTellaskTool(call.name) && state.asksInARow >= scene.bounds.requestsInARow) {
      const output = dialogTexts[state.language].requestsPaused(scene.bounds.requestsInARow)
      result.own.push({ type: 'return-tool', at: scene.at, call: call.call, ok: false, output }, ...askToContinue(result, scene, state))
      continue
    }
    const step: TreeCalls = { own: [], others: [] }
    const countSides = async (root: string): Promise<number> => (await scene.countSides(root)) + opened(result)
    const fault = (await one(call, step, { ...scene, state, load, countSides }, scene.state, questions)) ?? (await toRefusal(step))
    if (fault !== null) {
      result.own.push({ type: 'return-tool', at: scene.at, call: call.call, ok: false, output: fault })
      continue
    }
    result.own.push(...step.own)
    result.others.push(...step.others)
    if (call.name === replyTools.reply) result.isDelivered = true
    if (call.name === showReply) result.shown += 1
    if (call.name === mindTools.clear) isCleared = true
  }
  // The mind is cleared last: what the same generation also did belongs to the course before, and its reminders to the new one.
  return isCleared ? { ...result, own: [...result.own, clearMind(scene.state, state, scene)] } : result
}

/** Reminders that the same generation has changed count. */
function clearMind(seen: DialogState, state: DialogState, { agent, at }: Scene): DialogCommand {
  const { prompt } = agent
  const course = prompt && { snapshot: readSnapshot(state, prompt, measureRoom(prompt.window())), offset: prompt.zoneOffset(at) }
  return { type: 'clear-mind', at, why: 'asked', prompt: coursePrompt(seen), ...course }
}

/** The question whether requests continue, once; the dialog waits for its answer. */
function askToContinue({ own }: TreeCalls, { dialog, bounds, canAsk, ids, at }: Scene, state: DialogState): DialogCommand[] {
  const isAsked =
    own.some(({ type }) => type === 'ask-question') || Object.values(state.questions).some(({ limit }) => limit?.kind === 'requests')
  if (isAsked || !canAsk(state.origin?.root ?? dialog)) return []
  const limit = { kind: 'requests' as const, limit: bounds.requestsInARow }
  const ask = limitQuestion(state.language, state.agent, limit)
  return [{ type: 'ask-question', at, asked: { question: ids.next('q'), call: null, ask, expiresAt: null, purpose: 'limit', limit } }]
}

function inWords({ code, details }: Refusal): string {
  const { message, hint } = describeError(code, details)
  return `${message} ${hint}`
}

const opened = ({ others }: TreeCalls): number => others.filter(({ commands }) => commands[0]?.type === 'open-dialog').length

/** Why no request may be made from here: the work is stopped, or requests are nested too deep. */
async function refusalOfRequest(call: ToolCall, { state, hold, bounds, getDepth, load }: Scene): Promise<string | null> {
  const stop = await hold(state)
  if (stop) return dialogTexts[state.language].workStopped(stop.by)
  if (call.name === tellaskTools.back) return null
  return (await getDepth(state, load)) >= bounds.depth ? dialogTexts[state.language].tooDeep(bounds.depth) : null
}

/** Why `more` side dialogs may not be opened. */
async function refusalOfSides(more: number, { dialog, state, bounds, countSides }: Scene): Promise<string | null> {
  const count = await countSides(state.origin?.root ?? dialog)
  return count + more > bounds.sideDialogs ? dialogTexts[state.language].tooManySides(bounds.sideDialogs) : null
}

/** Where a new side dialog belongs. */
const originFor = async ({ dialog, state, getDepth, load }: Scene, mode: TellaskMode, session: string | null): Promise<Origin> => ({
  root: state.origin?.root ?? dialog,
  parent: dialog,
  mode,
  session,
  depth: (await getDepth(state, load)) + 1,
})

/** The reason it cannot be done, null when it was. */
async function one(
  call: ToolCall,
  made: TreeCalls,
  scene: Scene,
  /** As the agent saw it: before the calls it made at the same time. */
  seen: DialogState,
  questions: readonly AskedQuestion[],
): Promise<string | null> {
  if (scene.state.origin?.mode === 'reasoning') return 'There are no calls in fresh-boots reasoning. Say what is missing in your reply.'
  const refusal = isTellaskTool(call.name) ? await refusalOfRequest(call, scene) : null
  if (refusal !== null) return refusal
  const input = call.input
  if (!isRecord(input)) return dialogTexts[scene.state.language].badArguments('they must be one JSON object')
  switch (call.name) {
    case tellaskTools.back:
      return askBack(call, input, made, scene)
    case tellaskTools.session:
    case tellaskTools.fresh:
      return askTeammate(call, input, made, scene)
    case tellaskTools.reasoning:
      return reason(call, input, made, scene)
    case showReply:
      return showPresentation(call, made, scene)
    case replyTools.reply:
      return giveReply(call, input, made, scene)
    case replyTools.withdraw:
      return withdrawQuestion(call, input, made, scene.state, scene.at)
    case replyTools.recallOutput:
      return recallOutput(call, input, made, scene)
    default:
      return changeMind(call, input, made.own, { ...scene, seen }, questions)
  }
}

/** The message of this generation has the presentation; here the call gets its result. */
function showPresentation({ call, input }: ToolCall, made: TreeCalls, { agent, state, at }: Scene): string | null {
  const checked = agent.tools.find(({ name }) => name === showReply)?.check(input)
  if (!checked) return promptTexts[state.language].toolNotThere(showReply)
  if ('fault' in checked) return dialogTexts[state.language].badArguments(checked.fault.replace(/\.$/, ''))
  made.own.push({ type: 'return-tool', at, call, ok: true, output: promptTexts[state.language].shown })
  return null
}

type Input = Record<string, unknown>

function getContent(input: Input, { language }: DialogState): { content: string } | { fault: string } {
  const content = input['tellaskContent']
  const { badArguments } = dialogTexts[language]
  if (typeof content !== 'string' || content.trim() === '') return { fault: badArguments('tellaskContent is empty') }
  if (content.length > tellaskLimits.contentChars)
    return { fault: badArguments(`tellaskContent has more than ${tellaskLimits.contentChars} characters`) }
  return { content: content.trim().toWellFormed() }
}

async function askBack(call: ToolCall, input: Input, made: TreeCalls, { dialog, state, ids, at, load }: Scene): Promise<string | null> {
  const read = getContent(input, state)
  if ('fault' in read) return read.fault
  if (input['sessionSlug'] !== undefined)
    return dialogTexts[state.language].badArguments('tellaskBack takes no sessionSlug: it goes to the agent that asked you')
  const current = state.assignments.find((each) => each.isActive && each.mode !== 'back')
  if (!current)
    return state.origin === null
      ? 'There is no tool called tellaskBack here: no agent asked you. Ask the human with askHuman.'
      : 'You have no open request, so there is no agent to ask back.'
  if ((await load(current.from)).isDead) return 'The one who asked you is gone. Finish with what you have.'
  const tellask = ids.next('ask')
  const markedContent = withMarker(read.content, [markers.back])
  made.own.push({
    type: 'make-tellask',
    at,
    tellask,
    call: call.call,
    mode: 'back',
    to: current.from,
    agent: current.by,
    session: null,
    content: markedContent,
  })
  made.others.push({
    stream: current.from,
    commands: [
      {
        type: 'receive-tellask',
        at,
        tellask,
        mode: 'back',
        from: dialog,
        by: state.agent,
        session: null,
        content: markedContent,
        about: current.content,
        cause: getCause(state),
      },
    ],
  })
  return null
}

async function askTeammate(call: ToolCall, input: Input, made: TreeCalls, scene: Scene): Promise<string | null> {
  const { dialog, state, team, ids, at, load } = scene
  const read = getContent(input, state)
  if ('fault' in read) return read.fault
  const target = input['targetAgentId']
  const texts = promptTexts[state.language]
  const { badArguments } = dialogTexts[state.language]
  if (typeof target !== 'string' || target.trim() === '') return badArguments('targetAgentId is empty')
  const agent = target.trim().replace(/^@/, '')
  if (agent === state.agent) return texts.isSelf(agent)
  if (!team.agent(agent)) {
    const others = team.list().flatMap(({ name }) => (name === state.agent ? [] : [`@${name}`]))
    return texts.unknownTeammate(agent.slice(0, 64), others.join(', ') || texts.none)
  }
  const caller = state.assignments.find((each) => each.isActive && each.mode !== 'back')
  if (caller?.by === agent) return texts.isCaller(agent)
  const isKept = call.name === tellaskTools.session
  const session = isKept ? input['sessionSlug'] : null
  if (isKept && (typeof session !== 'string' || !isSlug(session)))
    return badArguments('sessionSlug must have letters, digits, - and _, and start with a letter')
  const slug = typeof session === 'string' ? session : null

  if (isWaitingForTooMany(state, 1)) return `You are already waiting for ${tellaskLimits.pending} replies.`

  const root = state.origin?.root ?? dialog
  const mode: TellaskMode = slug === null ? 'fresh' : 'session'
  const tellask = ids.next('ask')
  const received: DialogCommand = {
    type: 'receive-tellask',
    at,
    tellask,
    mode,
    from: dialog,
    by: state.agent,
    session: slug,
    content: read.content,
    about: null,
    cause: getCause(state),
  }
  let to: string | null = null
  if (slug !== null) {
    const key = sessionKey(agent, slug)
    to = (root === dialog ? state : await load(root)).sessions[key] ?? null
    if (to !== null && (await load(to)).isDead) to = null
    if (to !== null && (await waitsFor(to, dialog, load))) return texts.waitsForYou(agent, slug)
  }
  if (to === null) {
    const refusal = await refusalOfSides(1, scene)
    if (refusal !== null) return refusal
    to = ids.next('dlg')
    made.others.push({
      stream: to,
      isNew: true,
      commands: [
        {
          type: 'open-dialog',
          at,
          agent,
          by: { kind: 'agent', name: state.agent },
          language: state.language,
          title: firstWords(read.content),
          origin: await originFor(scene, mode, slug),
          ...(state.taskdoc === null ? {} : { taskdoc: state.taskdoc }),
        },
        received,
      ],
    })
    if (slug !== null) {
      const register: DialogCommand = { type: 'register-session', at, agent, session: slug, dialog: to }
      if (root === dialog) made.own.push(register)
      else made.others.push({ stream: root, commands: [register] })
    }
  } else {
    if ((await load(to)).assignments.length >= tellaskLimits.waiting)
      return `@${agent} (${slug}) already has ${tellaskLimits.waiting} requests waiting.`
    made.others.push({ stream: to, commands: [received] })
  }
  made.own.push({ type: 'make-tellask', at, tellask, call: call.call, mode, to, agent, session: slug, content: read.content })
  return null
}

const isWaitingForTooMany = (state: DialogState, more: number): boolean => Object.keys(state.pending).length + more > tellaskLimits.pending

/** True when `from` waits for `target`: a request from `target` to it would be a deadlock. */
async function waitsFor(from: string, target: string, load: Load): Promise<boolean> {
  const visited = new Set<string>()
  const open = [from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === target) return true
    if (visited.has(next)) continue
    visited.add(next)
    for (const pending of Object.values((await load(next)).pending)) open.push(pending.to)
  }
  return false
}

async function reason(call: ToolCall, input: Input, made: TreeCalls, scene: Scene): Promise<string | null> {
  const { dialog, state, agent, ids, at } = scene
  const read = getContent(input, state)
  if ('fault' in read) return read.fault
  const effort = agent.mind?.reasoningEffort ?? 3
  if (effort === 0) return 'Fresh-boots reasoning is switched off for you (fbr-effort is 0). Think it over here.'
  if (isWaitingForTooMany(state, effort))
    return `${effort} fresh minds and what you already wait for are more than ${tellaskLimits.pending} replies.`
  const refusal = await refusalOfSides(effort, scene)
  if (refusal !== null) return refusal
  const origin = await originFor(scene, 'reasoning', null)
  for (let mind = 0; mind < effort; mind += 1) {
    const to = ids.next('dlg')
    const tellask = ids.next('ask')
    made.own.push({
      type: 'make-tellask',
      at,
      tellask,
      call: call.call,
      mode: 'reasoning',
      to,
      agent: state.agent,
      session: null,
      content: read.content,
    })
    made.others.push({
      stream: to,
      isNew: true,
      commands: [
        {
          type: 'open-dialog',
          at,
          agent: state.agent,
          by: { kind: 'agent', name: state.agent },
          language: state.language,
          title: firstWords(read.content),
          origin,
        },
        {
          type: 'receive-tellask',
          at,
          tellask,
          mode: 'reasoning',
          from: dialog,
          by: state.agent,
          session: null,
          content: read.content,
          about: null,
          cause: getCause(state),
        },
      ],
    })
  }
  return null
}

/** The first thing a fresh course reads. In a side dialog it begins with the header and the request again. */
export function coursePrompt(state: DialogState): string {
  const current = state.assignments.find((each) => each.isActive && each.mode !== 'back')
  const text = dialogTexts[state.language].course(state.course + 1)
  return current ? `${assignmentPrompt(state.language, current)}\n\n---\n\n${text}` : text
}
