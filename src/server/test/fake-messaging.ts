import { readCursor, writeCursor } from '../../shapes/paging.ts'
import { ParleyError } from '../../errors.ts'
import { normaliseMessage } from '../../chats/message/normalise.ts'
import type { DeliveryView, Messaging, PairingView, SendInput, Target, UnclaimedView } from '../../shapes/messaging.ts'
import type { Caller } from '../../shapes/parley.ts'

export type FakeMessaging = Messaging & {
  /** Calls, in order. */
  readonly asked: { what: string; with: unknown; caller?: Caller }[]
  readonly kept: Map<string, DeliveryView>
  readonly people: PairingView[]
  readonly strays: UnclaimedView[]
  /** Files for download, by id. */
  readonly bytes: Map<string, Uint8Array<ArrayBuffer>>
}

export const makeDelivery = (more: Partial<DeliveryView> = {}): DeliveryView => ({
  id: 'dlv_1',
  channel: 'telegram',
  address: '42',
  state: 'sent',
  text: 'Hello',
  about: null,
  plannedAt: 1_000,
  parts: { sent: 1, total: 1 },
  receipts: [{ messageId: '7', at: 1_100 }],
  losses: [],
  pin: 'none',
  tries: 1,
  error: null,
  ...more,
})

export const makePairing = (more: Partial<PairingView> = {}, code = '123456', name = 'Mira'): PairingView => ({
  channel: 'telegram',
  address: '42',
  state: 'requested',
  dialog: null,
  pairing: { code, from: { id: '42', name }, text: 'hello', requestedAt: 1_000, expiresAt: 4_000_000 },
  ...more,
})

/** Chat apps that are one Map: every call is noted, deliveries and people are whatever a test puts there. */
export function fakeMessaging(): FakeMessaging {
  const questions: FakeMessaging['asked'] = []
  const entries: FakeMessaging['kept'] = new Map()
  const people: PairingView[] = []
  const strays: UnclaimedView[] = []
  const files: FakeMessaging['bytes'] = new Map()
  const onces = new Map<string, { request: string; id: string }>()
  const note = (what: string, given: unknown, caller?: Caller): void =>
    void questions.push({ what, with: given, ...(caller && { caller }) })
  const where = ({ channel = 'telegram', target }: Target): { channel: string; address: string } => ({ channel, address: target })

  function read(input: SendInput): { text: string; dropped: { at: string; why: string }[] } {
    const { message, presentation, delivery } = input
    if (input.channel !== undefined && input.channel !== 'telegram') throw new ParleyError('channel_not_found', { channel: input.channel })
    const normal = normaliseMessage({ message, presentation, delivery })
    if ('refused' in normal && input.media === undefined) throw new ParleyError(normal.refused.code, normal.refused.details)
    return 'refused' in normal ? { text: '', dropped: [] } : { text: normal.message.text ?? '', dropped: normal.dropped }
  }

  function found(delivery: string): DeliveryView {
    const one = entries.get(delivery)
    if (!one) throw new ParleyError('delivery_not_found', { delivery })
    return one
  }

  const change = (code: string, state: PairingView['state'], dialog?: string): PairingView => {
    const index = people.findIndex(({ pairing }) => pairing?.code === code)
    const person = people[index]
    if (!person) throw new ParleyError('pairing_not_found', { code })
    const changed = { ...person, state, dialog: dialog ?? null, pairing: null }
    people[index] = changed
    return changed
  }

  const record = (what: string) => async (at: Target & { messageId: string }, more?: unknown) => {
    note(what, more === undefined ? at : { ...at, more })
    return { ...where(at), messageId: at.messageId }
  }

  const at = (what: string, state: PairingView['state']) => async (place: Target, caller: Caller) => {
    note(what, place, caller)
    return makePairing({ ...where(place), state, pairing: null })
  }

  return {
    asked: questions,
    kept: entries,
    people,
    strays,
    bytes: files,
    channels: {
      list: () => [{ name: 'telegram', kind: 'telegram', state: 'connected', account: '@ada_bot', receives: 'polling', problem: null }],
      async test(channel, caller, target) {
        note('test', { channel, target }, caller)
        return { account: '@ada_bot', delivery: target === undefined ? null : makeDelivery({ address: target }) }
      },
    },
    messages: {
      async send(input, caller, waitMs) {
        note('send', { ...input, waitMs }, caller)
        const { text, dropped } = read(input)
        const before = caller.once && onces.get(caller.once.key)
        if (before && before.request !== caller.once?.request) throw new ParleyError('key_reused')
        if (before) return { delivery: found(before.id), dropped }
        const delivery = makeDelivery({ id: `dlv_${entries.size + 1}`, text, address: input.target })
        entries.set(delivery.id, delivery)
        if (caller.once) onces.set(caller.once.key, { request: caller.once.request, id: delivery.id })
        return { delivery, dropped }
      },
      async dryRun(input) {
        note('dryRun', input)
        const { text, dropped } = read(input)
        const losses = [{ what: 'style of "Go"', from: 'danger', to: 'no style', why: 'it has none' }]
        const requests = [{ operation: 'sendMessage', body: { chat_id: 42, text } }]
        return { channel: 'telegram', address: input.target, requests, text, losses, dropped }
      },
      resolve: async ({ channel = 'telegram', target }) => ({ channel, address: target, isOwn: target === 'own' }),
      async edit(which, input, caller) {
        note('edit', { which, input }, caller)
        return { delivery: makeDelivery({ text: input.message ?? '' }), dropped: [] }
      },
      remove: record('remove'),
      react: record('react'),
      pin: record('pin'),
      unpin: record('unpin'),
      async poll(input, caller, waitMs) {
        note('poll', { ...input, waitMs }, caller)
        if (input.channel === 'slack') throw new ParleyError('channel_cannot', { channel: 'slack', what: 'send polls' })
        return { delivery: makeDelivery({ text: input.poll.question }), dropped: [] }
      },
      async read(query) {
        note('read', query)
        return [{ messageId: '7', from: { id: '42', name: 'Mira', isBot: false }, at: 1_000, text: 'Hello', files: 1 }]
      },
      async reactions(place) {
        note('reactions', place)
        return [{ emoji: '👍', count: 2, people: ['42', '43'] }]
      },
      async pins(place, limit) {
        note('pins', { ...place, limit })
        return [makeDelivery({ pin: 'pinned' })]
      },
    },
    files: {
      async get(channel, fileId) {
        note('files.get', { channel, fileId })
        const bytes = files.get(fileId)
        if (!bytes) throw new ParleyError('file_gone', { channel, why: 'there is no such file' })
        return { body: new Blob([bytes]).stream(), name: 'a "quoted"\r\nname.html', sizeBytes: bytes.length }
      },
    },
    deliveries: {
      async list({ state, limit = 50, after }) {
        const all = [...entries.values()].filter((one) => state === undefined || one.state === state)
        const from = readCursor(after)?.sort ?? 0
        return {
          items: all.slice(from, from + limit),
          next: from + limit < all.length ? writeCursor({ sort: from + limit, key: 'x' }) : null,
        }
      },
      get: async (delivery) => found(delivery),
      async retry(delivery, caller) {
        note('retry', delivery, caller)
        const retried = { ...found(delivery), state: 'waiting' as const }
        entries.set(delivery, retried)
        return retried
      },
      async confirm(delivery, caller) {
        note('confirm', delivery, caller)
        const confirmed = { ...found(delivery), state: 'sent' as const }
        entries.set(delivery, confirmed)
        return confirmed
      },
      async dismiss(delivery, caller) {
        note('dismiss', delivery, caller)
        const dismissed = { ...found(delivery), state: 'dismissed' as const }
        entries.set(delivery, dismissed)
        return dismissed
      },
    },
    pairings: {
      list: async (state) => people.filter((one) => state === undefined || one.state === state),
      async accept(code, caller, dialog) {
        note('accept', { code, dialog }, caller)
        return change(code, dialog === undefined ? 'accepted' : 'bound', dialog)
      },
      async decline(code, caller) {
        note('decline', code, caller)
        return change(code, 'declined')
      },
      block: at('block', 'blocked'),
      unblock: at('unblock', 'none'),
      async bind(place, dialog, caller) {
        note('bind', { ...place, dialog }, caller)
        return makePairing({ ...where(place), state: 'bound', dialog, pairing: null })
      },
      unbind: at('unbind', 'accepted'),
    },
    unclaimed: async () => strays,
    async dismissUnclaimed(which, caller) {
      note('dismissUnclaimed', which, caller)
      const index = strays.findIndex(
        ({ channel, address, id }) => channel === which.channel && address === which.address && id === which.id,
      )
      if (index < 0) throw new ParleyError('unclaimed_not_found', { id: which.id })
      strays.splice(index, 1)
    },
    async webhook(account, raw) {
      if (account !== 'telegram') return 'unknown'
      if (raw.headers['x-telegram-bot-api-secret-token'] !== 'right') return 'forged'
      const text = new TextDecoder().decode(raw.body)
      if (!text.startsWith('{')) return 'unreadable'
      note('webhook', text)
      return Response.json({ ok: true })
    },
  }
}
