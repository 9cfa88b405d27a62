import { z } from 'zod'
import { routeEffects } from '../../shapes/operations.ts'
import { dialogLimits } from '../../dialogs/rules/dialog-state.ts'
import { ParleyError } from '../../errors.ts'
import type { Messaging, PreviewView } from '../../shapes/messaging.ts'
import { messageLimits } from '../../chats/message/message-limits.ts'
import { pollLimits } from '../../chats/message/poll.ts'
import { at, channelName, content, messageId, spoken, targetName } from './message-body.ts'
import { fine } from '../../shapes/schemas/responses.ts'
import * as responses from '../../shapes/schemas/chat-responses.ts'
import { byId, nothing, route } from './route.ts'
import { id, line, pageQuery, text, whole } from '../text.ts'

export const messagingLimits = {
  waitMs: 20_000,
  pins: 100,
  pinsDefault: 20,
  read: 100,
  readDefault: 20,
  codeChars: 40,
  emojiChars: 64,
  unclaimedIdChars: 400,
} as const

const named = z.strictObject({ name: channelName })
const place = z.strictObject(at)
const there = z.strictObject({ ...at, messageId })

const medium = z
  .url({ protocol: /^(https?|file)$/, error: 'is neither an http(s) nor a file address' })
  .max(messageLimits.urlChars)
  .describe('Address of a picture, a sound, a film or a file; a file: address of one in the project needs the capability manage.')

const waitMs = z.int().min(0).max(messagingLimits.waitMs).optional().describe('How long to wait for its outcome; 0 unless set.')

const words = (chars: number) => line(chars).refine((value) => value.trim() !== '', 'is empty')

const media = z.union([medium, z.array(medium).min(1).max(messageLimits.media)])

/** Draws a message for channels without sending it. */
export type Preview = (json: unknown, channels?: readonly string[]) => Promise<PreviewView>

/** Everything that has to do with chat apps. Without any, every route says so. */
export function messagingRoutes(messaging: Messaging | undefined, preview: Preview) {
  const connected = (): Messaging => {
    if (!messaging) throw new ParleyError('no_channels')
    return messaging
  }
  return [
    ...messageRoutes(connected, preview),
    ...lookupRoutes(connected),
    ...deliveryRoutes(connected),
    ...channelRoutes(messaging, connected),
    ...pairingRoutes(connected),
  ]
}

const messageRoutes = (connected: () => Messaging, preview: Preview) => [
  route({
    operation: 'messages.preview',
    summary: 'A message as each channel would receive it: the requests, the plain text and the losses',
    body: z.strictObject({
      text: text(dialogLimits.textChars).optional(),
      presentation: z.record(z.string(), z.unknown()).optional(),
      media: z.union([z.string(), z.array(z.unknown())]).optional(),
      /** A presentation on its own: `title`, `tone` and `blocks` without a message around them. */
      title: z.string().optional(),
      tone: z.string().optional(),
      blocks: z.array(z.unknown()).optional(),
      channels: z.array(line(50)).min(1).max(20).optional(),
    }),
    status: 200,
    response: responses.preview,
    handle: async ({ body: { channels, ...message } }) => preview(message, channels),
  }),
  route({
    operation: 'messages.send',
    summary: 'Send a message to a chat app. It is stored before the response; with dryRun nothing is sent and the requests are shown',
    body: spoken({
      ...at,
      ...content,
      delivery: z.record(z.string(), z.unknown()).optional().describe('{ "pin": true } pins the first message that was sent.'),
      media: media.optional(),
      replyTo: messageId.optional(),
      silent: z.boolean().optional(),
      onlyFor: line(200).optional().describe('The one person of a group who sees it, by the id of the platform.'),
      dryRun: z.boolean().optional(),
      waitMs,
    }),
    status: 201,
    response: responses.sentOrDry,
    async handle({ body: { dryRun = false, waitMs: wait, ...input }, caller, mustBeAllowedTo }) {
      const { messages } = connected()
      if (input.message === undefined && input.presentation === undefined && input.media === undefined)
        throw new ParleyError('empty_message')
      const usesFiles = [input.media ?? []].flat().some((url) => new URL(url).protocol === 'file:')
      // A token that may only send must not read files of this machine.
      if (usesFiles) mustBeAllowedTo(routeEffects.file)
      const request = usesFiles ? { ...input, mayUseFiles: true } : input
      return dryRun ? { raw: Response.json(await messages.dryRun(request)) } : messages.send(request, caller, wait)
    },
  }),
  route({
    operation: 'messages.poll',
    summary: 'Send a poll. A chat app without polls refuses it',
    body: z.strictObject({
      ...at,
      question: words(pollLimits.questionChars),
      options: z.array(words(pollLimits.optionChars)).min(pollLimits.fewestOptions).max(pollLimits.mostOptions),
      isMultiple: z.boolean().optional().describe('Several options may be chosen.'),
      isAnonymous: z.boolean().optional().describe('Whether voters are hidden; as the platform usually does unless set.'),
      openForSeconds: z
        .int()
        .min(1)
        .max(pollLimits.longestMs / 1_000)
        .optional(),
      pin: z.boolean().optional(),
      silent: z.boolean().optional(),
      replyTo: messageId.optional(),
      waitMs,
    }),
    status: 201,
    response: responses.sent,
    handle: async ({ body: { question, options, isMultiple, isAnonymous, openForSeconds, waitMs: wait, ...input }, caller }) =>
      connected().messages.poll(
        {
          ...input,
          poll: {
            question,
            options,
            ...(isMultiple === true && { isMultiple }),
            ...(isAnonymous !== undefined && { isAnonymous }),
            ...(openForSeconds !== undefined && { openForMs: openForSeconds * 1_000 }),
          },
        },
        caller,
        wait,
      ),
  }),
  route({
    operation: 'messages.edit',
    summary: 'Edit a delivery, or a message by its id on the platform',
    body: spoken({
      ...content,
      delivery: id.optional(),
      channel: channelName.optional(),
      target: targetName.optional(),
      messageId: messageId.optional(),
      waitMs,
    }),
    status: 200,
    response: responses.sent,
    async handle({ body: { delivery, channel, target, messageId: message, waitMs: wait, ...input }, caller }) {
      if (input.message === undefined && input.presentation === undefined) throw new ParleyError('empty_message')
      if (delivery !== undefined && target === undefined && message === undefined)
        return connected().messages.edit({ delivery }, input, caller, wait)
      if (delivery !== undefined || target === undefined || message === undefined)
        throw new ParleyError('bad_request', { field: 'delivery', why: 'give either delivery, or target with messageId' })
      return connected().messages.edit({ channel, target, messageId: message }, input, caller, wait)
    },
  }),
  route({
    operation: 'messages.remove',
    summary: 'Delete a message that Parley sent',
    body: there,
    status: 200,
    response: responses.done,
    handle: async ({ body }) => connected().messages.remove(body),
  }),
  route({
    operation: 'messages.react',
    summary: 'Add a reaction to a message; without an emoji, remove it',
    body: z.strictObject({ ...there.shape, emoji: line(messagingLimits.emojiChars).nullable().optional() }),
    status: 200,
    response: responses.done,
    handle: async ({ body: { emoji, ...where } }) => connected().messages.react(where, emoji === undefined || emoji === '' ? null : emoji),
  }),
  route({
    operation: 'messages.pin',
    summary: 'Pin a message; with notify, everyone there is notified',
    body: z.strictObject({ ...there.shape, notify: z.boolean().optional() }),
    status: 200,
    response: responses.done,
    handle: async ({ body: { notify = false, ...where } }) => connected().messages.pin(where, notify),
  }),
  route({
    operation: 'messages.unpin',
    summary: 'Unpin a message',
    body: there,
    status: 200,
    response: responses.done,
    handle: async ({ body }) => connected().messages.unpin(body),
  }),
  route({
    operation: 'messages.pins',
    summary: 'Messages that Parley pinned at an address, newest first',
    query: z.strictObject({ ...at, limit: whole(1, messagingLimits.pins).optional() }),
    status: 200,
    response: responses.pins,
    handle: async ({ query: { limit = messagingLimits.pinsDefault, ...where } }) => ({
      items: await connected().messages.pins(where, limit),
    }),
  }),
]

const lookupRoutes = (connected: () => Messaging) => [
  route({
    operation: 'messages.read',
    summary: 'Messages of a chat as the platform has them, newest first, also of other people; not every platform lets a bot ask',
    query: z.strictObject({
      ...at,
      limit: whole(1, messagingLimits.read).optional(),
      before: messageId.optional(),
      messageId: messageId.optional(),
    }),
    status: 200,
    response: responses.foundMessages,
    handle: async ({ query: { limit = messagingLimits.readDefault, ...where } }) => ({
      items: await connected().messages.read({ ...where, limit }),
    }),
  }),
  route({
    operation: 'messages.reactions',
    summary: 'Reactions to a message and the people who gave them; not every platform lets a bot ask',
    query: there,
    status: 200,
    response: responses.foundReactions,
    handle: async ({ query }) => ({ items: await connected().messages.reactions(query) }),
  }),
]

const deliveryRoutes = (connected: () => Messaging) => [
  route({
    operation: 'deliveries.list',
    summary: 'Messages to chat apps and their state, newest first',
    query: z.strictObject({ ...pageQuery, state: z.enum(responses.deliveryStates).optional(), search: line(200).optional() }),
    status: 200,
    response: responses.deliveries,
    async handle({ query, hidden }) {
      const page = await connected().deliveries.list(query)
      return { ...page, items: await Promise.all(page.items.map(hidden.inDelivery)) }
    },
  }),
  route({
    operation: 'deliveries.get',
    summary: 'One delivery',
    params: byId,
    status: 200,
    response: responses.delivery,
    handle: async ({ params, hidden }) => hidden.inDelivery(await connected().deliveries.get(params.id)),
  }),
  route({
    operation: 'deliveries.retry',
    summary: 'Retry a stuck delivery. An unconfirmed one may then arrive twice',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.delivery,
    handle: async ({ params, caller, hidden }) => hidden.inDelivery(await connected().deliveries.retry(params.id, caller)),
  }),
  route({
    operation: 'deliveries.confirm',
    summary: 'Say that an unconfirmed delivery arrived. Nothing is sent again',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.delivery,
    handle: async ({ params, caller, hidden }) => hidden.inDelivery(await connected().deliveries.confirm(params.id, caller)),
  }),
  route({
    operation: 'deliveries.dismiss',
    summary: 'Dismiss a stuck delivery. It can still be retried',
    params: byId,
    body: nothing,
    status: 200,
    response: responses.delivery,
    handle: async ({ params, caller, hidden }) => hidden.inDelivery(await connected().deliveries.dismiss(params.id, caller)),
  }),
]

const channelRoutes = (messaging: Messaging | undefined, connected: () => Messaging) => [
  route({
    operation: 'channels.list',
    summary: 'The accounts that are connected',
    status: 200,
    response: responses.channels,
    handle: async () => ({ items: messaging?.channels.list() ?? [] }),
  }),
  route({
    operation: 'channels.test',
    summary: 'Check the account with the platform; with a target, send a test message there',
    params: named,
    body: z.strictObject({ target: targetName.optional() }),
    status: 200,
    response: responses.tested,
    handle: async ({ params, body, caller }) => connected().channels.test(params.name, caller, body.target),
  }),
  route({
    operation: 'channels.webhook',
    forPlatforms: true,
    summary: 'Webhook for the platform. Accepted only with a valid signature',
    params: named,
    status: 200,
    response: fine,
    async handle({ params, raw }) {
      // A stranger learns nothing here, not even which accounts there are by name.
      const became = (await messaging?.webhook(params.name, raw)) ?? 'unknown'
      if (became instanceof Response) return { raw: became }
      if (became === 'forged') throw new ParleyError('inbound_forged')
      if (became === 'unreadable') throw new ParleyError('inbound_unreadable')
      throw new ParleyError('not_found', { path: 'this address' })
    },
  }),
]

const code = line(messagingLimits.codeChars).refine((value) => value !== '', 'is empty')

const pairingRoutes = (connected: () => Messaging) => [
  route({
    operation: 'requests.list',
    summary: 'Requests of senders, accepted senders and their dialogs',
    query: z.strictObject({ state: z.enum(responses.pairingStates).optional() }),
    status: 200,
    response: responses.pairings,
    handle: async ({ query }) => ({ items: await connected().pairings.list(query.state) }),
  }),
  route({
    operation: 'requests.accept',
    summary: 'Accept the request with this code, into a new dialog or the named one',
    body: z.strictObject({ code, dialog: id.optional() }),
    status: 200,
    response: responses.pairing,
    handle: async ({ body, caller }) => connected().pairings.accept(body.code, caller, body.dialog),
  }),
  route({
    operation: 'requests.decline',
    summary: 'Decline a request; the sender can ask again',
    body: z.strictObject({ code }),
    status: 200,
    response: responses.pairing,
    handle: async ({ body, caller }) => connected().pairings.decline(body.code, caller),
  }),
  route({
    operation: 'requests.block',
    summary: 'Block an address',
    body: place,
    status: 200,
    response: responses.pairing,
    handle: async ({ body, caller }) => connected().pairings.block(body, caller),
  }),
  route({
    operation: 'requests.unblock',
    summary: 'Unblock an address; the sender can ask again',
    body: place,
    status: 200,
    response: responses.pairing,
    handle: async ({ body, caller }) => connected().pairings.unblock(body, caller),
  }),
  route({
    operation: 'requests.bind',
    summary: 'Bind an address to a dialog',
    body: z.strictObject({ ...at, dialog: id }),
    status: 200,
    response: responses.pairing,
    handle: async ({ body: { dialog, ...where }, caller }) => connected().pairings.bind(where, dialog, caller),
  }),
  route({
    operation: 'requests.unbind',
    summary: 'Remove the binding',
    body: place,
    status: 200,
    response: responses.pairing,
    handle: async ({ body, caller }) => connected().pairings.unbind(body, caller),
  }),
  route({
    operation: 'unclaimed.list',
    summary: 'Unclaimed messages, newest first',
    status: 200,
    response: responses.unclaimedOnes,
    handle: async () => ({ items: await connected().unclaimed() }),
  }),
  route({
    operation: 'unclaimed.dismiss',
    summary: 'Dismiss an unclaimed message',
    body: z.strictObject({
      channel: channelName,
      address: targetName,
      id: line(messagingLimits.unclaimedIdChars).refine((value) => value !== '', 'is empty'),
    }),
    status: 204,
    handle: async ({ body, caller }) => connected().dismissUnclaimed(body, caller),
  }),
]
