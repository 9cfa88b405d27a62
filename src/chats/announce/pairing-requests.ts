import type { ClosingMessages } from './closing-messages.ts'
import type { Language } from '../../shapes/language.ts'
import { messagingWords } from '../../words/index.ts'
import type { People } from '../../authority/people.ts'
import { isAtLeast } from '../../authority/roles.ts'
import type { Sender } from '../../ports/channel.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import { type BindingView, inboundViews } from '../bindings/binding-kind.ts'
import type { BindingState } from '../bindings/binding-state.ts'
import type { Bindings } from '../bindings/bindings.ts'
import type { ChatAddress } from '../bindings/chat-address.ts'
import type { Connections } from '../connections.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import type { Outbox } from '../outbox/outbox.ts'

/** A stranger who asks to write here. `stream` is the stream of their address. */
type PairingRequest = { stream: string; channel: string; from: Sender; code: string; text: string; requestedAt: number }

const aboutPairing = (stream: string, code: string): string => `pairing:${stream}:${code}`

/** True for a message about a pairing request. */
export const isAboutPairing = (about: string): boolean => about.startsWith('pairing:')

/** Pairing requests in the owner's chats. Every copy shows the decision, wherever it was made. */
export type PairingRequests = {
  /** Once for each request. */
  notifyOwner(request: PairingRequest): Promise<void>
  /** Names of the people with the capability `pair`. */
  deciderNames(): string[]
  /** False once the request of this message is decided. */
  isOpen(about: string): Promise<boolean>
  accept(code: string, by: string, more?: { dialog?: string | undefined; once?: string | undefined }): Promise<BindingView>
  decline(code: string, by: string, once?: string): Promise<BindingView>
  block(at: ChatAddress, by: string): Promise<BindingView>
}

export function pairingRequests(parts: {
  store: Store
  outbox: Pick<Outbox, 'plan' | 'about'>
  closing: ClosingMessages
  connections: Pick<Connections, 'connection'>
  streams: Pick<StreamHandler<BindingState, never>, 'load'>
  bindings: Pick<Bindings, 'accept' | 'decline' | 'block'>
  /** The owner's own chats. */
  notify: () => readonly ChatAddress[]
  people: () => People
}): PairingRequests {
  const { store, outbox, closing, connections, streams, bindings, notify, people } = parts
  const getLanguage = (channel: string): Language => connections.connection(channel)?.config.language ?? 'en'

  async function closeCopies(view: BindingView, by: string): Promise<BindingView> {
    const { pairing, channel, status } = await streams.load(view.stream)
    if (!pairing || status === 'requested') return view
    const isIn = status === 'accepted' || status === 'bound'
    for (const copy of await outbox.about(aboutPairing(view.stream, pairing.code))) {
      const language = getLanguage(copy.channel)
      const words = messagingWords[language]
      const outcome = isIn ? words.wasAccepted(by) : words.wasDeclined(by)
      const blocks = [...requestBlocks(language, pairing.from.name, channel, ''), { type: 'text' as const, text: outcome }]
      await closing.close(copy, { presentation: { blocks } })
    }
    return view
  }

  return {
    async notifyOwner({ stream, channel, from, code, text, requestedAt }) {
      for (const at of notify()) {
        const language = getLanguage(at.channel)
        await outbox.plan({
          ...at,
          message: requestMessage(language, requestBlocks(language, from.name, channel, text), code),
          about: aboutPairing(stream, code),
          once: `pairing:${stream}:${requestedAt}:${at.channel}:${at.address}`,
        })
      }
    },
    deciderNames: () => people().flatMap(({ name, role }) => (isAtLeast(role, 'operator') ? [name] : [])),
    async isOpen(about) {
      const stream = about.slice('pairing:'.length, about.lastIndexOf(':'))
      const row = await store.row(inboundViews.bindings, stream)
      return (row?.body as BindingView | undefined)?.state === 'requested'
    },
    accept: async (code, by, { dialog, once } = {}) => closeCopies(await bindings.accept(code, by, dialog, once), by),
    decline: async (code, by, once) => closeCopies(await bindings.decline(code, by, once), by),
    block: async (at, by) => closeCopies(await bindings.block(at, by), by),
  }
}

type Blocks = NonNullable<ReplyPayload['presentation']>['blocks']

const requestBlocks = (language: Language, name: string, channel: string, text: string): Blocks => [
  { type: 'text', text: messagingWords[language].requestToWrite(name, channel) },
  ...(text === '' ? [] : [{ type: 'context' as const, text }]),
]

function requestMessage(language: Language, blocks: Blocks, code: string): ReplyPayload {
  const words = messagingWords[language]
  return {
    presentation: {
      tone: 'info',
      blocks: [
        ...blocks,
        { type: 'text', text: words.code(code) },
        {
          type: 'buttons',
          buttons: [
            { label: words.accept, style: 'success', action: { type: 'callback', value: `accept:${code}` } },
            { label: words.decline, action: { type: 'callback', value: `decline:${code}` } },
          ],
        },
      ],
    },
  }
}
