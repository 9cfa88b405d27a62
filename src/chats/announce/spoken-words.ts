import type { DialogEvent } from '../dialog/events.ts'
import type { StoredEvent } from '../ports/store.ts'

/** `knew`: the number of the last event that was known when it was said. */
type Said = { seq: number; knew: number; text: string }

/** What the agent of a dialog said to people and what they were not told yet; what it answers to a teammate is not among it. */
export type SpokenWords = {
  hear(event: StoredEvent & DialogEvent): void
  /** All of it, which is told from now on. */
  take(): string
  /** The number of the first words that are still to be told. */
  since(): number | null
}

export function spokenWords(): SpokenWords {
  let said: Said[] = []
  let knew = 0
  /** The last words of a person that no turn has ended on. */
  let asked: number | null = null
  const received = new Map<string, number>()

  /** Made in knowledge of the teammate's question, so meant for them; unless a person, too, has nothing but these words as an answer. */
  function isForTeammate(one: Said, since: number): boolean {
    if (one.knew < since) return false
    if (asked === null || asked > one.knew) return true
    const waitsSince = asked
    return said.some((other) => other.knew >= waitsSince && other.knew < since)
  }

  return {
    hear(event) {
      const { type, seq, data } = event
      if (type === 'generation.finished') knew = data.seen ?? seq - 1
      else if (type === 'message.said' && data.by.kind === 'agent') said.push({ seq, knew, text: data.text })
      else if (type === 'message.said') asked = seq
      else if (type === 'turn.stopped' && data.text !== null) said.push({ seq, knew: seq, text: data.text })
      else if (type === 'tellask.received') received.set(data.tellask, seq)
      else if (type === 'reply.given') {
        // One that came before all that is read here was known to all of it.
        const since = received.get(data.tellask) ?? 0
        said = said.filter((one) => !isForTeammate(one, since))
      } else if (type === 'turn.finished' && asked !== null && asked <= data.seen) asked = null
    },
    take() {
      const text = said.map((one) => one.text).join('\n\n')
      said = []
      return text
    },
    since: () => said[0]?.seq ?? null,
  }
}
