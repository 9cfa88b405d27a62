import { authorityWords } from '../words/index.ts'
import { plainFact, wordFact } from '../authority/shown-fact.ts'
import { messageSubjects } from '../authority/subjects/tool-subjects.ts'
import { canonicalJson } from '../authority/tool-hash.ts'
import type { ShownCall } from '../dialogs/rules/approval.ts'
import { ParleyError } from '../errors.ts'
import { normaliseMessage } from '../chats/message/normalise.ts'
import { textReading } from '../chats/message/text-reading.ts'
import type { Messaging } from '../shapes/messaging.ts'
import type { CallScene, ToolGate } from '../ports/tool-gate.ts'
import { messageActions, messageSchema } from './message-schema.ts'
import type { MessageCommand } from './message-tool.ts'

/** The gate of `message`: its subject is the address that the target stands for at this moment. */
export function messageGate(messaging: () => Messaging | null): ToolGate {
  const connected = (): Messaging => {
    const chats = messaging()
    if (!chats) throw new ParleyError('no_channels')
    return chats
  }
  return {
    kind: 'message',
    // The schema changes with the connected chat apps; a grant is for the tool as a whole.
    stableSchema: messageSchema({ actions: messageActions, presentation: true, pin: true }),
    async subjects(input, { dialog }) {
      const { action, channel, target, dryRun = false } = input as MessageCommand
      const place = await connected().messages.resolve({ channel, target }, dialog)
      // Only words of the agent's own are talk; a reaction, a pin or a removal concerns messages of others too.
      const isTalk = place.isOwn && (action === 'send' || action === 'edit')
      // A trial leaves nothing anywhere.
      const isTrial = dryRun && action === 'send'
      return messageSubjects(`${place.channel}:${place.address}`, isTalk || isTrial, place.isUnresolved === true && !isTrial)
    },
    show: (input, scene) => shownMessage(input as MessageCommand, scene, connected()),
  }
}

/** As its recipient sees it; whatever a recipient does not see, such as values of buttons, follows as JSON. */
async function shownMessage(command: MessageCommand, { dialog, language }: CallScene, { messages }: Messaging): Promise<ShownCall> {
  const { action, channel, target, message, presentation, delivery, media, replyTo, silent, messageId, emoji } = command
  const words = authorityWords[language].shown
  const place = await messages.resolve({ channel, target }, dialog)
  const fact = (name: keyof typeof words, value: string | undefined): ShownCall['facts'] =>
    value === undefined ? [] : [plainFact(words, name, value)]
  const losses: string[] = []
  let text = emoji ?? ''
  const reading = (): string => {
    const read = normaliseMessage({
      ...(message !== undefined && { text: message }),
      ...(presentation !== undefined && { presentation }),
      ...(media !== undefined && { media: [media] }),
    })
    if ('refused' in read) throw new ParleyError(read.refused.code, read.refused.details)
    return textReading(read.message)
  }
  if (action === 'send') {
    try {
      const dry = await messages.dryRun({ channel, target, message, presentation, delivery, media, replyTo, silent, from: dialog })
      text = dry.text
      losses.push(...dry.losses.map(({ what, from, to }) => `${what}: ${from} → ${to}`))
    } catch (error) {
      // It is sent when the account is connected again; until then it is unknown how that channel shows it.
      if (!(error instanceof ParleyError && error.code === 'channel_off')) throw error
      text = reading()
    }
  } else if (action === 'edit') text = reading()
  const hidden = { ...(presentation !== undefined && { presentation }), ...(delivery !== undefined && { delivery }) }
  if (Object.keys(hidden).length > 0) text += `\n\n${JSON.stringify(JSON.parse(canonicalJson(hidden)), null, 2)}`
  return {
    kind: 'message',
    target: `${place.channel}:${place.address}`,
    server: '',
    text,
    facts: [
      ...(action === 'send' ? [] : fact('action', action)),
      ...fact('message', messageId),
      ...fact('replyTo', replyTo),
      ...fact('media', media),
      ...(silent ? [wordFact(words, 'silent', 'yes')] : []),
      ...fact('differs', losses.length > 0 ? losses.join('; ') : undefined),
    ],
  }
}
