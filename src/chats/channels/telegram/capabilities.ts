import type { CapabilitySheet } from '../../../ports/channel.ts'
import { telegramLimits as limits } from './limits.ts'
import { telegramPolls } from './polls.ts'

export type TelegramRates = {
  perChatPerSecond?: number | undefined
  perGroupPerMinute?: number | undefined
  perSecond?: number | undefined
}

/** Accounts that pay, and servers of one's own, may send more than the usual. */
export const telegramRates = ({ perChatPerSecond, perGroupPerMinute, perSecond }: TelegramRates): CapabilitySheet['delivery']['rates'] => [
  { of: 'address', count: perChatPerSecond ?? limits.perAddressPerSecond, perMs: 1_000 },
  { of: 'group', count: perGroupPerMinute ?? limits.perGroupPerMinute, perMs: 60_000 },
  { of: 'account', count: perSecond ?? limits.perAccountPerSecond, perMs: 1_000 },
]

export const telegramCapabilities: CapabilitySheet = {
  presentation: {
    supported: true,
    buttons: true,
    selects: false,
    selectsAsButtons: true,
    context: true,
    divider: false,
    tones: [],
    toneSigns: { info: 'ℹ️', success: '✅', warning: '⚠️', danger: '⛔' },
    images: true,
    tables: false,
    charts: false,
    media: ['image', 'audio', 'video', 'file'],
    polls: telegramPolls,
    limits: {
      text: {
        maxLength: limits.textUnits,
        encoding: 'utf16-units',
        markdownDialect: 'html',
        supportsEdit: true,
        bodyOfControls: 'Choose an option:',
      },
      actions: {
        maxActions: limits.buttons,
        maxActionsPerRow: limits.buttonsPerRow,
        rowWidth: limits.rowColumns,
        maxLabelLength: limits.labelUnits,
        maxValueBytes: limits.callbackDataBytes,
        maxTotalBytes: limits.markupBytes,
        // `secondary` is how a button looks without a style.
        styles: ['primary', 'secondary', 'success', 'danger'],
        supportsDisabled: true,
        supportsCopyText: true,
        maxCopyTextLength: limits.copyTextUnits,
        urlSchemes: ['http', 'https', 'tg'],
        publicUrlsOnly: true,
      },
      images: { separate: true, maxAltLength: limits.captionUnits },
      media: {
        separate: true,
        maxCaptionLength: limits.captionUnits,
        publicUrlsOnly: true,
        uploads: true,
        // T #sendaudio: ".MP3 or .M4A"; T #sendvideo: "MPEG4 videos (other formats may be sent as Document)".
        endings: { image: ['jpg', 'jpeg', 'png', 'webp', 'gif'], audio: ['mp3', 'm4a'], video: ['mp4', 'm4v'] },
        // T #sending-files: "In sendDocument, sending by URL will currently only work for .PDF and .ZIP files."
        endingsByAddress: { file: ['pdf', 'zip'] },
      },
    },
  },
  delivery: {
    pinSentMessage: true,
    idempotency: null,
    editing: { ability: 'controls-alone' },
    streaming: 'edit',
    removeSentMessage: true,
    react: true,
    tapDeadlineMs: limits.tapDeadlineMs,
    tapAnswer: 'call',
    maxToastLength: limits.toastUnits,
    rates: telegramRates({}),
  },
}
