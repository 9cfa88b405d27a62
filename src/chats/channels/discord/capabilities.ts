import type { CapabilitySheet } from '../../../ports/channel.ts'
import { measureBlock } from './components.ts'
import { discordLimits as limits } from './limits.ts'
import { discordPolls } from './polls.ts'

export const discordCapabilities: CapabilitySheet = {
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
    media: ['image', 'audio', 'video', 'file'],
    cost: measureBlock,
    polls: discordPolls,
    limits: {
      text: {
        maxLength: limits.messageChars,
        maxBlocks: limits.components,
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
        urlSchemes: ['http', 'https'],
        publicUrlsOnly: true,
      },
      selects: {
        maxOptions: limits.options,
        maxLabelLength: limits.optionLabelChars,
        maxValueBytes: limits.valueBytes,
        maxPlaceholderLength: limits.placeholderChars,
      },
      images: { maxAltLength: limits.altChars },
      media: {
        publicUrlsOnly: true,
        maxUrlLength: limits.mediaUrlChars,
        uploads: true,
        endings: { image: ['jpg', 'jpeg', 'png', 'webp', 'gif'], video: ['mp4', 'webm', 'mov'] },
        // A file component shows an attachment of its own message alone.
        endingsByAddress: { file: [], audio: [] },
      },
    },
  },
  delivery: {
    pinSentMessage: true,
    idempotency: { keyForMs: limits.nonceForMs },
    editing: { ability: 'whole' },
    streaming: 'edit',
    removeSentMessage: true,
    react: true,
    tapDeadlineMs: limits.tapDeadlineMs,
    // Taps of the gateway are answered by a request.
    tapAnswer: 'response',
    maxToastLength: limits.toastChars,
    rates: [
      { of: 'address', count: limits.perAddressPerFiveSeconds, perMs: 5_000 },
      { of: 'account', count: limits.perAccountPerSecond, perMs: 1_000 },
    ],
  },
}
