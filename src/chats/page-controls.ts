import { ParleyError } from '../errors.ts'
import { decodeAction, encodeAction } from './message/action-value.ts'
import { type Channel, plainAddresses } from '../ports/channel.ts'
import type { Hooks } from '../ports/hooks.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import { webRenderer } from './channels/web/render.ts'

/** A button that a plugin puts below the last reply on the page. */
export type PageControl = { label: string; data: string }

/** Controls of plugins on the page. They are prepared when the page asks, so a dialog that is not open costs nothing. */
export type PageControls = {
  /** Controls below the last reply; none while the agent works or a question is open. */
  of(dialog: string): Promise<{ turn: number; rows: PageControl[][] }>
  tap(dialog: string, turn: number, data: string, caller: Caller): Promise<{ toast: string | null; isTaken?: boolean }>
}

const pageChannel = 'web'

export function pageControls(parts: {
  parley: Pick<Parley, 'dialogs'>
  store: Store
  hooks: Pick<Hooks, 'prepareReply' | 'replyDelivered' | 'tapped' | 'actionTapped'>
  now: () => number
  newId: () => string
}): PageControls {
  const { parley, store, hooks, now, newId } = parts
  const web = pageAsChannel()
  const controls: PageControls = {
    async of(dialog) {
      const detail = await parley.dialogs.get(dialog)
      const { status, turns: turn, agent, language, origin } = detail
      if (status !== 'ready' || origin !== null || turn === 0) return { turn, rows: [] }
      const place = { dialog, turn, channel: pageChannel, kind: pageChannel, address: dialog }
      const { presentation } = await hooks.prepareReply({
        ...place,
        agent,
        language,
        isPrivate: true,
        asker: null,
        hasButtons: true,
        message: { text: detail.preview },
      })
      const rows = (presentation?.blocks ?? []).flatMap((block) =>
        block.type === 'buttons'
          ? block.buttons.flatMap(({ label, value, action }) => {
              const data = action?.type === 'callback' ? action.value : action?.type === 'plugin' ? encodeAction(action) : value
              return data === undefined ? [] : [[{ label, data }]]
            })
          : [],
      )
      if (rows.length > 0) await hooks.replyDelivered({ ...place, delivery: '', messageIds: [toMessage(turn)] })
      return { turn, rows }
    },
    async tap(dialog, turn, data, caller) {
      const order = await store.position()
      const key = caller.once?.key ?? newId()
      const from = { id: caller.by.name, name: caller.by.name }
      const decoded = decodeAction(data)
      const action = 'action' in decoded ? decoded.action : null
      if (action?.type === 'plugin') {
        // Only what is shown there now: a caller may send any data.
        const shown = await controls.of(dialog)
        if (shown.turn !== turn || !shown.rows.flat().some((one) => one.data === data)) throw new ParleyError('control_unknown')
        const { plugin, value } = action
        const at = { channel: pageChannel, kind: pageChannel, address: dialog, messageId: toMessage(turn), dialog }
        const outcome = await hooks.actionTapped({ plugin, value, ...at, tap: `tap:${key}`, from, isPrivate: true })
        if (!outcome) throw new ParleyError('control_unknown')
        await outcome.act()
        return { toast: outcome.toast, ...(outcome.isTaken !== undefined && { isTaken: outcome.isTaken }) }
      }
      const claimed = await hooks.tapped({
        channel: web,
        kind: pageChannel,
        tap: {
          type: 'tap',
          id: `tap:${key}`,
          tap: { data: {}, expiresAt: 0 },
          order,
          address: dialog,
          isPrivate: true,
          from,
          at: now(),
          messageId: toMessage(turn),
          value: data,
        },
      })
      if (!claimed) throw new ParleyError('control_unknown')
      const { toast, isTaken } = claimed
      await claimed.act()
      return { toast, ...(isTaken !== undefined && { isTaken }) }
    },
  }
  return controls
}

const toMessage = (turn: number): string => `turn:${turn}`

/** Nothing is ever sent to it: the page reads. */
function pageAsChannel(): Channel {
  const nothing = () => ({ operation: 'none', body: {} })
  return {
    ...webRenderer,
    address: plainAddresses,
    send: async (_request) => ({ receipt: { address: '', messageIds: [], at: 0 } }),
    download: async () => ({ failure: { code: 'refused', why: 'the page has no files of its own', retryable: false, maybeSent: false } }),
    operations: {
      pin: nothing,
      unpin: nothing,
      remove: nothing,
      react: nothing,
      stripControls: nothing,
      typing: () => null,
      answerTap: nothing,
    },
  }
}
