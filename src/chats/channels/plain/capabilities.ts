import type { CapabilitySheet } from '../../../ports/channel.ts'

/** Text and nothing else: a terminal, a log, a channel without a capability sheet. */
export const plainCapabilities: CapabilitySheet = {
  presentation: { supported: false, limits: { text: { encoding: 'utf16-units', markdownDialect: 'none', supportsEdit: false } } },
  delivery: {
    pinSentMessage: false,
    idempotency: null,
    editing: { ability: 'none' },
    streaming: 'none',
    removeSentMessage: false,
    react: false,
    tapDeadlineMs: 0,
    tapAnswer: 'call',
    maxToastLength: 0,
    rates: [],
  },
}
