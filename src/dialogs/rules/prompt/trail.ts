import type { Arrival, OutputPart, PromptItem } from './prompt-items.ts'

export const trailLimits = { calls: 20, outputs: 5, outputChars: 300, inputChars: 120, chars: 6_000 } as const

/** The last steps of a course that was cut: its calls with their arguments and ends, and the beginnings of its last words. */
export function trailText(items: readonly PromptItem[]): string {
  const lateEnds = new Map(items.flatMap((item) => (item.kind === 'arrival' ? findLateEnd(item.arrival) : [])))
  const inputs = new Map(items.flatMap((item) => (item.kind === 'output' ? item.parts.flatMap(describeInput) : [])))
  const calls = items
    .flatMap((item) =>
      item.kind === 'result'
        ? [`- ${item.tool} (${item.handle})${inputs.get(item.call) ?? ''}: ${lateEnds.get(item.handle) ?? howItEnded(item)}`]
        : [],
    )
    .slice(-trailLimits.calls)
  const words = items
    .flatMap((item) => {
      const text =
        item.kind === 'output'
          ? item.parts
              .flatMap((part) => (part.type === 'words' ? [part.text] : []))
              .join('\n')
              .trim()
          : ''
      return text === '' ? [] : [`> ${text.slice(0, trailLimits.outputChars).toWellFormed().replaceAll('\n', '\n> ')}`]
    })
    .slice(-trailLimits.outputs)
  return [...calls, ...words].join('\n').slice(0, trailLimits.chars).toWellFormed()
}

/** The beginning of the arguments, on one line: without them, calls of one tool cannot be told apart. */
function describeInput(part: OutputPart): [call: string, text: string][] {
  if (part.type !== 'call') return []
  const text = JSON.stringify(part.input)
  if (text === '{}') return []
  return [[part.call, ` ${text.length > trailLimits.inputChars ? `${text.slice(0, trailLimits.inputChars).toWellFormed()}…` : text}`]]
}

/** The end of a call whose result says that it waits. */
function findLateEnd(arrival: Arrival): [handle: string, end: string][] {
  switch (arrival.kind) {
    case 'reply':
      return [[arrival.to, arrival.status === 'failed' ? 'failed' : 'ok']]
    case 'answer':
      return [[arrival.to, arrival.outcome === 'answered' ? 'ok' : arrival.outcome]]
    case 'outcome':
      return [[arrival.of, arrival.stopped ? 'stopped' : arrival.ok ? 'ok' : 'failed']]
    case 'message':
    case 'request':
    case 'ask-back':
    case 'data':
      return []
  }
}

function howItEnded({ result }: Extract<PromptItem, { kind: 'result' }>): string {
  switch (result.is) {
    case 'outcome':
    case 'shortened':
      return result.ok ? 'ok' : 'failed'
    case 'waiting':
      return 'waiting'
    case 'stopped':
      return 'stopped'
    case 'interrupted':
      return 'unknown'
  }
}
