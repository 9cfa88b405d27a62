import type { Metrics } from '../ports/metrics.ts'

export type PrometheusMetrics = Metrics & { text(): string }

/** Seconds, from a memory read to a slow model. */
const bounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

/** A label with ever new values would fill the memory; beyond this, they share one line. */
const seriesPerName = 500

type Histogram = { counts: number[]; sum: number; count: number }

/** Numbers as Prometheus reads them. */
export function prometheus(): PrometheusMetrics {
  const counters = new Map<string, Map<string, number>>()
  const histograms = new Map<string, Map<string, Histogram>>()
  const gauges = new Map<string, () => number>()

  function series<Value>(
    all: Map<string, Map<string, Value>>,
    name: string,
    labels: Record<string, string> | undefined,
    fresh: () => Value,
  ): [Map<string, Value>, string] {
    const named = all.get(name) ?? new Map<string, Value>()
    all.set(name, named)
    let key = listLabels(labels)
    if (!named.has(key) && named.size >= seriesPerName) key = '{overflow="true"}'
    if (!named.has(key)) named.set(key, fresh())
    return [named, key]
  }

  return {
    count(name, by = 1, labels) {
      const [named, key] = series(counters, name, labels, () => 0)
      named.set(key, (named.get(key) ?? 0) + by)
    },
    observe(name, seconds, labels) {
      const [named, key] = series(histograms, name, labels, () => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }))
      const histogram = named.get(key) as Histogram
      const bucket = bounds.findIndex((bound) => seconds <= bound)
      if (bucket >= 0) histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1
      histogram.sum += seconds
      histogram.count += 1
    },
    gauge(name, read) {
      gauges.set(name, read)
    },
    text() {
      const lines: string[] = []
      for (const [name, named] of counters) {
        lines.push(`# TYPE parley_${name} counter`)
        for (const [labels, value] of named) lines.push(`parley_${name}${labels} ${value}`)
      }
      for (const [name, read] of gauges) lines.push(`# TYPE parley_${name} gauge`, `parley_${name} ${read()}`)
      for (const [name, named] of histograms) {
        lines.push(`# TYPE parley_${name} histogram`)
        for (const [labels, { counts, sum, count }] of named) {
          let below = 0
          bounds.forEach((bound, index) => {
            below += counts[index] ?? 0
            lines.push(`parley_${name}_bucket${withLabel(labels, 'le', String(bound))} ${below}`)
          })
          lines.push(
            `parley_${name}_bucket${withLabel(labels, 'le', '+Inf')} ${count}`,
            `parley_${name}_sum${labels} ${sum}`,
            `parley_${name}_count${labels} ${count}`,
          )
        }
      }
      return `${lines.join('\n')}\n`
    },
  }
}

function listLabels(labels: Record<string, string> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(
    ([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const withLabel = (labels: string, name: string, value: string): string =>
  labels === '' ? `{${name}="${value}"}` : `${labels.slice(0, -1)},${name}="${value}"}`
