import type { DialogEvent } from '../../dialogs/rules/dialog-events.ts'
import type { StoredEvent } from '../../ports/store.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { joinMessages, type ShownMessage } from '../message/shown-message.ts'

/** `knew`: the number of the last event that was known when it was said. */
type Said = { seq: number; knew: number; text: string; shown?: ShownMessage | undefined; message?: string }

/** Messages of the agent to people that were not announced yet; replies to teammates are not included. */
export type SpokenWords = {
  hear(event: StoredEvent & DialogEvent): void
  /** All of it, which is told from now on. `shown`: ids of the messages with a presentation. */
  take(): { message: ReplyPayload; shown: readonly string[] }
  /** The number of the first words that are still to be told. */
  since(): number | null
}

export function spokenWords(): SpokenWords {
  let texts: Said[] = []
  let knew = 0
  /** The last words of a person that no turn has ended on. */
  let questionSeq: number | null = null
  const received = new Map<string, number>()

  /** Made in knowledge of the teammate's question, so meant for them; unless a person, too, has nothing but these words as an answer. */
  function isForTeammate(one: Said, since: number): boolean {
    if (one.knew < since) return false
    if (questionSeq === null || questionSeq > one.knew) return true
    const waitsSince = questionSeq
    return texts.some((other) => other.knew >= waitsSince && other.knew < since)
  }

  return {
    hear(event) {
      const { type, seq, data } = event
      if (type === 'generation.finished') knew = data.seen ?? seq - 1
      else if (type === 'message.said' && data.by.kind === 'agent')
        texts.push({ seq, knew, text: data.text, shown: data.shown, message: data.message })
      else if (type === 'message.said') questionSeq = seq
      else if (type === 'turn.stopped' && data.text !== null) texts.push({ seq, knew: seq, text: data.text })
      else if (type === 'tellask.received') received.set(data.tellask, seq)
      else if (type === 'reply.given') {
        // One that came before all that is read here was known to all of it.
        const since = received.get(data.tellask) ?? 0
        texts = texts.filter((one) => !isForTeammate(one, since))
      } else if (type === 'turn.finished' && questionSeq !== null && questionSeq <= data.seen) questionSeq = null
    },
    take() {
      const items = texts
      texts = []
      const message = joinMessages(items.map(({ text, shown }) => shown ?? { words: text }))
      return { message, shown: items.flatMap(({ shown, message: id }) => (shown && id !== undefined ? [id] : [])) }
    },
    since: () => texts[0]?.seq ?? null,
  }
}
