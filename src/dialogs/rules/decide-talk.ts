import type { Language } from '../../shapes/language.ts'
import type { Author } from '../../authority/roles.ts'
import { refuse } from '../../errors.ts'
import type { Decision, Deciders, Timed } from './dialog-decision.ts'
import type { DialogEvent, Origin, Participant, PushChange, Via } from './dialog-events.ts'
import { type DialogState, dialogLimits, isAtRest, isFinished } from './dialog-state.ts'
import { eventAuthor } from './event-author.ts'
import { fileLimits, type MessageFile } from './message-file.ts'

/** Commands of people about the dialog itself, without another effect. */
export type NoteCommand =
  | ListCommand
  | { type: 'title-dialog'; title: string; by: 'human' | 'agent' }
  /** One of the models of its agent; null: the usual one. */
  | { type: 'choose-model'; model: string | null; by: Participant; via?: Via }
  /** The section is replaced already. */
  | { type: 'note-taskdoc'; section: string; by: Participant; via?: Via }
  /** `continues`: a dialog at rest begins a turn with the first of its new pushes. */
  | { type: 'change-pushes'; change: PushChange; by: Participant; via?: Via; continues?: boolean }

export type ListCommand =
  | { type: 'pin-dialog'; isPinned: boolean; by: Participant; via?: Via }
  | { type: 'archive-dialog'; isArchived: boolean; by: Participant; via?: Via }

export type TalkCommand =
  | NoteCommand
  | { type: 'open-dialog'; agent: string; by: Participant; language: Language; title?: string; origin?: Origin; taskdoc?: string }
  /** In the commit that opens the dialog. */
  | ({ type: 'branch-dialog'; via?: Via } & Omit<Extract<DialogEvent, { type: 'dialog.branched' }>['data'], 'via'>)
  | {
      type: 'say'
      message: string
      text: string
      by: Participant
      via?: Via
      authors?: readonly Author[]
      files?: readonly MessageFile[]
    }
  /** A person taps a control of a message of the agent, which says `text`. */
  | { type: 'tap-control'; message: string; of: string; value: string; text: string; isReusable: boolean; by: Participant; via?: Via }
  /** `upTo`: the last event that the person has seen. */
  | { type: 'trust-dialog'; by: Participant; via?: Via; upTo: number }
  /** Its events up to `events` are in the file; they are removed with the commit of this. */
  | { type: 'retire-dialog'; file: string; root: string; events: number }
  /** Its events up to `events`, and the rows that follow from them, are removed with the commit of this. */
  | { type: 'delete-dialog'; root: string; events: number; files: readonly string[]; by: Participant; via?: Via }

type Said = Extract<DialogEvent, { type: 'message.said' }>['data']

export const talkDeciders: Deciders<TalkCommand> = {
  'open-dialog': openDialog,
  'branch-dialog': branchDialog,
  say,
  'tap-control': tapControl,
  'title-dialog': (_state, { at, title, by }) => withTitle([], at, title, by),
  'pin-dialog': (state, { at, isPinned, by, via = null }) => ({
    events: state.isPinned === isPinned ? [] : [{ type: 'dialog.pinned', at, data: { isPinned, by, via } }],
  }),
  'archive-dialog': (state, { at, isArchived, by, via = null }) => ({
    events: state.isArchived === isArchived ? [] : [{ type: 'dialog.archived', at, data: { isArchived, by, via } }],
  }),
  'note-taskdoc': (_state, { at, section, by, via = null }) => ({ events: [{ type: 'taskdoc.changed', at, data: { section, by, via } }] }),
  'choose-model': (state, { at, model, by, via = null }) => ({
    events: state.model === model ? [] : [{ type: 'model.chosen', at, data: { model, by, via } }],
  }),
  'change-pushes': changePushes,
  'trust-dialog': trustDialog,
  'retire-dialog': retireDialog,
  'delete-dialog': deleteDialog,
}

function openDialog(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'open-dialog' }>>): Decision {
  if (state.seq > 0) return refuse('dialog_exists', { dialog: '' })
  const { at, agent, by, language, origin, taskdoc, title } = command
  const data = { agent, by, language, ...(origin ? { origin } : {}), ...(taskdoc === undefined ? {} : { taskdoc }) }
  const opened: DialogEvent = { type: 'dialog.opened', at, data }
  return title === undefined ? { events: [opened] } : withTitle([opened], at, title, 'human')
}

function branchDialog(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'branch-dialog' }>>): Decision {
  if (state.turns > 0 || state.spokenSeq > 0) return refuse('dialog_exists', { dialog: '' })
  const { at, from, message, messages, floor, writers, by, via = null } = command
  return { events: [{ type: 'dialog.branched', at, data: { from, message, messages, floor, writers, by, via } }] }
}

function say(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'say' }> & Pick<Said, 'tap'>>): Decision {
  const { at, text, message, by, via, authors, files = [], tap } = command
  if (text.trim() === '' && files.length === 0) return refuse('empty_text', { field: 'text' })
  if (files.length > fileLimits.filesPerMessage) return refuse('too_many_files', { limit: fileLimits.filesPerMessage })
  if (text.length > dialogLimits.textChars)
    return refuse('text_too_long', { field: 'text', length: text.length, limit: dialogLimits.textChars })
  if (state.waitingMessages >= dialogLimits.waitingMessages) return refuse('too_many_waiting', { count: state.waitingMessages })
  const events: DialogEvent[] = [
    {
      type: 'message.said',
      at,
      data: {
        message,
        by,
        text,
        turn: null,
        via: via ?? null,
        ...(authors ? { authors } : {}),
        ...(files.length > 0 ? { files } : {}),
        ...(tap && { tap }),
      },
    },
  ]
  const title = firstWords(text.trim() === '' ? (files[0]?.name ?? '') : text)
  if (state.titledBy === null) events.push({ type: 'dialog.titled', at, data: { title, by: 'first-words' } })
  return { events }
}

/** The first tap counts, on whatever surface; a control that stays can be tapped again. */
function tapControl(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'tap-control' }>>): Decision {
  const { at, message, of, value, text, isReusable, by, via } = command
  const shownMessage = state.shown.find((one) => one.message === of)
  if (!shownMessage) return refuse('control_unknown')
  if (shownMessage.used && !isReusable)
    return refuse('control_used', { by: shownMessage.used.by, at: new Date(shownMessage.used.at).toISOString() })
  const tap = { message: of, value, ...(isReusable && { isReusable: true as const }) }
  return say(state, { type: 'say', at, message, text, by, ...(via !== undefined && { via }), tap })
}

function trustDialog(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'trust-dialog' }>>): Decision {
  const { at, by, via = null, upTo } = command
  if (eventAuthor(by, via).role !== 'owner') return refuse('owner_only')
  if (upTo > state.seq) return refuse('event_not_reached', { upTo, last: state.seq })
  if (state.floor === 'owner') return { events: [] }
  if (state.loweredSeq > upTo) return refuse('unseen_text', { upTo, seq: state.loweredSeq })
  return { events: [{ type: 'dialog.trusted', at, data: { by, via, upTo } }] }
}

function retireDialog(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'retire-dialog' }>>): Decision {
  const { at, file, root, events } = command
  if (!isFinished(state) || state.seq !== events) return refuse('dialog_unfinished')
  const { agent, title, language, openedAt, updatedAt, origin, spent, isDead, isArchived } = state
  return {
    events: [
      {
        type: 'dialog.retired',
        at,
        data: { file, root, events, agent, title, language, openedAt, updatedAt, origin, spent, isDead, isArchived },
      },
    ],
  }
}

function deleteDialog(state: DialogState, command: Timed<Extract<TalkCommand, { type: 'delete-dialog' }>>): Decision {
  const { at, root, events, files, by, via = null } = command
  if (!isAtRest(state) || state.seq !== events) return refuse('dialog_working')
  return { events: [{ type: 'dialog.deleted', at, data: { root, events, files, by, via } }] }
}

function changePushes(state: DialogState, command: Timed<Extract<NoteCommand, { type: 'change-pushes' }>>): Decision {
  const { at, change, by, via = null, continues = false } = command
  const isSame = change === 'refill' ? state.pushes === 0 : state.arePushesOff === (change === 'off')
  if (isSame) return { events: [] }
  const changed: DialogEvent = { type: 'pushes.changed', at, data: { change, by, via } }
  return { events: continues ? [changed, { type: 'dialog.continued', at, data: { by, via } }] : [changed] }
}

export function withTitle(events: DialogEvent[], at: number, title: string, by: 'human' | 'agent'): Decision {
  const trimmed = title.trim()
  if (trimmed === '') return refuse('empty_text', { field: 'title' })
  if (trimmed.length > dialogLimits.titleChars)
    return refuse('text_too_long', { field: 'title', length: trimmed.length, limit: dialogLimits.titleChars })
  return { events: [...events, { type: 'dialog.titled', at, data: { title: trimmed, by } }] }
}

/** The title until a better one is set: the first line, cut between words at about 60 characters. */
export function firstWords(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  if (line.length <= 60) return line
  const cut = line.slice(0, 60).toWellFormed().replace(/�$/, '')
  const space = cut.lastIndexOf(' ')
  return `${space > 30 ? cut.slice(0, space) : cut}…`
}
