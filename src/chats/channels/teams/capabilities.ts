import type { CapabilitySheet } from '../../../ports/channel.ts'
import { measureBlock } from './elements.ts'
import { teamsLimits as limits } from './limits.ts'

export const teamsCapabilities: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    selects: true,
    context: true,
    divider: true,
    tones: ['neutral', 'info', 'success', 'warning', 'danger'],
    images: true,
    tables: false,
    charts: false,
    media: ['image'],
    cost: measureBlock,
    limits: {
      text: {
        maxLength: limits.messageChars,
        maxBytes: limits.messageBytes,
        maxTitleLength: limits.titleChars,
        encoding: 'utf16-units',
        markdownDialect: 'markdown',
        supportsEdit: true,
      },
      actions: {
        maxActionsPerRow: limits.actionsPerRow,
        rowWidth: limits.rowColumns,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        // D cards-reference: positive and destructive actions look like all others.
        styles: [],
        supportsDisabled: true,
        maxUrlLength: limits.urlChars,
        urlSchemes: ['http', 'https', 'mailto', 'tel'],
      },
      selects: {
        maxOptions: limits.options,
        maxLabelLength: limits.optionLabelChars,
        maxValueBytes: limits.valueBytes,
        maxPlaceholderLength: limits.placeholderChars,
      },
      images: { maxAltLength: limits.altChars, httpsOnly: true },
      media: {
        publicUrlsOnly: true,
        httpsOnly: true,
        maxUrlLength: limits.urlChars,
        endings: { image: ['jpg', 'jpeg', 'png', 'gif'] },
      },
    },
  },
  delivery: {
    pinSentMessage: false,
    idempotency: null,
    editing: { ability: 'whole' },
    streaming: 'edit',
    removeSentMessage: true,
    react: false,
    tapDeadlineMs: limits.tapDeadlineMs,
    tapAnswer: 'response',
    maxToastLength: limits.toastChars,
    rates: [
      ...limits.perAddress.map((rate) => ({ of: 'address' as const, ...rate })),
      { of: 'account', count: limits.perAccountPerSecond, perMs: 1_000 },
    ],
  },
}
