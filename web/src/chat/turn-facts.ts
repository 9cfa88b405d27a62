import type { EventView } from '../../../src/shapes/wire.ts'

export type Lane = 'model' | 'tools' | 'waiting'

/** A call of a model. Tokens are null where its server does not count them. */
export type ModelCall = {
  model: string | null
  ms: number
  state: 'running' | 'done' | 'failed'
  input: number | null
  output: number | null
  cached: number | null
  money: number
}

/** The parts of a turn in their order, and how long each took. */
export type TurnFacts = {
  parts: { lane: Lane; ms: number }[]
  sums: Record<Lane, number>
  /** Of tools. */
  calls: number
  modelCalls: ModelCall[]
}

/**
 * The work since the last message of a person. A person who is waited for counts before a tool that waits with them, and a tool
 * before the model. Time in which nothing of the three went on is left out.
 */
export function turnFacts(events: readonly EventView[], now: number): TurnFacts {
  const from = events.findLastIndex(
    (event) => event.type === 'message.said' && (readData(event)['by'] as { kind?: string } | undefined)?.kind === 'human',
  )
  const facts: TurnFacts = { parts: [], sums: { model: 0, tools: 0, waiting: 0 }, calls: 0, modelCalls: [] }
  let calledAt = 0
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
        calledAt = event.at
        break
      case 'generation.finished':
      case 'generation.failed':
        // Scripted agents say only that they have finished.
        if (isGenerating || readUsage(data).input !== null)
          facts.modelCalls.push({
            model: typeof data['model'] === 'string' ? data['model'] : null,
            ms: isGenerating ? event.at - calledAt : 0,
            state: event.type === 'generation.finished' ? 'done' : 'failed',
            ...readUsage(data),
          })
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
  if (isGenerating) facts.modelCalls.push({ model: null, ms: now - calledAt, state: 'running', ...readUsage({}) })
  return facts
}

const readNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function readUsage({ usage, spent }: Record<string, unknown>): Pick<ModelCall, 'input' | 'output' | 'cached' | 'money'> {
  const { inputTokens, outputTokens, cachedTokens } = (usage ?? {}) as Record<string, unknown>
  return {
    input: readNumber(inputTokens),
    output: readNumber(outputTokens),
    cached: readNumber(cachedTokens),
    money: readNumber((spent as { money?: unknown } | undefined)?.money) ?? 0,
  }
}

const readData = (event: EventView): Record<string, unknown> => event.data as Record<string, unknown>

const readText = (value: unknown): string => (typeof value === 'string' ? value : '')
