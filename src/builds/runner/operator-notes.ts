import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { StoredEvent } from '../../ports/store.ts'

/** Tells the operator what a person never sees: what was held back, dropped, or went wrong. It is in the log of events as well. */
export function operatorNotes(log: Log, metrics: Metrics): (build: string, events: readonly StoredEvent[]) => void {
  return (build, events) => {
    for (const { type, data } of events) {
      switch (type) {
        case 'build.words.guarded':
          metrics.count('build_words_guarded_total')
          log('info', 'words of a build were not shown as they were said', { build, ...data })
          break
        case 'build.faulted':
          metrics.count('build_faults_total', 1, { rule: (data as { rule: string }).rule })
          log('warn', 'an agent broke a rule of builds; what it sent was dropped', { build, ...data })
          break
        case 'build.unheard':
          log('warn', 'a build ended before its agent received an additional message', { build, ...data })
          break
        case 'build.failed':
          log('warn', 'a build was ended', { build, ...data })
          break
        case 'session.completed':
        case 'session.failed':
          metrics.count('builds_total', 1, { outcome: type === 'session.completed' ? 'complete' : 'failed' })
          break
      }
    }
  }
}
