import type { CapabilitySheet } from '../../../ports/channel.ts'
import { measureBlock } from './card.ts'
import { feishuLimits as limits } from './limits.ts'

export const feishuCapabilities: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    selects: true,
    context: true,
    divider: true,
    tones: ['neutral', 'info', 'success', 'warning', 'danger'],
    images: false,
    tables: true,
    charts: false,
    media: ['image', 'audio', 'video', 'file'],
    cost: measureBlock,
    limits: {
      text: {
        maxLength: limits.cardChars,
        maxBlockLength: limits.blockChars,
        maxBytes: limits.cardBytes,
        maxBlocks: limits.elements,
        maxTitleLength: limits.titleChars,
        encoding: 'utf16-units',
        markdownDialect: 'markdown',
        supportsEdit: true,
      },
      actions: {
        maxActionsPerRow: limits.buttonsPerRow,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        styles: ['primary', 'secondary', 'danger'],
        supportsDisabled: true,
        maxConfirmLength: limits.confirmChars,
        maxUrlLength: limits.urlChars,
        urlSchemes: ['http', 'https'],
      },
      selects: {
        maxOptions: limits.options,
        maxLabelLength: limits.labelChars,
        maxValueBytes: limits.valueBytes,
        maxPlaceholderLength: limits.placeholderChars,
      },
      media: {
        separate: true,
        maxCaptionLength: 0,
        uploads: true,
        endings: {
          image: ['jpg', 'jpeg', 'png', 'webp', 'gif', 'bmp', 'ico', 'tiff', 'heic'],
          // D im-v1 file create: audio is sent as Opus and video as MP4; others are files.
          audio: ['opus'],
          video: ['mp4'],
        },
        // Feishu fetches nothing by its address: media are uploaded.
        endingsByAddress: { image: [], audio: [], video: [], file: [] },
      },
    },
  },
  delivery: {
    pinSentMessage: true,
    idempotency: { keyForMs: limits.uuidForMs },
    editing: { ability: 'whole', withinMs: limits.editMs },
    streaming: 'edit',
    removeSentMessage: true,
    react: true,
    tapDeadlineMs: limits.tapDeadlineMs,
    tapAnswer: 'response',
    maxToastLength: limits.toastChars,
    rates: [
      { of: 'address', count: limits.perAddressPerSecond, perMs: 1_000 },
      { of: 'account', count: limits.perAccountPerSecond, perMs: 1_000 },
    ],
  },
}
