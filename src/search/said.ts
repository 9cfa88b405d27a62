import type { DialogEvent, Participant } from '../dialogs/rules/dialog-events.ts'
import { listOptions } from '../dialogs/rules/question.ts'
import type { NewEvent } from '../ports/store.ts'

export type SaidKind = 'message' | 'question' | 'answer' | 'request' | 'title'

/** A text of a person or an agent. `item`: where the page shows it; null for the dialog itself. */
export type Said = { kind: SaidKind; item: string | null; by: Participant | null; text: string; at: number }

type SaidEvent = Extract<DialogEvent, { type: (typeof saidTypes)[number] }>

/** Events with something that was said. A reply to a request is said in the dialog that was asked. */
export const saidTypes = [
  'dialog.titled',
  'dialog.branched',
  'message.said',
  'question.asked',
  'question.answered',
  'question.declined',
  'tellask.made',
  'turn.stopped',
] as const satisfies readonly DialogEvent['type'][]

const withNames = (text: string, files: readonly { name: string }[] = []): string => [text, ...files.map(({ name }) => name)].join('\n')

/** Everything that was said in an event. Calls that wait for an approval are not part of it. */
export function listSaid(event: NewEvent & { seq: number }): Said[] {
  const { seq, at } = event
  const one = (kind: SaidKind, item: string | null, by: Participant | null, text: string): Said[] =>
    text.trim() === '' ? [] : [{ kind, item, by, text, at }]
  const typedEvent = event as unknown as SaidEvent
  switch (typedEvent.type) {
    case 'dialog.titled': {
      const { by, title } = typedEvent.data
      return by === 'first-words' ? [] : one('title', null, null, title)
    }
    case 'dialog.branched':
      return typedEvent.data.messages.map(({ message, by, text, files, at: then }) => ({
        kind: 'message',
        item: message,
        by,
        text: withNames(text, files),
        at: then,
      }))
    case 'message.said': {
      const { message, by, text, files } = typedEvent.data
      return one('message', message, by, withNames(text, files))
    }
    case 'question.asked': {
      const { approval, purpose, question, by, ask } = typedEvent.data
      if (approval || purpose === 'approval') return []
      const parts = ask.items.flatMap((item) => [item.text, ...listOptions(item).map(({ label }) => label)])
      return one('question', question, by, [ask.text, ...parts].filter((text) => text !== '').join('\n'))
    }
    case 'question.answered': {
      const { question, by, answers, decision, note } = typedEvent.data
      const words = [...(decision === undefined ? Object.values(answers) : []), ...(note === undefined ? [] : [note])]
      return one('answer', question, by, words.join('\n'))
    }
    case 'question.declined': {
      const { question, by, reason } = typedEvent.data
      return one('answer', question, by, reason ?? '')
    }
    case 'tellask.made':
      return one('request', typedEvent.data.tellask, null, typedEvent.data.content)
    case 'turn.stopped':
      return one('message', `stopped-${seq}`, null, typedEvent.data.text ?? '')
    default:
      typedEvent satisfies never
      return []
  }
}
