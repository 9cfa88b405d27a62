import { withWriters } from '../../authority/cause.ts'
import type { Author, Role } from '../../authority/roles.ts'
import { dialogTexts } from '../../words/index.ts'
import { type Details, type ErrorCode, refuse } from '../../errors.ts'
import type { GateRecord } from './approval.ts'
import { isCutByStop, withdrawApprovals } from './decide-approval.ts'
import { type AskedQuestion, askQuestion } from './decide-question.ts'
import { withTitle } from './decide-talk.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogEvent, Hold, RepeatPolicy, Spent, TurnCutReason, Usage } from './dialog-events.ts'
import { type DialogState, dialogLimits, type HealthLevel, needsTurn } from './dialog-state.ts'
import type { ShownMessage } from '../../chats/message/shown-message.ts'
import type { MessageFile } from './message-file.ts'
import type { OutputPart } from './prompt/prompt-items.ts'
import type { StoredPart } from './prompt/prompt-state.ts'
import { getCause } from './turn-cause.ts'

/** Sent by the driver alone, under the lease of the dialog's turn. */
export type TurnCommand =
  | { type: 'start-turn'; alone?: Hold }
  | { type: 'hold-dialog'; hold: Hold }
  | { type: 'notice-budget'; key: string; limit: number; percent: number }
  | { type: 'read-taskdoc'; role: Role; change: string; writers?: readonly Author[] }
  | {
      type: 'finish-generation'
      model: string | null
      usage: Usage
      seen?: number
      health?: HealthLevel
      spent?: Spent
      message: { id: string; text: string; shown?: ShownMessage } | null
      calls: ToolCall[]
      /** Of a model: its output in order, with the words of `message` and the calls of `calls`. */
      output?: readonly OutputPart[]
      promptTokens?: number
      questions: AskedQuestion[]
      title?: string
    }
  | { type: 'fail-generation'; code: ErrorCode; details: Details; retryAt: number | null; spent?: Spent }
  | { type: 'start-tool'; call: string }
  | { type: 'return-tool'; call: string; ok: boolean; output: unknown; files?: readonly MessageFile[] }
  | { type: 'finish-turn'; seen: number }
  | { type: 'fail-turn'; code: ErrorCode; details: Details; seen?: number; spent?: Spent; isFinal?: true; replyDueAt?: number }
  /** `unstarted` are calls that are certain not to have run. */
  | { type: 'stop-turn'; text: string | null; seen?: number; held?: Hold; unstarted?: readonly string[]; spent?: Spent }
  | { type: 'cut-turn'; why: TurnCutReason; spent?: Spent }

export type ToolCall = { call: string; name: string; input: unknown; policy: RepeatPolicy; gate?: GateRecord }

type Command<Type extends TurnCommand['type']> = Timed<Extract<TurnCommand, { type: Type }>>

export const turnDeciders: Deciders<TurnCommand> = {
  'start-turn': startTurn,
  'hold-dialog': (state, { at, hold }) => ({
    events: state.turn || state.held || !needsTurn(state) ? [] : [{ type: 'dialog.held', at, data: hold }],
  }),
  'notice-budget': (_state, { at, key, limit, percent }) => ({ events: [{ type: 'budget.noticed', at, data: { key, limit, percent } }] }),
  'read-taskdoc': (state, { at, role, change, writers }) => ({
    events: state.taskdocChange === change ? [] : [{ type: 'taskdoc.read', at, data: { role, change, ...withWriters(writers) } }],
  }),
  'finish-generation': finishGeneration,
  'fail-generation': failGeneration,
  'start-tool': startTool,
  'return-tool': (state, { at, call, ok, output, files = [] }) =>
    state.calls[call]
      ? { events: [{ type: 'tool.returned', at, data: { call, ok, output, ...(files.length > 0 ? { files } : {}) } }] }
      : refuse('turn_over'),
  'finish-turn': ({ turn }, { at, seen }) =>
    turn ? { events: [{ type: 'turn.finished', at, data: { turn: turn.turn, seen } }] } : refuse('turn_over'),
  'fail-turn': failTurn,
  'stop-turn': stopTurn,
  'cut-turn': ({ turn, turns }, { at, why, spent }) => ({
    events: [{ type: 'turn.cut', at, data: { turn: turn?.turn ?? turns, why, ...withSpent(spent) } }],
  }),
}

function startTurn(state: DialogState, { at, alone }: Command<'start-turn'>): Decision {
  if (state.turn) return { events: [] }
  if (!needsTurn(state)) return refuse('turn_over')
  if (state.latch && !alone && !state.stopRequested) return refuse('turn_over')
  const data = { turn: state.turns + 1, cause: getCause(state), ...(alone ? { alone } : {}) }
  return { events: [{ type: 'turn.started', at, data }] }
}

function finishGeneration(state: DialogState, command: Command<'finish-generation'>): Decision {
  const { at, model, usage, seen, health, spent, message, calls, questions, title, output, promptTokens } = command
  if (!state.turn) return refuse('turn_over')
  const { turn, generations } = state.turn
  const data = { turn, generation: generations + 1, model, usage, ...withSeen(seen), ...(health === undefined ? {} : { health }) }
  const events: DialogEvent[] = [
    {
      type: 'generation.finished',
      at,
      data: {
        ...data,
        ...withSpent(spent),
        ...(promptTokens !== undefined && { promptTokens }),
        ...(output && { output: toStored(output, message !== null && (message.shown?.words ?? message.text).trim() !== '') }),
      },
    },
  ]
  if (message !== null && message.text.trim() !== '') {
    const { id, text, shown } = message
    const by = { kind: 'agent' as const, name: state.agent }
    events.push({ type: 'message.said', at, data: { message: id, by, text, turn, via: null, ...(shown && { shown }) } })
  }
  const cause = getCause(state)
  for (const { call, name, input, policy, gate } of calls)
    events.push({ type: 'tool.called', at, data: { call, turn, name, input, policy, cause, ...(gate === undefined ? {} : { gate }) } })
  for (const question of questions) {
    const event = askQuestion(state, at, question)
    if ('refused' in event) return event
    events.push(event)
  }
  if (title === undefined || title.trim() === '' || state.titledBy === 'human') return { events }
  return withTitle(events, at, title.trim().slice(0, dialogLimits.titleChars).toWellFormed(), 'agent')
}

/** Words and calls are stored in their own events; blank words have none. */
const toStored = (output: readonly OutputPart[], hasMessage: boolean): StoredPart[] =>
  output.flatMap((part): StoredPart[] => {
    switch (part.type) {
      case 'reasoning':
        return [part]
      case 'words':
        return hasMessage ? [{ type: 'words', chars: part.text.length, ...(part.phase !== undefined && { phase: part.phase }) }] : []
      case 'call':
        return [{ type: 'call', call: part.call }]
    }
  })

function failGeneration({ turn }: DialogState, { at, code, details, retryAt, spent }: Command<'fail-generation'>): Decision {
  if (!turn) return refuse('turn_over')
  return { events: [{ type: 'generation.failed', at, data: { turn: turn.turn, code, details, retryAt, ...withSpent(spent) } }] }
}

function startTool(state: DialogState, { at, call }: Command<'start-tool'>): Decision {
  const open = state.calls[call]
  if (!open) return refuse('turn_over')
  return { events: open.isStarted ? [] : [{ type: 'tool.started', at, data: { call } }] }
}

function failTurn({ turn }: DialogState, command: Command<'fail-turn'>): Decision {
  if (!turn) return refuse('turn_over')
  const { at, code, details, seen, spent, isFinal, replyDueAt } = command
  const more = { ...(isFinal ? { isFinal } : {}), ...(replyDueAt === undefined ? {} : { replyDueAt }) }
  return {
    events: [{ type: 'turn.failed', at, data: { turn: turn.turn, code, details, ...withSeen(seen), ...withSpent(spent), ...more } }],
  }
}

/** Every call that the stop cuts gets a result, so that the agent knows about it and no call runs again unasked. */
function stopTurn(state: DialogState, command: Command<'stop-turn'>): Decision {
  if (!needsTurn(state)) return refuse('turn_over')
  const { at, seen, held, unstarted = [], spent } = command
  const text = command.text === null || command.text.trim() === '' ? null : command.text
  // A request to another dialog is not cut: its reply still comes.
  const requests = new Set(Object.values(state.pending).map(({ call }) => call))
  const cutCalls = Object.values(state.calls).filter((call) => isCutByStop(state, call) && !requests.has(call.call))
  const stoppedBy = held?.by ?? state.latch?.by ?? 'a person'
  const data = { turn: state.turn?.turn ?? state.turns, text, ...withSeen(seen), ...(held ? { held } : {}), ...withSpent(spent) }
  return {
    events: [
      ...withdrawApprovals(state, at, { kind: 'human', name: stoppedBy }),
      ...cutCalls.map(({ call }): DialogEvent => ({
        type: 'tool.returned',
        at,
        data: { call, ok: false, output: dialogTexts[state.language].callStopped(stoppedBy, !unstarted.includes(call)) },
      })),
      { type: 'turn.stopped', at, data },
    ],
  }
}

const withSpent = (spent: Spent | undefined): { spent?: Spent } => (spent === undefined ? {} : { spent })

const withSeen = (seen: number | undefined): { seen?: number } => (seen === undefined ? {} : { seen })
