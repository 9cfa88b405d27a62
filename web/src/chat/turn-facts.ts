import type { EventView } from '../../../src/shapes/wire.ts'

export type Lane = 'model' | 'tools' | 'waiting'

/** The parts of a turn in their order, and how long each took. */
export type TurnFacts = { parts: { lane: Lane; ms: number }[]; sums: Record<Lane, number>; calls: number }

/**
 * The work since the last message of a person. A person who is waited for counts before a tool that waits with them, and a tool
 * before the model. Time in which nothing of the three went on is left out.
 */
export function turnFacts(events: readonly EventView[], now: number): TurnFacts {
  const from = events.findLastIndex(
    (event) => event.type === 'message.said' && (readData(event)['by'] as { kind?: string } | undefined)?.kind === 'human',
  )
  const facts: TurnFacts = { parts: [], sums: { model: 0, tools: 0, waiting: 0 }, calls: 0 }
  const questions = new Set<string>()
  const calls = new Set<string>()
  let isGenerating = false
  let since: number | null = null
  const add = (until: number): void => {
    const lane = questions.size > 0 ? 'waiting' : calls.size > 0 ? 'tools' : isGenerating ? 'model' : null
    const ms = since === null ? 0 : until - since
    since = until
    if (lane === null || ms <= 0) return
    facts.sums[lane] += ms
    const last = facts.parts.at(-1)
    if (last?.lane === lane) last.ms += ms
    else facts.parts.push({ lane, ms })
  }
  for (const event of events.slice(Math.max(0, from))) {
    add(event.at)
    const data = readData(event)
    switch (event.type) {
      case 'generation.started':
        isGenerating = true
        break
      case 'generation.finished':
      case 'generation.failed':
        isGenerating = false
        break
      case 'tool.called':
        facts.calls += 1
        calls.add(readText(data['call']))
        break
      case 'tool.returned':
        calls.delete(readText(data['call']))
        break
      case 'question.asked':
        questions.add(readText(data['question']))
        break
      case 'question.answered':
      case 'question.declined':
      case 'question.cancelled':
      case 'question.expired':
        questions.delete(readText(data['question']))
        break
      case 'turn.finished':
      case 'turn.failed':
      case 'turn.stopped':
      case 'turn.cut':
        isGenerating = false
        calls.clear()
        break
    }
  }
  add(now)
  return facts
}

const readData = (event: EventView): Record<string, unknown> => event.data as Record<string, unknown>

const readText = (value: unknown): string => (typeof value === 'string' ? value : '')
