import type { Outbox } from '../delivery/outbox.ts'
import type { BindingState } from '../inbound/binding-state.ts'
import type { InboundPorts } from '../inbound/inbound-ports.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { messagingWords } from './messaging-words.ts'
import type { Place } from './reply-names.ts'

type Request = Parameters<NonNullable<InboundPorts['askOwner']>>[0]
type Spoken = keyof typeof messagingWords

const aboutOf = (stream: string, code: string): string => `pairing:${stream}:${code}`

/** The address such a message is about. */
export const streamAsked = (about: string): string => about.slice('pairing:'.length, about.lastIndexOf(':'))

/** Whether somebody may write here, asked in the owner's own chats and closed there however it was decided. */
export function pairingRequests({
  outbox,
  notify,
  languageOf,
}: {
  outbox: Pick<Outbox, 'plan' | 'about' | 'edit'>
  notify: () => readonly Place[]
  languageOf: (channel: string) => Spoken
}): {
  ask(request: Request): Promise<void>
  /** Every copy shows who decided, and has nothing left to tap. */
  close(stream: string, state: BindingState, by: string): Promise<void>
} {
  return {
    async ask({ stream, channel, from, code, text, requestedAt }) {
      for (const place of notify()) {
        const words = messagingWords[languageOf(place.channel)]
        const { presentation } = asked(languageOf(place.channel), from.name, channel, text)
        const blocks = presentation?.blocks ?? []
        await outbox.plan({
          ...place,
          message: {
            presentation: {
              tone: 'info',
              blocks: [
                ...blocks,
                { type: 'text', text: words.code(code) },
                {
                  type: 'buttons',
                  buttons: [
                    { label: words.letIn, style: 'success', action: { type: 'callback', value: `accept:${code}` } },
                    { label: words.notNow, action: { type: 'callback', value: `decline:${code}` } },
                  ],
                },
              ],
            },
          },
          about: aboutOf(stream, code),
          once: `pairing:${stream}:${requestedAt}:${place.channel}:${place.address}`,
        })
      }
    },
    async close(stream, { pairing, channel, status }, by) {
      if (!pairing || status === 'requested') return
      const isIn = status === 'accepted' || status === 'bound'
      for (const copy of await outbox.about(aboutOf(stream, pairing.code))) {
        const language = languageOf(copy.channel)
        const words = messagingWords[language]
        const { presentation } = asked(language, pairing.from.name, channel, '')
        const outcome = isIn ? words.wasLetIn(by) : words.wasNotLetIn(by)
        await outbox.edit(copy.id, { presentation: { blocks: [...(presentation?.blocks ?? []), { type: 'text', text: outcome }] } })
      }
    },
  }
}

const asked = (language: Spoken, name: string, channel: string, text: string): ReplyPayload => ({
  presentation: {
    blocks: [
      { type: 'text', text: messagingWords[language].wantsIn(name, channel) },
      ...(text === '' ? [] : [{ type: 'context' as const, text }]),
    ],
  },
})
