import { type AskedQuestion, type DialogCommand, firstWords, type ToolCall } from '../dialog/decide.ts'
import { askHuman } from '../dialog/evolve.ts'
import { type DialogState, focusOf } from '../dialog/state.ts'
import {
  assignmentPrompt,
  isSlug,
  markers,
  type OpenAssignment,
  sessionKey,
  tellaskLimits,
  type TellaskMode,
  tellaskTools,
  withMarker,
} from '../dialog/tellask.ts'
import { isTreeTool, mindTools } from '../dialog/tree-tools.ts'
import type { Agent, Team } from '../ports/agent-runtime.ts'
import type { Ids } from '../ports/ids.ts'

export type Order = { stream: string; commands: DialogCommand[] }

type Load = (stream: string) => Promise<DialogState>

type Scene = {
  dialog: string
  /** As it will be once the generation is written. */
  state: DialogState
  agent: Agent
  team: Team
  ids: Ids
  at: number
  load: Load
}

/** What the calls of one generation come to: commands for this dialog and for others, in the order the agent made them. */
export type TreeCalls = { own: DialogCommand[]; others: Order[] }

/**
 * Turns calls between dialogs, and on the agent's own mind, into commands that are committed with the generation itself:
 * there is no moment in which a request was made and nobody was asked. What cannot be done becomes a failed result the
 * agent can read; nothing is left behind.
 */
export async function treeCalls(calls: readonly ToolCall[], questions: readonly AskedQuestion[], scene: Scene): Promise<TreeCalls> {
  const made: TreeCalls = { own: [], others: [] }
  const given: Record<string, string> = {}
  for (const call of calls) {
    if (!isTreeTool(call.name) || call.name === askHuman) continue
    const fault = await one(call, made, given, scene, questions)
    const { at } = scene
    if (fault !== null) made.own.push({ type: 'return-tool', at, call: call.call, ok: false, output: fault })
  }
  // The mind is cleared last: what the same generation also did belongs to the course before.
  const isClear = (command: DialogCommand): boolean => command.type === 'clear-mind'
  return { own: [...made.own.filter((command) => !isClear(command)), ...made.own.filter(isClear).slice(0, 1)], others: made.others }
}

/** The reason it cannot be done, null when it was. */
async function one(
  call: ToolCall,
  made: TreeCalls,
  given: Record<string, string>,
  scene: Scene,
  questions: readonly AskedQuestion[],
): Promise<string | null> {
  if (scene.state.origin?.mode === 'reasoning') return 'There are no calls in fresh-boots reasoning. Say what is missing in your reply.'
  const input = readInput(call.input)
  if (typeof input === 'string') return input
  switch (call.name) {
    case tellaskTools.back:
      return askBack(call, input, made, scene)
    case tellaskTools.session:
    case tellaskTools.fresh:
      return askTeammate(call, input, made, given, scene)
    case tellaskTools.reasoning:
      return reason(call, input, made, scene)
    default:
      return changeMind(call, input, made, scene, questions)
  }
}

type Input = Record<string, unknown>

function readInput(input: unknown): Input | string {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Input) : 'The arguments must be one JSON object.'
}

function contentOf(input: Input): { content: string } | { fault: string } {
  const content = input['tellaskContent']
  if (typeof content !== 'string' || content.trim() === '') return { fault: 'tellaskContent is empty. Say what is wanted.' }
  if (content.length > tellaskLimits.contentChars)
    return { fault: `tellaskContent has more than ${tellaskLimits.contentChars} characters.` }
  return { content: content.trim().toWellFormed() }
}

async function askBack(call: ToolCall, input: Input, made: TreeCalls, { dialog, state, ids, at, load }: Scene): Promise<string | null> {
  const read = contentOf(input)
  if ('fault' in read) return read.fault
  if (input['sessionSlug'] !== undefined) return 'tellaskBack takes no sessionSlug: it goes to whoever asked you.'
  const current = state.assignments.find((each) => each.isActive && each.mode !== 'back')
  if (!current)
    return state.origin === null
      ? 'There is no tool called tellaskBack here: nobody asked you. Ask the human with askHuman.'
      : 'You have no open request, so there is nobody to ask back.'
  if ((await load(current.from)).isDead) return 'The one who asked you is gone. Finish with what you have.'
  const tellask = ids.next('ask')
  const asked = withMarker(read.content, [markers.back])
  made.own.push({
    type: 'make-tellask',
    at,
    tellask,
    call: call.call,
    mode: 'back',
    to: current.from,
    agent: current.by,
    session: null,
    content: asked,
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
        content: asked,
        about: current.content,
      },
    ],
  })
  return null
}

async function askTeammate(
  call: ToolCall,
  input: Input,
  made: TreeCalls,
  given: Record<string, string>,
  scene: Scene,
): Promise<string | null> {
  const { dialog, state, team, ids, at, load } = scene
  const read = contentOf(input)
  if ('fault' in read) return read.fault
  const target = input['targetAgentId']
  if (typeof target !== 'string' || target.trim() === '') return 'targetAgentId is empty. Name a teammate.'
  const agent = target.trim().replace(/^@/, '')
  if (agent === state.agent) return `You are @${agent} yourself. To think it over with a fresh mind, use freshBootsReasoning.`
  if (!team.agent(agent))
    return `There is no teammate @${agent.slice(0, 64)}. The team is: ${team
      .list()
      .map(({ name }) => `@${name}`)
      .join(', ')}.`
  const isKept = call.name === tellaskTools.session
  const session = isKept ? input['sessionSlug'] : null
  if (isKept && (typeof session !== 'string' || !isSlug(session)))
    return 'sessionSlug is not well formed: letters, digits, - and _, beginning with a letter.'
  const slug = typeof session === 'string' ? session : null

  if (Object.keys(state.pending).length + made.own.length >= tellaskLimits.pending)
    return `You are already waiting for ${tellaskLimits.pending} replies.`

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
  }
  let to: string | null = null
  if (slug !== null) {
    const key = sessionKey(agent, slug)
    to = given[key] ?? (root === dialog ? state : await load(root)).sessions[key] ?? null
    if (to !== null && given[key] === undefined && (await load(to)).isDead) to = null
    if (to !== null && (await waitsFor(to, dialog, load)))
      return `@${agent} (${slug}) is itself waiting for you, so it could never reply. Answer it, or ask somebody else.`
  }
  if (to === null) {
    to = ids.next('dlg')
    made.others.push({
      stream: to,
      commands: [
        {
          type: 'open-dialog',
          at,
          agent,
          by: { kind: 'agent', name: state.agent },
          language: state.language,
          title: firstWords(read.content),
          origin: { root, parent: dialog, mode, session: slug },
          ...(state.taskdoc === null ? {} : { taskdoc: state.taskdoc }),
        },
        received,
      ],
    })
    if (slug !== null) {
      given[sessionKey(agent, slug)] = to
      const register: DialogCommand = { type: 'register-session', at, agent, session: slug, dialog: to }
      if (root === dialog) made.own.push(register)
      else made.others.push({ stream: root, commands: [register] })
    }
  } else {
    if ((await load(to)).assignments.length + made.others.length >= tellaskLimits.waiting)
      return `@${agent} (${slug}) already has ${tellaskLimits.waiting} requests waiting.`
    made.others.push({ stream: to, commands: [received] })
  }
  made.own.push({ type: 'make-tellask', at, tellask, call: call.call, mode, to, agent, session: slug, content: read.content })
  return null
}

/** Whether `from` can only go on when `target` does: then a request of target's to it would be waited for by both for ever. */
async function waitsFor(from: string, target: string, load: Load): Promise<boolean> {
  const seen = new Set<string>()
  const open = [from]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === target) return true
    if (seen.has(next)) continue
    seen.add(next)
    for (const pending of Object.values((await load(next)).pending)) open.push(pending.to)
  }
  return false
}

function reason(call: ToolCall, input: Input, made: TreeCalls, { dialog, state, agent, ids, at }: Scene): string | null {
  const read = contentOf(input)
  if ('fault' in read) return read.fault
  const effort = agent.mind?.reasoningEffort ?? 3
  if (effort === 0) return 'Fresh-boots reasoning is switched off for you (fbr-effort is 0). Think it over here.'
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
      commands: [
        {
          type: 'open-dialog',
          at,
          agent: state.agent,
          by: { kind: 'agent', name: state.agent },
          language: state.language,
          title: firstWords(read.content),
          origin: { root: state.origin?.root ?? dialog, parent: dialog, mode: 'reasoning', session: null },
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
        },
      ],
    })
  }
  return null
}

function changeMind(
  call: ToolCall,
  input: Input,
  made: TreeCalls,
  { state, ids, at }: Scene,
  questions: readonly AskedQuestion[],
): string | null {
  const text = input['content']
  const number = input['reminder_no']
  const done = (output: string): null => {
    made.own.push({ type: 'return-tool', at, call: call.call, ok: true, output })
    return null
  }
  switch (call.name) {
    case mindTools.add: {
      const position = input['position'] ?? 0
      if (typeof text !== 'string' || text.trim() === '') return 'content is empty.'
      if (typeof position !== 'number' || !Number.isInteger(position) || position < 0 || position > state.reminders.length + 1)
        return `There is no position ${String(position)}; there are ${state.reminders.length} reminders.`
      made.own.push({ type: 'add-reminder', at, reminder: ids.next('rem'), text: text.trim(), position })
      return done('Kept.')
    }
    case mindTools.update:
      if (typeof text !== 'string' || text.trim() === '') return 'content is empty.'
      if (typeof number !== 'number' || !state.reminders[number - 1])
        return `There is no reminder ${String(number)}; there are ${state.reminders.length}.`
      made.own.push({ type: 'update-reminder', at, number, text: text.trim() })
      return done('Changed.')
    case mindTools.delete:
      if (typeof number !== 'number' || !state.reminders[number - 1])
        return `There is no reminder ${String(number)}; there are ${state.reminders.length}.`
      made.own.push({ type: 'delete-reminder', at, number })
      return done('Deleted.')
    case mindTools.clear: {
      if (questions.length > 0) return 'You have just asked the human something. Clear your mind after the answer, or without asking.'
      const kept = input['reminder_content']
      if (kept !== undefined && typeof kept !== 'string') return 'reminder_content must be text.'
      if (kept !== undefined && kept.trim() !== '')
        made.own.push({ type: 'add-reminder', at, reminder: ids.next('rem'), text: kept.trim() })
      done('Cleared.')
      made.own.push({ type: 'clear-mind', at, why: 'asked', prompt: coursePrompt(state) })
      return null
    }
  }
  return `There is no tool called ${call.name}.`
}

/** The first thing a fresh course reads. In a side dialog it begins with the header and the request again. */
export function coursePrompt(state: DialogState): string {
  const current = state.assignments.find((each) => each.isActive && each.mode !== 'back')
  const course = state.course + 1
  const told =
    state.language === 'zh'
      ? `这是第 ${course} 程对话。此前的消息已不在视野内；请根据提醒项继续。`
      : `This is course ${course}. Earlier messages are out of sight; go on from your reminders.`
  return current ? `${assignmentPrompt(state.language, current)}\n\n---\n\n${told}` : told
}

/** The reply a turn's last words are, if they are one: the request they answer and the words with the right marker. */
export function replyOf(state: DialogState, text: string): { focus: OpenAssignment; text: string } | null {
  const focus = focusOf(state)
  if (!focus) return null
  const said = text.trim() === '' ? (state.language === 'zh' ? '（没有说话）' : '(nothing was said)') : text
  if (focus.mode === 'back') return { focus, text: said }
  const right = focus.mode === 'reasoning' ? [markers.reasoned, markers.reasonedOnly] : [markers.done]
  return { focus, text: withMarker(said, right) }
}
