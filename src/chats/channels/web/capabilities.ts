import { mediaKinds } from '../../message/media.ts'
import { buttonStyles, tones } from '../../message/presentation.ts'
import type { CapabilitySheet } from '../../../ports/channel.ts'

/** The page draws everything a message can say, and the server it belongs to has no rates of its own. */
export const webCapabilities: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    selects: true,
    context: true,
    divider: true,
    tones,
    images: true,
    tables: true,
    charts: true,
    media: mediaKinds,
    limits: {
      text: { encoding: 'utf16-units', markdownDialect: 'markdown', supportsEdit: true },
      actions: { styles: buttonStyles, supportsDisabled: true, supportsCopyText: true },
    },
  },
  delivery: {
    pinSentMessage: false,
    idempotency: { keyForMs: 5 * 60_000 },
    editing: { ability: 'whole' },
    streaming: 'edit',
    removeSentMessage: true,
    react: false,
    tapDeadlineMs: 10_000,
    tapAnswer: 'call',
    maxToastLength: 200,
    rates: [],
  },
}
