import { type Details, type ErrorCode, ParleyError } from '../../errors.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { DeliveryView } from '../../shapes/messaging.ts'
import type { Store, Unit } from '../../ports/store.ts'
import type { Handled, StreamHandler } from '../../streams/stream-handler.ts'
import { findControl, type KnownControl } from './control-tokens.ts'
import type { DeliveryCommand } from './decide-delivery.ts'
import type { MayTap } from './delivery-events.ts'
import { deliveryStream } from './delivery-kind.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryView, deliveryViews } from './delivery-rows.ts'
import type { DeliveryState } from './delivery-state.ts'
import { findPurpose, noPreparing, type Preparing } from './message-purpose.ts'

export type DeliveryPlan = {
  channel: string
  address: string
  message: ReplyPayload
  /** The people who may use it; all readers by default. */
  mayTap?: MayTap
  about?: string
  /** Reply of a turn; a draft is shown until the finished text replaces it. */
  reply?: { dialog: string; turn: number; isDraft?: true }
  /** The same name again gives the same delivery and sends nothing twice. */
  once?: string
  /** After this time it is reported instead of sent. */
  staleAfterMs?: number
}

/** Under a claim: the claim, and rows of the caller, in the same commit. */
export type OutboxUnder = Pick<Unit, 'lease' | 'settle' | 'rows' | 'repeatable'>

/** The outbox. Every call that is not `repeatable` is durable when it resolves; sending happens afterwards. */
export type Outbox = {
  /** `rowsFor`: rows about the new delivery in the same commit. Nothing is committed where the name was used before. */
  plan(
    plan: DeliveryPlan,
    under?: OutboxUnder,
    rowsFor?: (delivery: string) => NonNullable<Unit['rows']>,
  ): Promise<{ delivery: string; isNew: boolean }>
  /**
   * Replaces the message. Where that is not possible any more, it is sent as a new one with `orSend`, stays as it is with `orKeep`,
   * and fails otherwise. `keepMedia`: under the same media.
   */
  edit(
    delivery: string,
    message: ReplyPayload,
    how?: { orSend?: boolean; orKeep?: true; keepMedia?: boolean; once?: string },
    under?: OutboxUnder,
  ): Promise<DeliveryView>
  /** The finished words in place of a draft; nothing changes where they are there already. */
  finishDraft(delivery: string, message: ReplyPayload): Promise<DeliveryView>
  /**
   * A person decides that a stuck delivery is tried again; parts that are there are not sent again. `once`: a repeat of the
   * request changes nothing, also where the delivery is stuck again by then.
   */
  retry(delivery: string, by: string, how?: { once?: string }): Promise<DeliveryView>
  /** A person saw that a delivery without an answer arrived: nothing is sent again. */
  confirm(delivery: string, by: string, how?: { once?: string }): Promise<DeliveryView>
  /** A person dismisses a stuck delivery. */
  dismiss(delivery: string, by: string, how?: { once?: string }): Promise<DeliveryView>
  /** One of its messages was pinned by hand, or is not pinned any more. */
  notePin(delivery: string, messageId: string, isPinned: boolean): Promise<DeliveryView>
  get(delivery: string): Promise<DeliveryView>
  list(query?: {
    state?: DeliveryView['state']
    search?: string
    limit?: number
    before?: { sort: number; key: string }
  }): Promise<DeliveryView[]>
  /** Every delivery that was planned about this. */
  about(about: string): Promise<DeliveryView[]>
  readonly controls: {
    find(token: string): Promise<KnownControl | null>
    /**
     * The first tap of a one-shot control wins, and the same tap wins again; later ones get the name of the first.
     * `answers`: the tap answers a question. Its effect is a commit that follows and makes this one durable too, and it closes
     * the message, so its controls are taken away only if that does not happen soon.
     */
    use(
      control: KnownControl,
      tap: { tap: string; token: string; messageId: string; by: string; byName: string },
      how?: { answers?: boolean },
    ): Promise<{ ok: true } | { ok: false; code: ErrorCode; details: Details }>
  }
}

export function outbox(parts: {
  store: Store
  deliveries: StreamHandler<DeliveryState, DeliveryCommand>
  preparing?: Preparing
  clock: Clock
  ids: Ids
}): Outbox {
  const { store, deliveries, preparing = noPreparing, clock, ids } = parts
  let lastOrder = 0
  /**
   * Places in a queue go by the log, not by the clock, which may be set back. What is planned at the same position
   * follows in small steps, so that a failed request does not run ahead of the log.
   */
  const nextOrder = async (): Promise<number> => {
    const position = await store.position()
    return (lastOrder = Math.max(position, lastOrder + 0.001))
  }

  /** The message as plugins want it sent. One that was planned under its name before is not asked for again. */
  async function prepared(
    message: ReplyPayload,
    { channel, address, ...at }: Pick<DeliveryState, 'channel' | 'address' | 'about' | 'reply' | 'isDraft'>,
    once?: string,
  ): Promise<ReplyPayload> {
    const purpose = findPurpose({ ...at, message })
    if (purpose === null || (once !== undefined && (await store.remembered(onceKey(once))))) return message
    return preparing.prepare({ purpose, channel, address, dialog: at.reply?.dialog ?? null, message })
  }

  async function replacement(delivery: string, message: ReplyPayload, once?: string): Promise<ReplyPayload> {
    if (!preparing.isOn()) return message
    const state = await deliveries.load(deliveryStream(delivery))
    return state.status === 'absent' ? message : prepared(message, { ...state, isDraft: false }, once)
  }

  async function command(
    delivery: string,
    make: (common: { at: number; order: number; staleAt: number }) => DeliveryCommand,
    once?: string,
    under: OutboxUnder = {},
  ): Promise<DeliveryView> {
    // Asked before it is decided: what was allowed the first time may be refused by now.
    if (once !== undefined && (await store.remembered(onceKey(once)))) return deliveryView(await deliveries.load(deliveryStream(delivery)))
    const order = await nextOrder()
    const at = clock.now()
    const handled = await deliveries.handle(
      deliveryStream(delivery),
      [make({ at, order, staleAt: at + deliveryLimits.staleAfterMs })],
      once === undefined ? under : { ...under, once: { key: onceKey(once), value: () => delivery } },
    )
    if (!handled.ok && handled.why === 'seen') return deliveryView(await deliveries.load(deliveryStream(delivery)))
    return deliveryView(getState(handled, delivery))
  }

  const controls: Outbox['controls'] = {
    find: (token) => findControl(store, token),
    async use({ delivery, isReusable }, tap, { answers = false } = {}) {
      const order = await nextOrder()
      const at = clock.now()
      const handled = await deliveries.handle(
        deliveryStream(delivery),
        [
          {
            type: 'use-control',
            at,
            ...tap,
            isReusable,
            order,
            ...(answers && { stripAt: at + deliveryLimits.closesWithinMs }),
          },
        ],
        answers ? { repeatable: true } : {},
      )
      if (handled.ok) return { ok: true }
      if (handled.why !== 'refused') throw new ParleyError('busy', {}, { retryable: true })
      return { ok: false, code: handled.refusal.code, details: handled.refusal.details }
    },
  }

  return {
    controls,
    async plan(
      { channel, address, message, mayTap = 'anyone', about = null, reply, once, staleAfterMs = deliveryLimits.staleAfterMs },
      under = {},
      rowsFor,
    ) {
      const common = { channel, address, about, reply: reply ?? null, isDraft: reply?.isDraft ?? false }
      const shown = preparing.isOn() ? await prepared(message, common, once) : message
      const order = await nextOrder()
      const delivery = ids.next('dlv')
      const at = clock.now()
      const handled = await deliveries.handle(
        deliveryStream(delivery),
        [
          {
            type: 'plan-delivery',
            at,
            delivery,
            channel,
            address,
            message: shown,
            order,
            staleAt: at + staleAfterMs,
            mayTap,
            about,
            ...toReply(reply),
          },
        ],
        {
          ...under,
          isNew: true,
          ...(once !== undefined && { once: { key: onceKey(once), value: () => delivery } }),
          ...(rowsFor && { rows: [...(under.rows ?? []), ...rowsFor(delivery)] }),
        },
      )
      if (!handled.ok && handled.why === 'seen') return { delivery: String(handled.value), isNew: false }
      getState(handled, delivery)
      return { delivery, isNew: true }
    },
    async edit(delivery, given, { orSend = false, orKeep, keepMedia = false, once } = {}, under = {}) {
      const message = await replacement(delivery, given, once)
      return command(
        delivery,
        (common) => ({ type: 'edit-delivery', message, keepMedia, orSend, ...(orKeep && { orKeep }), ...common }),
        once,
        under,
      )
    },
    async finishDraft(delivery, given) {
      const message = await replacement(delivery, given)
      return command(delivery, (common) => ({ type: 'edit-delivery', message, orSend: true, ifDraft: true, ...common }))
    },
    retry: (delivery, by, { once } = {}) => command(delivery, (common) => ({ type: 'retry-delivery', by, ...common }), once),
    confirm: (delivery, by, { once } = {}) => command(delivery, ({ at }) => ({ type: 'confirm-delivery', at, by }), once),
    dismiss: (delivery, by, { once } = {}) => command(delivery, ({ at }) => ({ type: 'dismiss-delivery', at, by }), once),
    notePin: (delivery, messageId, isPinned) => command(delivery, ({ at }) => ({ type: 'note-pin', at, messageId, isPinned })),
    async get(delivery) {
      const state = await deliveries.load(deliveryStream(delivery))
      if (state.status === 'absent') throw new ParleyError('delivery_not_found', { delivery })
      return deliveryView(state)
    },
    async list({ state, search, limit = 50, before } = {}) {
      const matches = await store.rows({
        view: deliveryViews.deliveries,
        limit: Math.min(limit, deliveryLimits.listed),
        ...(state !== undefined && { group: state }),
        ...(search !== undefined && { text: search }),
        ...(before && { before }),
      })
      return matches.map(({ body }) => body as DeliveryView)
    },
    async about(about) {
      const rows = await store.rows({ view: deliveryViews.about, group: about, limit: deliveryLimits.listed })
      return Promise.all(rows.map(async ({ key }) => deliveryView(await deliveries.load(deliveryStream(key)))))
    },
  }
}

const toReply = (reply: DeliveryPlan['reply']): Pick<Extract<DeliveryCommand, { type: 'plan-delivery' }>, 'reply' | 'isDraft'> =>
  reply === undefined ? {} : { reply: { dialog: reply.dialog, turn: reply.turn }, ...(reply.isDraft && { isDraft: true }) }

const onceKey = (name: string): string => `delivery:${name}`

function getState(handled: Handled<DeliveryState>, delivery: string): DeliveryState {
  if (handled.ok) return handled.state
  if (handled.why === 'refused') throw new ParleyError(handled.refusal.code, { ...handled.refusal.details, delivery })
  throw new ParleyError('busy', {}, { retryable: true })
}
