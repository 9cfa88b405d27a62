import {
  type Closure,
  type ControlRecord,
  type ConversationControls,
  type Effect,
  endControlLimits,
  type PreparedControl,
} from './control-record.ts'
import { chooseLocale, type EndChoice, endToasts, type Locale, localeOfText, markerLabel, type ToastKind } from './labels.ts'

/** Pure: what is there and what happens give what is there next. Nothing is looked up, nothing is awaited. */

export type Tap = {
  /** Its place among all the platform told; null where it does not say: then what is taken in first was first. */
  update: number | null
  query: string
  chat: string
  message: string
  by: string
  at: number
  id: string
  choice: EndChoice
  /** The rows on the message now without ours, where the platform tells. */
  shown?: readonly (readonly object[])[]
}

export type TapOutcome = 'accepted' | 'repeat' | 'stale' | 'foreign' | 'duplicate'

type Controls = ConversationControls
type Rows = readonly (readonly object[])[]
type Strippable = { id: string; chat: string; message: string; above?: Rows | undefined }
type StripEffect = Extract<Effect, { does: 'strip' }>

const bounded = <T>(list: readonly T[], most: number): readonly T[] => (list.length > most ? list.slice(-most) : list)

const withRecord = (controls: Controls, changed: ControlRecord): Controls => ({
  ...controls,
  records: controls.records.map((record) => (record.id === changed.id ? { ...changed, rev: record.rev + 1 } : record)),
})

const getStrip = (record: Strippable, shown: Rows = record.above ?? []): StripEffect => ({
  key: `strip:${record.id}`,
  tries: 0,
  does: 'strip',
  chat: record.chat,
  message: record.message,
  shown,
})

/** Only the last effect on a message is kept: two would only cost two requests. */
const withEffects = (controls: Controls, ...effects: Effect[]): Controls => {
  const keys = new Set(effects.map(({ key }) => key))
  return { ...controls, effects: [...controls.effects.filter(({ key }) => !keys.has(key)), ...effects] }
}

const end = (controls: Controls, state: 'superseded' | 'expired', which: (record: ControlRecord) => boolean): Controls =>
  controls.records
    .filter((record) => record.state === 'offered' && which(record))
    .reduce((next, record) => withEffects(withRecord(next, { ...record, state }), getStrip(record)), controls)

/** Asked again for the same control, nothing changes. */
export function prepare(controls: Controls, control: PreparedControl): Controls {
  if (known(controls, control.id)) return controls
  return { ...controls, prepared: bounded([...controls.prepared, control], endControlLimits.preparedPerConversation) }
}

export const known = ({ records, prepared }: Controls, control: string): ControlRecord | PreparedControl | undefined =>
  records.find(({ id }) => id === control) ?? prepared.find(({ id }) => id === control)

/** The reply is there with its keyboard: it is the one that counts, whichever was offered before. */
export function offer(controls: Controls, id: string, message: string, at: number, expireAfterMs: number): Controls {
  const prepared = controls.prepared.find((one) => one.id === id)
  if (!prepared) return controls
  return add(
    end(controls, 'superseded', () => true),
    prepared,
    { message, state: 'offered', offeredAt: at, expiresAt: at + expireAfterMs },
  )
}

export function leaveUnattached(controls: Controls, id: string, message: string, at: number): Controls {
  const prepared = controls.prepared.find((one) => one.id === id)
  return prepared
    ? add(
        end(controls, 'superseded', () => true),
        prepared,
        { message, state: 'unattached', offeredAt: at, expiresAt: at },
      )
    : controls
}

function add(
  controls: Controls,
  prepared: PreparedControl,
  fields: Pick<ControlRecord, 'message' | 'state' | 'offeredAt' | 'expiresAt'>,
): Controls {
  const place = controls.prepared.findIndex((one) => one.id === prepared.id)
  // Earlier prepared controls without a message are over; on a known message their buttons are removed.
  const lost = controls.prepared
    .slice(0, place)
    .flatMap(({ id, chat, message, above }) => (message === undefined ? [] : [getStrip({ id, chat, message, above })]))
  const records = bounded([...controls.records, { ...prepared, ...fields, rev: 1 }], endControlLimits.recordsPerConversation)
  return withEffects({ ...controls, prepared: controls.prepared.slice(place + 1), records }, ...lost)
}

/** A message, identified by its update number or by a key of its own. */
export type Said = { text: string | null } & ({ update: number } | { update: null; key: string })

/** A message ends the offered controls. The next turn gets the choice made before it. */
export function type(controls: Controls, said: Said): Controls {
  const key = said.update === null ? `k:${said.key}` : `u:${said.update}`
  if (controls.seen.includes(key)) return controls
  // A choice that was made after this was written does not belong to the turn it starts.
  const isEarlier = controls.closure.state !== 'open' && controls.choiceUpdate < (said.update ?? Infinity)
  const unread = controls.carried && controls.carried.turn === undefined ? controls.carried : null
  return {
    ...end(controls, 'superseded', () => true),
    // A reply in transit may still arrive; one lost in a crash is outdated from now on.
    prepared: controls.prepared.map((one) => ({ ...one, isWrittenAfter: true })),
    seen: bounded([...controls.seen, key], endControlLimits.seenPerConversation),
    closure: { state: 'open' },
    carried: isEarlier ? { closure: controls.closure } : unread,
    isTextLatest: true,
    lastScript: (said.text === null ? null : localeOfText(said.text)) ?? controls.lastScript,
  }
}

export function expire(controls: Controls, now: number): Controls {
  return end(controls, 'expired', (record) => record.expiresAt <= now)
}

export type SettledChoice = Required<Pick<ControlRecord, 'turn' | 'choice' | 'by' | 'at'>>

/** Choices of this conversation, by reply. */
export const choicesIn = ({ records }: Controls): SettledChoice[] =>
  records.flatMap(({ state, turn, choice, by, at }) =>
    (state === 'continued' || state === 'stopped') && choice !== undefined && by !== undefined && at !== undefined
      ? [{ turn, choice, by, at }]
      : [],
  )

/** The same replies were decided where they are shown too: what is still offered for them here is decided with them. */
export function settle(controls: Controls, chosen: readonly SettledChoice[], { marker }: { marker: boolean }): Controls {
  const byTurn = new Map(chosen.map((one) => [one.turn, one]))
  const settled = controls.records.reduce((next, record) => {
    const match = record.state === 'offered' ? byTurn.get(record.turn) : undefined
    if (!match) return next
    const { choice, by, at } = match
    const state = choice === 'continue' ? 'continued' : 'stopped'
    return withEffects(
      withRecord(next, { ...record, state, choice, by, at }),
      getStrip(record, shownAfter(record, record.above ?? [], choice, marker)),
    )
  }, controls)
  // One that is still on its way is outdated when it is tapped before its receipt is here.
  const isLate = ({ turn, isWrittenAfter }: PreparedControl): boolean => isWrittenAfter !== true && byTurn.has(turn)
  if (!settled.prepared.some(isLate)) return settled
  return { ...settled, prepared: settled.prepared.map((one) => (isLate(one) ? { ...one, isWrittenAfter: true } : one)) }
}

const shownAfter = ({ locale }: ControlRecord, rows: Rows, choice: EndChoice, marker: boolean): Rows =>
  marker ? [...rows, [{ text: markerLabel(locale, choice), disabled: {} }]] : rows

/** `effects`: what to do now. When `controls` did not change there is nothing to keep: such a tap leaves no trace. */
export type Tapped = { controls: Controls; outcome: TapOutcome; effects: readonly Effect[] }

export function tap(given: Controls, made: Tap, options: { marker: boolean; expireAfterMs: number; fallback: Locale }): Tapped {
  const keys = [`q:${made.query}`, ...(made.update === null ? [] : [`t:${made.update}`])]
  if (given.seen.some((key) => keys.includes(key))) return { controls: given, outcome: 'duplicate', effects: given.effects }
  const controls = given.records.some(({ id }) => id === made.id) ? given : adopt(given, made, options.expireAfterMs)
  const record = controls.records.find(({ id }) => id === made.id)
  const locale = record?.locale ?? chooseLocale(given, options.fallback)
  const toast = (kind: ToastKind): Effect => toastEffect(made.query, locale, kind)
  const finishTap = (next: Controls, outcome: TapOutcome, ...effects: Effect[]): Tapped => {
    const seenKeys = bounded([...next.seen, ...keys], endControlLimits.seenPerConversation)
    const changed = withEffects({ ...next, seen: seenKeys }, ...effects)
    return { controls: changed, outcome, effects: changed.effects }
  }

  if (!record || record.chat !== made.chat || record.message !== made.message) {
    // Made here and for this chat, but it is no longer stored: its buttons have no effect. Never those of the live control.
    const isForgotten = !record && made.shown !== undefined && live(given)?.message !== made.message
    const strip = isForgotten ? [getStrip(made, made.shown)] : []
    return { controls: given, outcome: 'stale', effects: [toast('stale'), ...strip] }
  }
  if (record.asker !== undefined && record.asker !== made.by) return { controls: given, outcome: 'foreign', effects: [toast('foreign')] }
  const strip = getStrip(record, made.shown ?? record.above ?? [])
  if (record.state !== 'offered') {
    const outcome = record.choice === made.choice && (record.state === 'continued' || record.state === 'stopped') ? 'repeat' : 'stale'
    // Tapped before something was written, but taken in after it: kept as history, without any effect.
    const isHistory = record.state === 'superseded' && record.choice === undefined && wasBeforeText(controls, made.update)
    if (isHistory)
      return finishTap(withRecord(controls, { ...record, choice: made.choice, by: made.by, at: made.at }), outcome, toast(outcome), strip)
    return { controls: given, outcome, effects: [toast(outcome), strip] }
  }
  if (record.expiresAt <= made.at) return finishTap(withRecord(controls, { ...record, state: 'expired' }), 'stale', toast('stale'), strip)
  if (controls.records.at(-1)?.id !== record.id)
    return finishTap(withRecord(controls, { ...record, state: 'superseded' }), 'stale', toast('stale'), strip)

  const { choice, by, at } = made
  const { turn, id: control } = record
  const shownRows = shownAfter(record, strip.shown, choice, options.marker)
  const chosen = withRecord(controls, { ...record, state: choice === 'continue' ? 'continued' : 'stopped', choice, by, at })
  const closure: Closure = { state: choice === 'continue' ? 'continue' : 'closed', choice, by, at, turn }
  const event: Effect = { key: `end-choice:${control}`, tries: 0, does: 'end-choice', control, turn, choice, by, at }
  const next = { ...chosen, closure, choiceUpdate: made.update ?? 0, isTextLatest: record.isWrittenAfter === true }
  return finishTap(next, 'accepted', toast(choice), { ...strip, shown: shownRows }, event)
}

/** The toast for a tap on an unknown control. */
export const toastEffect = (query: string, locale: Locale, kind: ToastKind): Extract<Effect, { does: 'toast' }> => ({
  key: `toast:${query}`,
  tries: 0,
  does: 'toast',
  query,
  text: endToasts[locale][kind],
})

/** The toast of an earlier tap, for a repeat that arrives after the first was forgotten. */
export function saidBefore({ records, ...given }: Controls, { id, choice, by }: Tap, fallback: Locale): string {
  const record = records.find((one) => one.id === id)
  const isTheOne = record?.choice === choice && record.by === by && (record.state === 'continued' || record.state === 'stopped')
  return endToasts[record?.locale ?? chooseLocale(given, fallback)][isTheOne ? choice : 'stale']
}

/** Sent, but the receipt was lost in a crash: the tap itself proves that it arrived, and where. */
function adopt(controls: Controls, made: Tap, expireAfterMs: number): Controls {
  const lost = controls.prepared.find(({ id }) => id === made.id)
  // A tap by another person changes nothing and is not recorded.
  if (!lost || lost.chat !== made.chat) return controls
  const offered = offer(controls, made.id, made.message, made.at, expireAfterMs)
  return lost.isWrittenAfter === true ? end(offered, 'superseded', ({ id }) => id === made.id) : offered
}

const wasBeforeText = ({ seen }: Controls, update: number | null): boolean =>
  update !== null && seen.some((key) => key.startsWith('u:') && Number(key.slice(2)) > update)

/**
 * A turn receives the choice made before the message that started it, once; a turn without a message receives the latest
 * choice. A second call for the same turn returns the same.
 */
export function beginTurn(controls: Controls, turn: string): { controls: Controls; closure: Closure } {
  const { carried, closure, isTextLatest = false } = controls
  if (carried?.turn === turn) return { controls, closure: carried.closure }
  const closureNote = carried && carried.turn === undefined ? carried.closure : isTextLatest ? open : closure
  return closureNote.state === 'open'
    ? { controls, closure: open }
    : { controls: { ...controls, carried: { closure: closureNote, turn } }, closure: closureNote }
}

const open: Closure = { state: 'open' }

export const live = (controls: Controls): ControlRecord | undefined => controls.records.find(({ state }) => state === 'offered')
