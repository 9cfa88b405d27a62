import { dialogTexts } from '../../words/index.ts'
import type { DialogSummary } from '../../shapes/wire.ts'
import { eventAuthor } from '../rules/event-author.ts'
import type { Cause } from '../../authority/cause.ts'
import type { DialogCommand } from '../rules/decide-dialog.ts'
import { buildVia, type Participant } from '../rules/dialog-events.ts'
import { type DialogState, isDue, getStatus } from '../rules/dialog-state.ts'
import { sessionKey, treeLimits } from '../rules/tellask.ts'
import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Caller, Parley } from '../../shapes/parley.ts'
import type { Store, ViewRow } from '../../ports/store.ts'
import { asking, askingAll } from '../../streams/asking.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { builderView, dialogView, rootView, sideView } from '../rows/dialog-rows.ts'
import type { EmergencyControl } from './emergency-control.ts'
import { latchOver } from './latches.ts'

export const treeControlLimits = { rowsPage: 200, sidesRead: 20_000, stopsAtOnce: 50 } as const

type Parts = {
  store: Store
  dialogs: StreamHandler<DialogState, DialogCommand>
  emergency: EmergencyControl
  clock: Clock
}

type Order = { stream: string; commands: DialogCommand[] }

export type TreeControl = Pick<Parley['dialogs'], 'stopAll' | 'resumeAll'> & {
  stop(dialog: string, caller: Caller): Promise<void>
  resume(dialog: string, caller: Caller): Promise<void>
  abandon(dialog: string, note: string | undefined, caller: Caller): Promise<void>
}

const busy = new Set(['working', 'stopping', 'waiting', 'delegated'])

/** Stop, Continue and giving up, for a dialog with everything below it. */
export function treeControl({ store, dialogs, emergency, clock }: Parts): TreeControl {
  const ask = asking(store, dialogs, 'dialog')
  const askAll = askingAll(store, dialogs, 'dialog')
  const nothing = (): null => null

  async function getState(dialog: string): Promise<DialogState> {
    const state = await dialogs.load(dialog)
    if (state.seq === 0) throw new ParleyError('dialog_not_found', { dialog })
    return state
  }

  /** The side dialogs below a dialog, those that were opened last first. */
  async function sidesBelow(dialog: string, state: DialogState): Promise<ViewRow[]> {
    const root = state.origin?.root ?? dialog
    const rows = await everyRow(store, { view: sideView, group: root })
    if (root === dialog) return rows
    const parents = new Map(rows.map((row) => [row.key, getBody(row).origin?.parent]))
    const isBelow = (side: string): boolean => {
      let at = parents.get(side)
      for (let level = 0; at !== undefined && level <= rows.length; level += 1) {
        if (at === dialog) return true
        at = parents.get(at)
      }
      return false
    }
    return rows.filter(({ key }) => isBelow(key))
  }

  /**
   * The latch is committed first; from then on no turn and no side dialog starts below it. Turns that run are ended by the
   * driver of their process; telling each of them as well ends answers to people and shows who is stopping.
   */
  async function latch(dialog: string, caller: Caller): Promise<number> {
    const { by, via } = caller
    const wasDue = isDue(await getState(dialog))
    await ask(dialog, () => [{ type: 'latch-dialog', at: clock.now(), by, via }], caller, nothing)
    let count = wasDue ? 1 : 0
    const working = (await sidesBelow(dialog, await getState(dialog))).filter((row) => getBody(row).status === 'working')
    for (let from = 0; from < working.length; from += treeControlLimits.stopsAtOnce) {
      const outcomes = await Promise.all(working.slice(from, from + treeControlLimits.stopsAtOnce).map((row) => stopSide(row.key)))
      count += outcomes.filter(Boolean).length
    }
    return count

    async function stopSide(side: string): Promise<boolean> {
      let isTold = false
      const handled = await dialogs.handleAll(async (load) => {
        const now = await load(side)
        // Not once the latch is lifted: nothing would continue it.
        isTold = (await load(dialog)).latch !== null && isDue(now) && !now.isDead
        return { orders: isTold ? [{ stream: side, commands: [{ type: 'request-stop', at: clock.now(), by, via }] }] : [] }
      })
      return handled.ok && isTold
    }
  }

  const hasWork = async (dialog: string, state: DialogState): Promise<boolean> =>
    !['ready', 'failed'].includes(getStatus(state)) || (await sidesBelow(dialog, state)).some((row) => busy.has(getBody(row).status))

  /** Lifts the latch here and all those below, and continues what they held back, in one commit. */
  async function lift(dialog: string, caller: Caller): Promise<void> {
    const { by, via } = caller
    const stop = await emergency.current()
    if (stop) throw new ParleyError('all_stopped', { by: stop.by, at: new Date(stop.at).toISOString() })
    const state = await getState(dialog)
    if (state.origin) {
      const above = await latchOver(state.origin.parent, await dialogs.load(state.origin.parent), dialogs.load)
      if (above?.dialog) throw new ParleyError('stopped_above', { dialog, above: above.dialog, by: above.by })
    }
    await askAll(
      dialog,
      async (load) => {
        const top = await load(dialog)
        const stoppedSides = (await sidesBelow(dialog, top)).filter((row) => getBody(row).stop)
        const orders: Order[] = []
        const at = clock.now()
        for (const { key } of stoppedSides)
          if (!(await load(key)).isDead) orders.push({ stream: key, commands: [{ type: 'lift-stop', at, by, via }] })
        // Where only stops further down are lifted, the dialog itself has nothing to continue.
        if (top.latch || top.held || top.rest !== 'ready' || stoppedSides.length === 0)
          orders.unshift({ stream: dialog, commands: [{ type: 'continue-dialog', at, by, via }] })
        return { orders }
      },
      caller,
      nothing,
    )
  }

  /** Counts what it continues. `released` are dialogs that a lifted emergency stop held: some of them run already. */
  async function resumeTree(
    root: string,
    rows: readonly ViewRow[],
    caller: Caller,
    released: ReadonlySet<string> = new Set(),
  ): Promise<number> {
    const { by, via } = caller
    const rested = rows.filter((row) => ['stopped', 'failed'].includes(getBody(row).status))
    const isHeld = rows.some((row) => getBody(row).stop)
    const isOfBuild = rootView(root) === builderView
    // A latch that a build has set at its end stays: nothing would be done with the work.
    if (isOfBuild && (await dialogs.load(root)).latch?.via === buildVia) return 0
    if (isHeld) await lift(root, { by, via }).catch(unlessRefused)
    const heldKeys = new Set([...released, ...rested.filter((row) => getBody(row).stop).map(({ key }) => key)])
    let count = rows.filter(({ key }) => heldKeys.has(key)).length
    for (const row of isOfBuild ? [] : rested) {
      if (getBody(row).stop) continue
      const handled = await dialogs.handle(row.key, [{ type: 'continue-dialog', at: clock.now(), by, via }])
      if (handled.ok && handled.events.length > 0 && !heldKeys.has(row.key)) count += 1
    }
    return count
  }

  async function toRows(root: string): Promise<ViewRow[]> {
    const top = await store.row(rootView(root), root)
    return [...(top ? [top] : []), ...(await everyRow(store, { view: sideView, group: root }))]
  }

  /** Every root with its side dialogs. Read as a whole before anything changes: what is written to moves in the list. */
  async function everyTree(): Promise<Map<string, ViewRow[]>> {
    const roots = (await Promise.all([dialogView, builderView].map((view) => everyRow(store, { view })))).flat()
    const trees = new Map(roots.map((row) => [row.key, [row]]))
    for (const row of await everyRow(store, { view: sideView })) trees.get(row.group)?.push(row)
    return trees
  }

  /** Dialogs that the emergency stop holds. Some of them have noted it, others are about to. */
  async function listHeld(): Promise<ReadonlySet<string>> {
    const rows = [...(await everyTree()).values()].flat()
    const isHeld = ({ status, stop }: DialogSummary): boolean => status === 'working' || stop?.in === null
    return new Set(rows.filter((row) => isHeld(getBody(row))).map(({ key }) => key))
  }

  return {
    async stop(dialog, caller) {
      const state = await getState(dialog)
      if (!state.isDead && !(await hasWork(dialog, state))) throw new ParleyError('nothing_to_stop', { dialog })
      await latch(dialog, caller)
    },
    resume: lift,
    async stopAll(caller, root) {
      if (root !== undefined) {
        const state = await getState(root)
        return { count: (await hasWork(root, state)) ? await latch(root, caller) : 0 }
      }
      await emergency.set(caller, clock.now())
      return { count: (await listHeld()).size }
    },
    async resumeAll(caller, root) {
      if (root !== undefined) {
        const stop = await emergency.current()
        if (stop) throw new ParleyError('all_stopped', { by: stop.by, at: new Date(stop.at).toISOString() })
        await getState(root)
        return { count: await resumeTree(root, await toRows(root), caller) }
      }
      // Read first: what the stop holds starts as soon as it is lifted, and does not look held any more.
      const released = (await emergency.current()) ? await listHeld() : undefined
      await emergency.lift(caller, clock.now())
      let count = 0
      for (const [each, rows] of await everyTree()) count += await resumeTree(each, rows, caller, released)
      return { count }
    },
    async abandon(dialog, note, caller) {
      const state = await getState(dialog)
      if (state.origin === null) throw new ParleyError('root_cannot_die', { dialog })
      const below = await sidesBelow(dialog, state)
      // Too many for one commit: stopped first, then given up from the leaves upwards. A crash leaves it stopped, not half alive.
      if (below.length >= treeLimits.deathsPerCommit) {
        await latch(dialog, { by: caller.by, via: caller.via })
        for (let from = 0; from < below.length; from += treeLimits.deathsPerCommit) {
          const some = below.slice(from, from + treeLimits.deathsPerCommit).map(({ key }) => key)
          await writeDeaths(() => Promise.resolve(some), undefined)
        }
      }
      await writeDeaths(async (now) => [dialog, ...(await sidesBelow(dialog, now)).map(({ key }) => key)], note)

      async function writeDeaths(which: (now: DialogState) => Promise<string[]>, why: string | undefined): Promise<void> {
        const handled = await dialogs.handleAll(async (load) => ({
          orders: await planDeaths(await which(await load(dialog)), dialog, why, caller.by, clock.now(), load),
        }))
        if (!handled.ok && handled.why === 'refused') throw new ParleyError(handled.refusal.code, { dialog, ...handled.refusal.details })
      }
    },
  }
}

const getBody = (row: ViewRow): DialogSummary => row.body as DialogSummary

const unlessRefused = (error: unknown): void => {
  if (!(error instanceof ParleyError) || error.code !== 'nothing_to_continue') throw error
}

async function everyRow(store: Store, query: { view: string; group?: string }): Promise<ViewRow[]> {
  const rows: ViewRow[] = []
  while (query.group === undefined || rows.length < treeControlLimits.sidesRead) {
    const last = rows.at(-1)
    const sideRows = await store.rows({
      ...query,
      limit: treeControlLimits.rowsPage,
      ...(last ? { before: { sort: last.sort, key: last.key } } : {}),
    })
    rows.push(...sideRows)
    if (sideRows.length < treeControlLimits.rowsPage) return rows
  }
  return rows
}

/**
 * Everything the deaths of these dialogs change, for one commit: the dialogs themselves, their names in the root, and one
 * failed reply to each caller that lives on.
 */
async function planDeaths(
  dying: readonly string[],
  top: string,
  note: string | undefined,
  by: Participant,
  at: number,
  load: (stream: string) => Promise<DialogState>,
): Promise<Order[]> {
  const deaths: Order[] = []
  const others: Order[] = []
  const isDying = new Set(dying)
  for (const dialog of dying) {
    const state = await load(dialog)
    if (state.isDead || state.origin === null) continue
    deaths.push({ stream: dialog, commands: [{ type: 'declare-dead', at, by, ...(note !== undefined && dialog === top ? { note } : {}) }] })
    const { root, session } = state.origin
    if (session !== null && (await load(root)).sessions[sessionKey(state.agent, session)] === dialog)
      others.push({ stream: root, commands: [{ type: 'drop-session', at, agent: state.agent, session }] })
    for (const { tellask, from } of state.assignments) {
      if (isDying.has(from) || (await load(from)).isDead) continue
      others.push({
        stream: from,
        commands: [
          {
            type: 'receive-reply',
            at,
            tellask,
            outcome: 'dead',
            text: dialogTexts[state.language].declaredDead(state.agent, state.origin.session, note),
            ...noteCause(note, by),
          },
        ],
      })
    }
  }
  return [...deaths, ...others]
}

/** The caller's agent reads the note, so its author counts there as the author of a message does. */
function noteCause(note: string | undefined, by: Participant): { cause?: Cause } {
  if (note === undefined) return {}
  const author = eventAuthor(by, null)
  return { cause: { by: [author], role: author.role, origin: 'message' } }
}
