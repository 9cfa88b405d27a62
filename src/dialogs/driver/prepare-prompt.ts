import { isAtLeast } from '../../authority/roles.ts'
import type { Details, ErrorCode } from '../../errors.ts'
import type { Agent, PromptSource } from '../../ports/agent-runtime.ts'
import type { NamedNotes } from '../../ports/hooks.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import type { DialogState } from '../rules/dialog-state.ts'
import { contextLimits, type ContextRoom, estimateTokens, findLevel, mayCompact, measureRoom } from '../rules/prompt/context-levels.ts'
import type { CourseReason, EpochReason, Snapshot } from '../rules/prompt/prompt-facts.ts'
import type { Note } from '../rules/prompt/prompt-items.ts'
import { findLoopStart, itemsToSend, itemsToSendFrom, listCuttable } from '../rules/prompt/prompt-list.ts'
import { estimateRequest, measureFixed, measureItems } from '../rules/prompt/prompt-size.ts'
import type { PromptEpoch, PromptState } from '../rules/prompt/prompt-state.ts'
import { planCompaction, resultLimits } from '../rules/prompt/shortened-results.ts'
import { type SystemFacts, systemPrompt } from '../rules/prompt/system-prompt.ts'
import { promptTools } from '../rules/prompt/tool-declarations.ts'
import { isTreeTool } from '../rules/tree-tools.ts'
import { foldCommands } from './fold-commands.ts'
import { declaredTools, getVariant } from './offered-tools.ts'

type Failure = { code: ErrorCode; details: Details }
export type Prepared = { commands: DialogCommand[] } | { fails: Failure }

type Scene = { agent: Agent; source: PromptSource; notes: NamedNotes | null; at: number }

/**
 * Changes of the prompt of a model before its next request. They are written before the request is sent, so that a further
 * try, also after a crash, sends the same bytes.
 *
 * | the dialog | what is written |
 * |---|---|
 * | a try is open | nothing |
 * | no epoch yet | first course, or the course of a dialog that began without a list (`upgrade`) |
 * | a person or an overflow wants a course, the prompt is full, or the countdown is over | forced course |
 * | the prompt is long | compaction, or a note |
 * | start of a turn, and the owner has changed persona, team, model or tools | epoch |
 * | a teammate is new or back, a tool or teammate is gone, a plugin has notes, others changed the task document | note or data |
 */
export function preparePrompt(state: DialogState, scene: Scene): Prepared {
  const { prompt } = state
  if (!prompt) return { commands: [] }
  if (prompt.list.fixedSeen !== null && prompt.courseDue === null && prompt.epoch) return { commands: [] }
  const room = measureRoom(scene.source.window())
  const fill = measureFill(state, prompt, room, scene.at)
  const within = fill.level === 'course' ? null : withNews(state, withinCourse(state, prompt, room, fill, scene).commands, scene)
  if (within && (within.length === 0 || isSendable(foldCommands(state, within), room))) return { commands: [...within, start(scene)] }
  const course = beginCourse(state, prompt, room, scene)
  return 'fails' in course ? course : { commands: [...withNews(state, course.commands, scene), start(scene)] }
}

const start = ({ at }: Scene): DialogCommand => ({ type: 'start-generation', at })

function withNews(state: DialogState, begun: readonly DialogCommand[], scene: Scene): DialogCommand[] {
  const commands = [...begun, ...newData(foldCommands(state, begun), scene)]
  return [...commands, ...continued(foldCommands(state, commands), scene.at)]
}

/** Notes, and texts that others have changed, may be what is too much. With a new epoch there is no count to compare with. */
const isSendable = ({ prompt, language }: DialogState, room: ContextRoom): boolean =>
  !prompt || prompt.counted === null || estimateRequest(prompt, language) <= room.usableTokens

/** A request never ends with the agent's own words. A stop further up may be lifted without an event here. */
function continued({ prompt }: DialogState, at: number): DialogCommand[] {
  if (!prompt || itemsToSendFrom(prompt.list, Math.max(0, prompt.list.items.length - 1)).at(-1)?.kind !== 'output') return []
  const passedMs = at - (prompt.haltedAt ?? prompt.list.outputAt ?? at)
  return [{ type: 'note-prompt', at, notes: [{ kind: 'continued', by: '', passedMs }] }]
}

type Fill = { level: 'course' } | { level: 'compact'; compaction: DialogCommand } | { level: 'critical' | 'caution' | 'normal' }

/** Old results are shortened before a course begins, also when one step has filled the window. A countdown goes on to its end. */
function measureFill(state: DialogState, prompt: PromptState, room: ContextRoom, at: number): Fill {
  if (!prompt.epoch || prompt.courseDue !== null) return { level: 'course' }
  const tokens = estimateRequest(prompt, state.language)
  if (prompt.criticalLeft === null && mayCompact(tokens, room, prompt.compactions)) {
    const compaction = compact(prompt, tokens, room, at)
    if (compaction) return { level: 'compact', compaction }
  }
  const level = findLevel(tokens, room)
  const isOver = level === 'full' || (level === 'critical' && prompt.criticalLeft !== null && prompt.criticalLeft <= 1)
  return { level: isOver ? 'course' : level }
}

/** A forced course soon after another one would be repeated for ever. */
const fewestGenerations = 3

function beginCourse(state: DialogState, prompt: PromptState, room: ContextRoom, { agent, source, at }: Scene): Prepared {
  const why = courseReason(prompt)
  const isRepeated = prompt.isForced && prompt.generations < fewestGenerations && prompt.courseDue !== 'person'
  if (why === 'forced' && isRepeated && prompt.courseDue === 'overflow')
    return { fails: { code: 'context_overflow', details: { window: source.window().windowTokens } } }
  const offset = source.zoneOffset(at)
  const frozen = freeze(state, agent, source)
  const isMind = getVariant(state) === 'fresh-mind'
  const read = isMind ? emptySnapshot : readSnapshot(state, source, room)
  const whole: Snapshot = prompt.courseDue === 'person' ? { ...read, byPerson: true } : read
  const bare: Snapshot = { ...whole, memories: null, taskdoc: null }
  // Parts that do not fit are left out: first memories, then the task document. Outputs of many calls in one step can be
  // larger than the window; `recall_output` reads them one by one.
  const attempts = [whole, { ...whole, memories: null }, bare, ...resultLimits.courseChars.map((newsChars) => ({ ...bare, newsChars }))]
  for (const snapshot of attempts) {
    const commands: DialogCommand[] = [
      { type: 'start-course', at, why, snapshot, offset },
      { type: 'start-epoch', at, epoch: { why: 'course', ...frozen, resultChars: resultChars(room), offset } },
    ]
    const { list, epoch } = foldCommands(state, commands).prompt ?? prompt
    const sizes = {
      fixed: estimateTokens(epoch ? measureFixed(epoch) : 0),
      first: estimateTokens(measureItems(itemsToSend(list), state.language)),
    }
    const fits = sizes.fixed + sizes.first <= (isMind ? room.usableTokens : room.firstBatchTokens)
    if (fits && !isRepeated) return { commands }
    if (isRepeated || snapshot === attempts.at(-1))
      return { fails: { code: 'context_full', details: { ...sizes, usable: room.usableTokens } } }
  }
  return { commands: [] }
}

function courseReason({ epoch, generations }: PromptState): CourseReason {
  if (epoch) return 'forced'
  return generations === 0 ? 'first' : 'upgrade'
}

/** Longer outputs of tools enter the list shortened. */
const resultChars = ({ usableTokens }: ContextRoom): number =>
  Math.max(resultLimits.wholeChars, Math.floor((usableTokens * resultLimits.wholePercent * contextLimits.bytesPerToken) / 100))

const emptySnapshot: Snapshot = { memories: null, taskdoc: null, reminders: [] }

/** Memories and task documents come from outside this dialog; people below member have no right to read those. */
export function readSnapshot(state: DialogState, source: PromptSource, room: ContextRoom): Snapshot {
  const { floor, language, taskdoc } = state
  const mayRead = isAtLeast(floor, 'member')
  const bytes = room.snapshotTokens * contextLimits.bytesPerToken
  const document = mayRead && taskdoc !== null ? cut(source.taskdoc(taskdoc, language), bytes, '; recall_taskdoc reads a section') : null
  const remainingBytes = bytes - Buffer.byteLength(document ?? '')
  const sections = mayRead && taskdoc !== null ? source.sections(taskdoc).map(({ name, hash }) => [name, hash] as const) : []
  return {
    memories: mayRead ? cut(source.memories(language), remainingBytes, '') : null,
    taskdoc: document,
    reminders: state.reminders.map(({ text }) => text),
    requestChars: room.requestTokens * contextLimits.bytesPerToken,
    ...(sections.length > 0 && { sections: Object.fromEntries(sections) }),
  }
}

/** A long text ends at a heading, with a line that says so. */
function cut(text: string | null, bytes: number, pointer: string): string | null {
  if (text === null || Buffer.byteLength(text) <= bytes) return text
  const head = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString('utf8')
  const heading = head.lastIndexOf('\n#')
  const excerpt = head
    .slice(0, heading > 0 ? heading : head.lastIndexOf('\n'))
    .toWellFormed()
    .trimEnd()
  return excerpt === '' ? null : `${excerpt}\n\n[… ${text.length - excerpt.length} characters left out${pointer}]`
}

/** System prompt and tools as they are now. */
function freeze(state: DialogState, agent: Agent, source: PromptSource): PromptEpoch {
  const team = [...source.teammates()]
  return { system: writeSystem(state, agent, source, team), tools: declaredTools(state, agent, team.length), team, maker: source.maker }
}

function writeSystem(state: DialogState, agent: Agent, source: PromptSource, team: PromptEpoch['team']): string {
  const { language } = state
  const facts: SystemFacts = {
    name: agent.name,
    about: source.about,
    persona: source.persona(language),
    language,
    answersIn: source.answersIn,
    variant: getVariant(state),
    team,
    notes: source.notes(language),
  }
  const cachedSystem = latestSystems.get(source)?.find((one) => isSameSystem(one.facts, facts))
  if (cachedSystem) return cachedSystem.text
  const text = systemPrompt(facts)
  latestSystems.set(source, [{ facts, text }, ...(latestSystems.get(source) ?? [])].slice(0, keptSystems))
  return text
}

/** Every turn compares the system prompt of its epoch with the present one, which is nearly always one of the last few. */
const latestSystems = new WeakMap<PromptSource, { facts: SystemFacts; text: string }[]>()
const keptSystems = 8

function isSameSystem(one: SystemFacts, other: SystemFacts): boolean {
  const { team, notes, ...rest } = one
  return (
    (Object.keys(rest) as (keyof typeof rest)[]).every((name) => rest[name] === other[name]) &&
    isSameTeam(team, other.team) &&
    notes.length === other.notes.length &&
    notes.every((note, at) => note === other.notes[at])
  )
}

function withinCourse(
  state: DialogState,
  prompt: PromptState,
  room: ContextRoom,
  fill: Exclude<Fill, { level: 'course' }>,
  scene: Scene,
): { commands: DialogCommand[] } {
  const { at } = scene
  const { level } = fill
  const notes = [...joinedNotes(state, prompt, scene), ...goneNotes(prompt, scene)]
  if (level === 'compact') notes.push({ kind: 'compacted' })
  else if (level === 'critical') notes.push({ kind: 'critical', steps: (prompt.criticalLeft ?? room.countdown + 1) - 1 })
  else if (level !== 'normal' && isCautionDue(prompt))
    notes.push({ kind: 'caution', used: estimateRequest(prompt, state.language), window: scene.source.window().windowTokens })
  const isMind = getVariant(state) === 'fresh-mind'
  return {
    commands: [
      ...newEpoch(state, prompt, room, scene),
      ...(level === 'compact' ? [fill.compaction] : []),
      ...(notes.length === 0 || isMind ? [] : [{ type: 'note-prompt' as const, at, notes }]),
    ],
  }
}

const isCautionDue = ({ cautionAt, generations }: PromptState): boolean =>
  cautionAt === null || generations - cautionAt >= contextLimits.cautionCadence

/** The open tool loop stays whole, however long it is: its results are the last ones, so that `most` leaves them out. */
function compact({ list: { items } }: PromptState, tokens: number, room: ContextRoom, at: number): DialogCommand | null {
  const { recentOutputs: keepOutputs, compactChars: longestChars } = resultLimits
  const loopStart = findLoopStart(items)
  const results = listCuttable(items, keepOutputs, longestChars).flatMap((index) => {
    const item = items[index]
    if (item?.kind !== 'result' || item.result.is !== 'outcome') return []
    const { tool, handle, result } = item
    return [{ tool, handle, text: result.text, isFailed: !result.ok, outputsAfter: keepOutputs, isProtected: index >= loopStart }]
  })
  const { chosen, tokensLeft } = planCompaction(results, tokens, room)
  const isOfUse = chosen.length > 0 && tokensLeft < room.criticalTokens
  return isOfUse ? { type: 'compact-prompt', at, cut: { keepOutputs, longestChars, most: chosen.length } } : null
}

/** A new teammate is named with the epoch that adds it to the system prompt; one that came back, at once. */
function joinedNotes(state: DialogState, { epoch, gone }: PromptState, { source }: Scene): Note[] {
  if (!epoch) return []
  const teamNames = new Set(epoch.team.map(({ name }) => name))
  return source
    .teammates()
    .filter(({ name }) => (teamNames.has(name) ? gone.includes(`@${name}`) : isTurnStart(state)))
    .map(({ name, about }): Note => ({ kind: 'team', change: 'joined', agent: name, about: about.trim().replace(/[.。]$/, '') }))
}

/** Tools and teammates that went away start no epoch: their declaration stays, calls are refused, and a note says so once. */
function goneNotes({ epoch, gone }: PromptState, { agent, source }: Scene): Note[] {
  if (!epoch) return []
  const mayBeGone = epoch.tools.filter(({ name }) => !isTreeTool(name) && !gone.includes(name))
  const tools = new Set(mayBeGone.length === 0 ? [] : agent.tools.map(({ name }) => name))
  const team = new Set(epoch.team.length === 0 ? [] : source.teammates().map(({ name }) => name))
  return [
    ...mayBeGone.flatMap(({ name }): Note[] => (tools.has(name) ? [] : [{ kind: 'tool-gone', tool: name }])),
    ...epoch.team.flatMap(({ name }): Note[] =>
      team.has(name) || gone.includes(`@${name}`) ? [] : [{ kind: 'team', change: 'left', agent: name }],
    ),
  ]
}

const isTurnStart = ({ turn }: DialogState): boolean => turn === null || turn.generations === 0

/** Only at the start of a turn: a tool loop keeps what it began with. */
function newEpoch(state: DialogState, { epoch }: PromptState, room: ContextRoom, { agent, source, at }: Scene): DialogCommand[] {
  if (!epoch || !isTurnStart(state)) return []
  const now = freeze(state, agent, source)
  const systemWithOldTeam = isSameTeam(epoch.team, now.team) ? now.system : writeSystem(state, agent, source, epoch.team)
  const why = epochReason(epoch, now, systemWithOldTeam)
  if (why === null) return []
  return [{ type: 'start-epoch', at, epoch: { why, ...now, resultChars: resultChars(room), offset: source.zoneOffset(at) } }]
}

function epochReason(before: PromptEpoch, now: PromptEpoch, systemWithOldTeam: string): EpochReason | null {
  if (before.maker !== now.maker) return 'model'
  if (systemWithOldTeam !== before.system) return 'persona'
  if (!isSameTeam(before.team, now.team)) {
    const aboutByName = new Map(before.team.map(({ name, about }) => [name, about]))
    if (now.team.some(({ name, about }) => aboutByName.get(name) !== about)) return 'team'
  }
  if (now.tools.every((tool, at) => tool === before.tools[at])) return null
  const declared = new Map(before.tools.map((tool) => [tool.name, tool]))
  return now.tools.some((tool) => !isSameTool(declared.get(tool.name), tool)) ? 'tools' : null
}

/** After a restart the declaration from the log is another object with the same text. */
const isSameTool = (before: PromptEpoch['tools'][number] | undefined, now: PromptEpoch['tools'][number]): boolean =>
  before === now || (before !== undefined && JSON.stringify(before) === JSON.stringify(now))

const isSameTeam = (one: PromptEpoch['team'], two: PromptEpoch['team']): boolean =>
  one.length === two.length && one.every(({ name, about }, at) => name === two[at]?.name && about === two[at].about)

/** Notes of plugins, once for a turn, and sections of the task document that others have changed. */
function newData(state: DialogState, { source, notes, at }: Scene): DialogCommand[] {
  const { prompt, taskdoc, floor } = state
  if (!prompt || getVariant(state) === 'fresh-mind') return []
  const lines = isTurnStart(state) && notes ? notes.lines : []
  const plugin = lines.map(({ plugin: name, text }): DialogCommand => ({ type: 'tell-prompt', at, told: { block: 'plugin', name, text } }))
  if (taskdoc === null || !isAtLeast(floor, 'member')) return plugin
  const own = ownSections(prompt)
  const changed = source
    .sections(taskdoc)
    .filter(({ name, hash, text }) => prompt.sections[name] !== hash && own.get(name) !== text)
    .map(({ name, hash, text }): DialogCommand => ({ type: 'tell-prompt', at, told: { block: 'task-document', name, text, hash } }))
  return [...plugin, ...changed]
}

/** The last text that the agent itself has written into each section in this course. */
function ownSections({ list }: PromptState): Map<string, string> {
  const written = new Map<string, string>()
  for (const item of list.items) {
    if (item.kind !== 'output') continue
    for (const part of item.parts) {
      if (part.type !== 'call' || part.name !== promptTools.changeMind) continue
      const { selector, category, content } = part.input as { selector?: unknown; category?: unknown; content?: unknown }
      if (typeof selector !== 'string' || typeof content !== 'string') continue
      const folder = typeof category === 'string' ? category.trim() : ''
      written.set(folder === '' ? selector.trim() : `${folder}/${selector.trim()}`, content)
    }
  }
  return written
}
