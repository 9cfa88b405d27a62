import type { AdaptedBlock, BlockCost, CapabilitySheet } from '../../../ports/channel.ts'
import { toComponents } from './flex.ts'
import { lineLimits as limits } from './limits.ts'
import { toShown } from './plain-text.ts'

/** Text counts towards the limit of a text message, and the components of a card towards the bytes of its bubble. */
function cost(block: AdaptedBlock): BlockCost {
  return { text: countText(block), blocks: 1, bytes: Buffer.byteLength(JSON.stringify(toComponents(block))) }
}

function countText(block: AdaptedBlock): number {
  if (block.type === 'title') return block.text.length + 2
  // An empty line stands between two blocks.
  if (block.type === 'text' || block.type === 'context') return Math.max(block.text.length, toShown(block).length) + 2
  return block.type === 'image' ? block.alt.length : 0
}

export const lineCapabilities: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    selects: true,
    context: true,
    divider: true,
    tones: [],
    toneSigns: { info: 'ℹ️', success: '✅', warning: '⚠️', danger: '⛔' },
    images: true,
    tables: false,
    charts: false,
    media: ['image'],
    cost,
    limits: {
      text: {
        maxLength: limits.textChars,
        maxBytes: limits.bubbleBytes,
        encoding: 'utf16-units',
        markdownDialect: 'markdown',
        supportsEdit: false,
      },
      actions: {
        maxActions: limits.buttons,
        maxActionsPerRow: 1,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        styles: ['primary', 'secondary', 'success', 'danger'],
        supportsCopyText: true,
        maxCopyTextLength: limits.copyChars,
        maxUrlLength: limits.uriChars,
        urlSchemes: ['http', 'https', 'tel', 'line'],
      },
      selects: {
        maxOptions: limits.quickReplies,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
      },
      images: { maxAltLength: limits.altChars, httpsOnly: true },
      media: { publicUrlsOnly: true, httpsOnly: true, maxUrlLength: limits.imageUrlChars, endings: { image: ['jpg', 'jpeg', 'png'] } },
    },
  },
  delivery: {
    pinSentMessage: false,
    idempotency: { keyForMs: limits.retryKeyMs },
    editing: { ability: 'none' },
    streaming: 'none',
    removeSentMessage: false,
    react: false,
    tapDeadlineMs: limits.tapDeadlineMs,
    tapAnswer: 'call',
    maxToastLength: 1_000,
    rates: [{ of: 'account', count: limits.perSecond, perMs: 1_000 }],
  },
}
