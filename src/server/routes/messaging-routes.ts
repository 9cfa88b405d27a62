import { z } from 'zod'
import { routeEffects } from '../authority/route-capabilities.ts'
import { ParleyError } from '../errors.ts'
import type { Messaging } from '../ports/messaging.ts'
import { messageLimits } from '../message/message-limits.ts'
import { at, channelName, content, messageId, spoken, targetName } from './message-body.ts'
import * as answers from './messaging-answers.ts'
import { type Route, route } from './route.ts'
import { id, line, pageOf, whole } from './text.ts'

export const messagingLimits = { waitMs: 20_000, pins: 100, pinsDefault: 20, codeChars: 40, emojiChars: 64, unclaimedIdChars: 400 } as const

const byId = z.strictObject({ id })
const named = z.strictObject({ name: channelName })
const place = z.strictObject(at)
const there = z.strictObject({ ...at, messageId })
const nothing = z.strictObject({})

const medium = z
  .url({ protocol: /^(https?|file)$/, error: 'is neither an http(s) nor a file address' })
  .max(messageLimits.urlChars)
  .describe('Address of a picture, a sound, a film or a file; a file: address of one in the project needs the capability manage.')

const media = z.union([medium, z.array(medium).min(1).max(messageLimits.media)])

/** Everything that has to do with chat apps. Without any, every route says so. */
export function messagingRoutes(messaging: Messaging | undefined): Route[] {
  const connected = (): Messaging => {
    if (!messaging) throw new ParleyError('no_channels')
    return messaging
  }
  return [...messageRoutes(connected), ...deliveryRoutes(connected), ...channelRoutes(messaging, connected), ...pairingRoutes(connected)]
}

const messageRoutes = (connected: () => Messaging): Route[] => [
  route({
    method: 'post',
    path: '/v1/messages',
    summary: 'Send a message to a chat app. It is on disk when this answers; with dryRun nothing is sent and the requests are shown',
    body: spoken({
      ...at,
      ...content,
      delivery: z.record(z.string(), z.unknown()).optional().describe('{ "pin": true } pins the first message that was sent.'),
      media: media.optional(),
      replyTo: messageId.optional(),
      silent: z.boolean().optional(),
      dryRun: z.boolean().optional(),
      waitMs: z.int().min(0).max(messagingLimits.waitMs).optional().describe('How long to wait for its outcome; 0 unless said.'),
    }),
    status: 201,
    answer: answers.sentOrDry,
    async handle({ body: { dryRun = false, waitMs = 0, ...input }, caller, mustBeAllowedTo }) {
      const { messages } = connected()
      if (input.message === undefined && input.presentation === undefined && input.media === undefined)
        throw new ParleyError('empty_message')
      const usesFiles = [input.media ?? []].flat().some((url) => new URL(url).protocol === 'file:')
      // A token that may only send must not read files of this machine.
      if (usesFiles) mustBeAllowedTo(routeEffects.file)
      const wish = usesFiles ? { ...input, mayUseFiles: true } : input
      return dryRun ? { raw: Response.json(await messages.dryRun(wish)) } : messages.send(wish, caller, waitMs)
    },
  }),
  route({
    method: 'post',
    path: '/v1/messages/edit',
    summary: 'Say it otherwise: of a delivery, or of a message by its id on the platform',
    body: spoken({
      ...content,
      delivery: id.optional(),
      channel: channelName.optional(),
      target: targetName.optional(),
      messageId: messageId.optional(),
    }),
    status: 200,
    answer: answers.sent,
    async handle({ body: { delivery, channel, target, messageId: message, ...input }, caller }) {
      if (input.message === undefined && input.presentation === undefined) throw new ParleyError('empty_message')
      if (delivery !== undefined && target === undefined && message === undefined)
        return connected().messages.edit({ delivery }, input, caller)
      if (delivery !== undefined || target === undefined || message === undefined)
        throw new ParleyError('bad_request', { field: 'delivery', why: 'give either delivery, or target with messageId' })
      return connected().messages.edit({ channel, target, messageId: message }, input, caller)
    },
  }),
  route({
    method: 'post',
    path: '/v1/messages/remove',
    summary: 'Take a message of ours away',
    body: there,
    status: 200,
    answer: answers.done,
    handle: async ({ body }) => connected().messages.remove(body),
  }),
  route({
    method: 'post',
    path: '/v1/messages/react',
    summary: 'Put a reaction on a message; without an emoji, take ours away',
    body: z.strictObject({ ...there.shape, emoji: line(messagingLimits.emojiChars).nullable().optional() }),
    status: 200,
    answer: answers.done,
    handle: async ({ body: { emoji, ...where } }) => connected().messages.react(where, emoji === undefined || emoji === '' ? null : emoji),
  }),
  route({
    method: 'post',
    path: '/v1/messages/pin',
    summary: 'Pin a message; with notify, everybody there is told',
    body: z.strictObject({ ...there.shape, notify: z.boolean().optional() }),
    status: 200,
    answer: answers.done,
    handle: async ({ body: { notify = false, ...where } }) => connected().messages.pin(where, notify),
  }),
  route({
    method: 'post',
    path: '/v1/messages/unpin',
    summary: 'Take a pin down',
    body: there,
    status: 200,
    answer: answers.done,
    handle: async ({ body }) => connected().messages.unpin(body),
  }),
  route({
    method: 'get',
    path: '/v1/messages/pins',
    summary: 'What Parley pinned at a place and has not taken down, newest first',
    query: z.strictObject({ ...at, limit: whole(1, messagingLimits.pins).optional() }),
    status: 200,
    answer: answers.pins,
    handle: async ({ query: { limit = messagingLimits.pinsDefault, ...where } }) => ({
      items: await connected().messages.pins(where, limit),
    }),
  }),
]

const deliveryRoutes = (connected: () => Messaging): Route[] => [
  route({
    method: 'get',
    path: '/v1/deliveries',
    summary: 'Messages on their way and what became of them, newest first',
    query: z.strictObject({ ...pageOf, state: z.enum(answers.deliveryStates).optional(), search: line(200).optional() }),
    status: 200,
    answer: answers.deliveries,
    async handle({ query, hidden }) {
      const page = await connected().deliveries.list(query)
      return { ...page, items: await Promise.all(page.items.map(hidden.inDelivery)) }
    },
  }),
  route({
    method: 'get',
    path: '/v1/deliveries/{id}',
    summary: 'One delivery',
    params: byId,
    status: 200,
    answer: answers.delivery,
    handle: async ({ params, hidden }) => hidden.inDelivery(await connected().deliveries.get(params.id)),
  }),
  route({
    method: 'post',
    path: '/v1/deliveries/{id}/retry',
    summary: 'Try a stuck one again. What nobody knows about may then arrive twice',
    params: byId,
    body: nothing,
    status: 200,
    answer: answers.delivery,
    handle: async ({ params, caller, hidden }) => hidden.inDelivery(await connected().deliveries.retry(params.id, caller)),
  }),
  route({
    method: 'post',
    path: '/v1/deliveries/{id}/dismiss',
    summary: 'Let a stuck one be: it waits for nobody any more, and can still be tried again',
    params: byId,
    body: nothing,
    status: 200,
    answer: answers.delivery,
    handle: async ({ params, caller, hidden }) => hidden.inDelivery(await connected().deliveries.dismiss(params.id, caller)),
  }),
]

const channelRoutes = (messaging: Messaging | undefined, connected: () => Messaging): Route[] => [
  route({
    method: 'get',
    path: '/v1/channels',
    summary: 'The accounts that are connected',
    status: 200,
    answer: answers.channels,
    handle: async () => ({ items: messaging?.channels.list() ?? [] }),
  }),
  route({
    method: 'post',
    path: '/v1/channels/{name}/test',
    summary: 'Ask the platform who we are; with a target, send a short message there',
    params: named,
    body: z.strictObject({ target: targetName.optional() }),
    status: 200,
    answer: answers.tested,
    handle: async ({ params, body, caller }) => connected().channels.test(params.name, caller, body.target),
  }),
  route({
    method: 'post',
    path: '/v1/channels/{name}/webhook',
    forPlatforms: true,
    summary: 'For the platform: what happened there. Taken only with the proof that it is the platform',
    params: named,
    status: 200,
    answer: z.object({ ok: z.boolean() }),
    async handle({ params, raw }) {
      // A stranger learns nothing here, not even which accounts there are by name.
      const became = (await messaging?.webhook(params.name, raw)) ?? 'unknown'
      if (became === 'kept') return { ok: true }
      if (became === 'forged') throw new ParleyError('inbound_forged')
      if (became === 'unreadable') throw new ParleyError('inbound_unreadable')
      throw new ParleyError('not_found', { path: 'this address' })
    },
  }),
]

const code = line(messagingLimits.codeChars).refine((value) => value !== '', 'is empty')

const pairingRoutes = (connected: () => Messaging): Route[] => [
  route({
    method: 'get',
    path: '/v1/pairings',
    summary: 'Who asked to be let in, who is let in, and where they lead',
    query: z.strictObject({ state: z.enum(answers.pairingStates).optional() }),
    status: 200,
    answer: answers.pairings,
    handle: async ({ query }) => ({ items: await connected().pairings.list(query.state) }),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/accept',
    summary: 'Let the one in who says this code, into a new dialog or the one named',
    body: z.strictObject({ code, dialog: id.optional() }),
    status: 200,
    answer: answers.pairing,
    handle: async ({ body, caller }) => connected().pairings.accept(body.code, caller, body.dialog),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/decline',
    summary: 'Do not let them in this time',
    body: z.strictObject({ code }),
    status: 200,
    answer: answers.pairing,
    handle: async ({ body, caller }) => connected().pairings.decline(body.code, caller),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/block',
    summary: 'Hear nothing more from a place',
    body: place,
    status: 200,
    answer: answers.pairing,
    handle: async ({ body, caller }) => connected().pairings.block(body, caller),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/unblock',
    summary: 'Hear them again: they may ask to be let in',
    body: place,
    status: 200,
    answer: answers.pairing,
    handle: async ({ body, caller }) => connected().pairings.unblock(body, caller),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/bind',
    summary: 'Lead a place to a dialog',
    body: z.strictObject({ ...at, dialog: id }),
    status: 200,
    answer: answers.pairing,
    handle: async ({ body: { dialog, ...where }, caller }) => connected().pairings.bind(where, dialog, caller),
  }),
  route({
    method: 'post',
    path: '/v1/pairings/unbind',
    summary: 'Lead it there no longer',
    body: place,
    status: 200,
    answer: answers.pairing,
    handle: async ({ body, caller }) => connected().pairings.unbind(body, caller),
  }),
  route({
    method: 'get',
    path: '/v1/unclaimed',
    summary: 'What came in and nobody took, newest first',
    status: 200,
    answer: answers.unclaimedOnes,
    handle: async () => ({ items: await connected().unclaimed() }),
  }),
  route({
    method: 'post',
    path: '/v1/unclaimed/dismiss',
    summary: 'Let be what nobody took',
    body: z.strictObject({
      channel: channelName,
      address: targetName,
      id: line(messagingLimits.unclaimedIdChars).refine((value) => value !== '', 'is empty'),
    }),
    status: 204,
    handle: async ({ body, caller }) => connected().dismissUnclaimed(body, caller),
  }),
]
