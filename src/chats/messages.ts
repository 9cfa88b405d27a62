import type { DeliverySide } from './outbox/delivery-side.ts'
import { findMessage } from './outbox/message-index.ts'
import { canShowTo } from './outbox/deliverer.ts'
import { deliveryLimits } from './outbox/delivery-limits.ts'
import { ParleyError } from '../errors.ts'
import { inboundViews, type PlaceView } from './bindings/binding-kind.ts'
import { buildCrossContextPresentation } from './message/cross-context.ts'
import { normaliseMessage } from './message/normalise.ts'
import { isLocal } from './message/media.ts'
import type { Dropped } from './message/normalise-blocks.ts'
import { getPin, type ReplyPayload } from './message/reply-payload.ts'
import type { Channel, PlatformRequest, SendFailure } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeliveryView, Done, Messaging, SendInput, Target } from '../shapes/messaging.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { accountNamed, type Connection, type Connections } from './connections.ts'
import { getPage } from './delivery-pages.ts'
import { messageLookups } from './message-lookups.ts'
import { findPollProblem } from './outbox/poll-problem.ts'
import type { LocalFiles } from './local-files.ts'
import { requestNames } from './request-names.ts'

export const sendLimits = { longestWaitMs: 30_000, lookEveryMs: 100, pagesSearched: 50 } as const

/** Sends messages for an agent's tool, a program, or a person at the terminal. */
export function messagesOver(parts: {
  store: Store
  committer: Committer
  delivery: DeliverySide
  connections: Connections
  dialogs: Pick<Parley['dialogs'], 'get'>
  files: LocalFiles
  clock: Clock
}): Pick<Messaging, 'messages' | 'files' | 'deliveries'> {
  const { store, committer, delivery, connections, dialogs, files, clock } = parts
  const { outbox } = delivery
  const nameRequest = requestNames(store, committer)

  const accountFor = ({ channel }: Pick<Target, 'channel'>): Connection => accountNamed(connections, channel)

  /** In the spelling that rules and bindings have, where the channel knows it. */
  const toAddress = ({ channel }: Connection, target: string): string => channel?.address.parse(target) ?? target

  const isResolved = ({ channel }: Connection, target: string): boolean => channel !== null && channel.address.parse(target) !== null

  /** The chat of an address: message ids are the same in all its topics. */
  const toChat = ({ channel }: Connection, address: string): string => channel?.address.parent(address) ?? address

  async function read(input: Omit<SendInput, 'target'>): Promise<{ message: ReplyPayload; dropped: Dropped[] }> {
    const { message, presentation, delivery: deliveryOptions, replyTo, silent, onlyFor, media, mayUseFiles = false } = input
    const requestParts = {
      ...(message !== undefined && { text: message }),
      ...(presentation !== undefined && { presentation }),
      ...(deliveryOptions !== undefined && { delivery: deliveryOptions }),
      ...(media !== undefined && { media: [media].flat() }),
    }
    const normalised = normaliseMessage(requestParts, { mayUseFiles })
    if ('refused' in normalised) throw new ParleyError(normalised.refused.code, normalised.refused.details)
    for (const { url } of (normalised.message.media ?? []).filter(isLocal)) {
      const match = await files.check(url)
      if (match) throw new ParleyError('file_refused', { why: match.problem })
    }
    const send = {
      ...(replyTo !== undefined && { replyTo }),
      ...(silent === true && { silent }),
      ...(onlyFor !== undefined && { onlyFor }),
    }
    const { message: kept, dropped } = normalised
    return { message: Object.keys(send).length > 0 ? { ...kept, send: { ...kept.send, ...send } } : kept, dropped }
  }

  async function isOwnPlace(root: string, at: { channel: string; address: string }): Promise<boolean> {
    const places = await store.rows({ view: inboundViews.places, group: root, limit: deliveryLimits.listed })
    return places.some(({ body }) => {
      const { channel, address } = body as PlaceView
      return channel === at.channel && address === at.address
    })
  }

  /** Adds the origin to a message that a dialog sends elsewhere. */
  async function marked(message: ReplyPayload, input: SendInput, account: Connection): Promise<ReplyPayload> {
    if (input.from === undefined) return message
    const dialog = await dialogs.get(input.from)
    const root = dialog.origin?.root ?? dialog.id
    if (await isOwnPlace(root, { channel: account.name, address: toAddress(account, input.target) })) return message
    const { text, presentation, ...rest } = message
    const originLabel = `${dialog.agent} · ${dialog.title || root}`
    return {
      ...rest,
      presentation: buildCrossContextPresentation({
        originLabel,
        ...(text !== undefined && { message: text }),
        ...(presentation && { presentation }),
      }),
    }
  }

  async function settled(id: string, waitMs: number): Promise<DeliveryView> {
    const until = clock.now() + Math.min(waitMs, sendLimits.longestWaitMs)
    for (;;) {
      const view = await outbox.get(id)
      const remaining = until - clock.now()
      if (view.state !== 'waiting' || remaining <= 0) return view
      await new Promise<void>((resolve) => clock.after(Math.min(sendLimits.lookEveryMs, remaining), resolve))
    }
  }

  const checkAudience = ({ name, channel }: Connection, address: string, message: ReplyPayload): void => {
    if (channel && !canShowTo(channel, { address, message }))
      throw new ParleyError('channel_cannot', { channel: name, what: 'show a message of a group to one person alone' })
  }

  const connected = (account: Connection): Channel => {
    if (!account.channel)
      throw new ParleyError('channel_off', { channel: account.name, why: account.problem ?? 'it is being connected' }, { retryable: true })
    return account.channel
  }

  async function perform(
    at: Target & { messageId: string },
    needs: (channel: Channel) => boolean,
    what: string,
    make: (operations: Channel['operations'], where: { address: string; messageId: string }) => PlatformRequest,
  ): Promise<Done> {
    const account = accountFor(at)
    const channel = connected(account)
    const { messageId } = at
    const address = toAddress(account, at.target)
    if (!needs(channel)) throw new ParleyError('channel_cannot', { channel: account.name, what })
    const result = await delivery.perform({ channel: account.name, address }, (operations) => make(operations, { address, messageId }))
    if ('failure' in result && result.failure.code !== 'not_modified') throw refused(account.name, result.failure)
    return { channel: account.name, address, messageId }
  }

  /** The platform says of no message whether it is pinned, so what is done to one of ours is kept. */
  async function notingPin(done: Promise<Done>, isPinned: boolean): Promise<Done> {
    const { channel, address, messageId } = await done
    const ours = await byMessage(accountFor({ channel }), { target: address, messageId })
    if (ours !== null) await outbox.notePin(ours.id, messageId, isPinned)
    return { channel, address, messageId }
  }

  return {
    messages: {
      async send(input, caller, waitMs = 0) {
        const account = accountFor(input)
        const { message, dropped } = await read(input)
        const address = toAddress(account, input.target)
        checkAudience(account, address, message)
        const { delivery: id } = await outbox.plan({
          channel: account.name,
          address,
          message: await marked(message, input, account),
          about: input.from === undefined ? `sent:${caller.by.name}` : `dialog:${input.from}`,
          ...(await nameRequest('send', caller)),
        })
        return { delivery: await settled(id, waitMs), dropped }
      },
      async dryRun(input) {
        const account = accountFor(input)
        const { message, dropped } = await read(input)
        const channel = connected(account)
        const address = toAddress(account, input.target)
        checkAudience(account, address, message)
        const place = { channel: account.name, address }
        const { requests, ...shown } = await delivery.dryRun(place, await marked(message, input, account), channel)
        const { enabled, notify } = getPin(message.delivery)
        const pin = enabled && canPin(channel) ? [channel.operations.pin({ address, messageId: notSentYet }, notify)] : []
        return { channel: account.name, address, ...shown, requests: [...requests, ...pin], dropped }
      },
      async poll(input, caller, waitMs = 0) {
        const account = accountFor(input)
        const { poll, pin = false, silent = false, replyTo } = input
        const polls = account.channel?.capabilities.presentation.polls
        if (account.channel && !polls) throw new ParleyError('channel_cannot', { channel: account.name, what: 'send polls' })
        const why = polls ? findPollProblem(poll, polls) : null
        if (why !== null) throw new ParleyError('poll_refused', { channel: account.name, why })
        const send = { ...(silent && { silent }), ...(replyTo !== undefined && { replyTo }) }
        const { delivery: id } = await outbox.plan({
          channel: account.name,
          address: toAddress(account, input.target),
          message: { poll, ...(Object.keys(send).length > 0 && { send }), ...(pin && { delivery: { pin } }) },
          about: `sent:${caller.by.name}`,
          ...(await nameRequest('poll', caller)),
        })
        return { delivery: await settled(id, waitMs), dropped: [] }
      },
      ...messageLookups({
        find(at) {
          const account = accountFor(at)
          return { channel: connected(account), name: account.name, address: toAddress(account, at.target) }
        },
        refused,
      }),
      async resolve(at, from) {
        const dialog = await dialogs.get(from)
        const account = accountFor(at)
        const place = { channel: account.name, address: toAddress(account, at.target) }
        const isOwn = await isOwnPlace(dialog.origin?.root ?? dialog.id, place)
        return { ...place, isOwn, ...(!isOwn && !isResolved(account, at.target) && { isUnresolved: true as const }) }
      },
      async edit(which, input, caller, waitMs = 0) {
        const { message, dropped } = await read(input)
        const id = 'delivery' in which ? which.delivery : await ourMessage(accountFor(which), which)
        const { about, channel: name } = await outbox.get(id)
        if (connections.get(name)?.capabilities.delivery.editing.ability === 'none')
          throw new ParleyError('channel_cannot', { channel: name, what: 'edit messages' })
        if (isDecidedByTap(about)) throw new ParleyError('message_reserved', { delivery: id })
        await outbox.edit(id, message, { keepMedia: true, ...(await nameRequest('edit', caller)) })
        return { delivery: await settled(id, waitMs), dropped }
      },
      async remove(at) {
        await checkReserved(at)
        const removed = perform(
          at,
          ({ capabilities }) => capabilities.delivery.removeSentMessage,
          'remove messages',
          (operations, where) => operations.remove(where),
        )
        return notingPin(removed, false)
      },
      react: (at, emoji) =>
        perform(
          at,
          ({ capabilities }) => capabilities.delivery.react,
          'react',
          (operations, where) => operations.react(where, emoji),
        ),
      async pin(at, notify) {
        await checkReserved(at)
        const pinned = perform(at, canPin, 'pin', (operations, where) => operations.pin(where, notify))
        return notingPin(pinned, true)
      },
      async unpin(at) {
        await checkReserved(at)
        const unpinned = perform(at, canPin, 'pin', (operations, where) => operations.unpin(where))
        return notingPin(unpinned, false)
      },
      async pins(at, limit) {
        const account = accountFor(at)
        const { name } = account
        const target = toAddress(account, at.target)
        const matches = await outbox.list({ search: `${name} ${target} `, limit: deliveryLimits.listed })
        return matches.filter(({ channel, address, pin }) => pin === 'pinned' && channel === name && address === target).slice(0, limit)
      },
    },
    files: {
      async get(name, fileId, signal) {
        const account = accountFor({ channel: name })
        const got = await connected(account).download(fileId, signal)
        if ('file' in got) return got.file
        const { code, why, retryable } = got.failure
        if (code === 'too_large') throw new ParleyError('file_too_large', { channel: account.name, why })
        throw retryable || code === 'forbidden'
          ? refused(account.name, got.failure)
          : new ParleyError('file_gone', { channel: account.name, why })
      },
    },
    deliveries: {
      list: (query) => getPage(outbox, query),
      get: (id) => outbox.get(id),
      retry: async (id, caller) => outbox.retry(id, caller.by.name, await nameRequest('retry', caller)),
      confirm: async (id, caller) => outbox.confirm(id, caller.by.name, await nameRequest('confirm', caller)),
      dismiss: async (id, caller) => outbox.dismiss(id, caller.by.name, await nameRequest('dismiss', caller)),
    },
  }

  /** The newest first, so that a message of the last days is found with one page. */
  async function byMessage(
    account: Connection,
    { target, messageId }: { target: string; messageId: string },
  ): Promise<DeliveryView | null> {
    const chat = toChat(account, toAddress(account, target))
    const indexed = account.channel && (await findMessage(store, { channel: account.name, chat, messageId }, account.channel.address))
    if (indexed) return outbox.get(indexed.delivery)
    // Messages from before there was an index.
    const search = `${account.name} ${chat}`
    let before: { sort: number; key: string } | undefined
    for (let page = 0; page < sendLimits.pagesSearched; page += 1) {
      const deliveries = await outbox.list({ search, limit: deliveryLimits.listed, ...(before && { before }) })
      const exact = deliveries.find(
        ({ channel, address, receipts }) =>
          channel === account.name && toChat(account, address) === chat && receipts.some((receipt) => receipt.messageId === messageId),
      )
      if (exact) return exact
      const last = deliveries.at(-1)
      if (!last || deliveries.length < deliveryLimits.listed) return null
      before = { sort: last.plannedAt, key: last.id }
    }
    return null
  }

  async function ourMessage(account: Connection, at: { target: string; messageId: string }): Promise<string> {
    const entry = await byMessage(account, at)
    if (entry === null) throw new ParleyError('message_not_ours', { message: at.messageId, target: at.target })
    return entry.id
  }

  async function checkReserved(at: Target & { messageId: string }): Promise<void> {
    const deliveryOfMessage = await byMessage(accountFor(at), at)
    if (deliveryOfMessage && isDecidedByTap(deliveryOfMessage.about))
      throw new ParleyError('message_reserved', { delivery: deliveryOfMessage.id })
  }
}

/** A tap under these decides something, so a caller must not change, remove or move what the person who taps reads there. */
const isDecidedByTap = (about: string | null): boolean => /^(question|approvals|pairing):/.test(about ?? '')

/** Stands for the id that the first message will have; no platform gives this one. */
const notSentYet = '0'

const canPin = ({ capabilities }: Channel): boolean => capabilities.delivery.pinSentMessage ?? false

function refused(channel: string, failure: SendFailure): ParleyError {
  const { why, retryable, retryAfterMs } = failure
  return new ParleyError('channel_refused', { channel, why }, { retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}
