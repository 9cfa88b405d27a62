import type { ChannelKind, OpenAccount } from '../../ports/channel-kind.ts'
import { systemClock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import { issueInWords } from '../../shapes/issue-words.ts'

/** Opens an account without connecting it: it is only asked for its name, and may send one message. */
export function openForCheck(kind: ChannelKind, name: string, settings: object): OpenAccount | { problem: string } {
  const read = kind.config.safeParse(settings)
  if (!read.success) return { problem: read.error.issues.map(issueInWords).join('; ') }
  const parts = {
    take: async () => {},
    readFile: async () => ({ problem: 'files are not sent from here' }),
    reading: { isOn: false, until: async () => {} },
    cursor: { read: async () => null, write: async () => {} },
    clock: systemClock,
    log: silentLog,
  }
  return kind.open({ name, config: read.data }, { ...parts, signal: AbortSignal.abort(), publicUrl: null })
}
