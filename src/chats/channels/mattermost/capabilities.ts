import type { CapabilitySheet } from '../../../ports/channel.ts'
import { measureBlock } from './blocks.ts'
import { mattermostLimits as limits } from './limits.ts'

/**
 * Posts of servers since mid-2026 hold Mattermost Blocks; older ones hold attachments, without small print and buttons that
 * open a link. Without an address that Mattermost reaches, there are no controls.
 */
export type PostFormat = { shape: 'blocks' | 'attachments'; hasControls: boolean }

const delivery: CapabilitySheet['delivery'] = {
  pinSentMessage: true,
  idempotency: { keyForMs: limits.pendingIdMs },
  editing: { ability: 'whole' },
  streaming: 'edit',
  removeSentMessage: true,
  react: true,
  showsToOne: true,
  tapDeadlineMs: limits.tapDeadlineMs,
  tapAnswer: 'response',
  maxToastLength: limits.toastChars,
  rates: [{ of: 'account', count: limits.perAccountPerSecond, perMs: 1_000 }],
}

export const mattermostCapabilities = ({ shape, hasControls }: PostFormat): CapabilitySheet => ({
  presentation: {
    supported: true,
    buttons: hasControls,
    selects: hasControls,
    context: shape === 'blocks',
    divider: true,
    tones: ['neutral', 'info', 'success', 'warning', 'danger'],
    images: true,
    tables: false,
    charts: false,
    media: ['image', 'audio', 'video', 'file'],
    cost: measureBlock,
    limits: {
      text: {
        maxLength: limits.messageChars,
        maxBlocks: limits.blocks,
        maxTitleLength: limits.titleChars,
        encoding: 'utf16-units',
        markdownDialect: 'markdown',
        supportsEdit: true,
      },
      actions: {
        maxActionsPerRow: limits.buttonsPerRow,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        styles: ['primary', 'secondary', 'success', 'danger'],
        supportsDisabled: true,
        maxUrlLength: limits.urlChars,
        urlSchemes: shape === 'blocks' ? ['http', 'https'] : [],
      },
      selects: {
        maxOptions: limits.options,
        maxLabelLength: limits.optionLabelChars,
        maxValueBytes: limits.valueBytes,
        maxPlaceholderLength: limits.placeholderChars,
      },
      images: { maxAltLength: limits.altChars },
      media: {
        maxUrlLength: limits.urlChars,
        uploads: true,
        endings: { image: ['jpg', 'jpeg', 'png', 'gif', 'bmp', 'svg'] },
        // An image has a block; other files are attached to the post, which needs their bytes.
        endingsByAddress: { audio: [], video: [], file: [] },
      },
    },
  },
  delivery,
})
