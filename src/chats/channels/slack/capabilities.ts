import type { AdaptedBlock, BlockCost, CapabilitySheet } from '../../../ports/channel.ts'
import { spellText } from './blocks.ts'
import { slackLimits as limits } from './limits.ts'

/** Slack counts text as it is sent: an ampersand takes five characters. */
function cost(block: AdaptedBlock): BlockCost {
  switch (block.type) {
    case 'title':
      return { text: block.text.length, blocks: 1, bytes: 0 }
    case 'text':
    case 'context':
      return { text: Math.max(block.text.length, spellText(block).length), blocks: 1, bytes: 0 }
    case 'image':
      return { text: block.alt.length, blocks: 1, bytes: 0 }
    case 'buttons': {
      const keys = block.rows.flat()
      const text = keys.reduce(
        (sum, { label, press, confirm }) => sum + label.length + (press.type === 'value' ? press.value.length : 0) + (confirm?.length ?? 0),
        0,
      )
      return { text, blocks: block.rows.length, bytes: 0 }
    }
    case 'select':
      return {
        text: block.options.reduce((sum, { label, value }) => sum + label.length + value.length, block.placeholder.length),
        blocks: 1,
        bytes: 0,
      }
    case 'divider':
    case 'media':
      return { text: 0, blocks: 1, bytes: 0 }
    case 'table':
    case 'chart':
      return { text: 0, blocks: 0, bytes: 0 }
  }
}

export const slackCapabilities: CapabilitySheet = {
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
        maxLength: limits.messageChars,
        maxBlockLength: limits.sectionChars,
        maxBlocks: limits.blocks,
        maxTitleLength: limits.headerChars,
        encoding: 'utf16-units',
        markdownDialect: 'markdown',
        supportsEdit: true,
      },
      actions: {
        maxActionsPerRow: limits.actionsPerBlock,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        styles: ['primary', 'secondary', 'success', 'danger'],
        maxConfirmLength: limits.confirmChars,
        maxUrlLength: limits.urlChars,
        urlSchemes: ['http', 'https', 'mailto'],
      },
      selects: {
        maxOptions: limits.options,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        maxPlaceholderLength: limits.placeholderChars,
      },
      images: { maxAltLength: limits.altChars },
      media: { publicUrlsOnly: true, maxUrlLength: limits.urlChars, endings: { image: ['jpg', 'jpeg', 'png', 'gif'] } },
    },
  },
  delivery: {
    pinSentMessage: true,
    idempotency: null,
    editing: { ability: 'whole' },
    streaming: 'edit',
    removeSentMessage: true,
    react: true,
    showsToOne: true,
    tapDeadlineMs: limits.tapDeadlineMs,
    tapAnswer: 'call',
    maxToastLength: 1_000,
    rates: [{ of: 'address', count: limits.perAddressPerSecond, perMs: 1_000 }],
  },
}
