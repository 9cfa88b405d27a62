/**
 * Limits of the Bot API, each with its source. T = https://core.telegram.org/bots/api (Bot API 10.3);
 * C = https://github.com/tginfo/Telegram-Limits, measured by others and not documented by the platform.
 */
export const telegramLimits = {
  /** T #sendmessage: "1-4096 characters after entities parsing". Counted in UTF-16 units, the largest count it could mean. */
  textUnits: 4096,
  /** T #sendphoto: "0-1024 characters after entities parsing". */
  captionUnits: 1024,
  /** T #sending-files: "10 MB max size for photos, 50 MB for other files". By an address it fetches less: 5 and 20 MB. */
  photoUploadBytes: 10 * 1024 * 1024,
  uploadBytes: 50 * 1024 * 1024,
  /** T #inlinekeyboardbutton: "Data to be sent in a callback query to the bot when the button is pressed, 1-64 bytes". */
  callbackDataBytes: 64,
  /** T #copytextbutton: "The text to be copied to the clipboard; 1-256 characters". */
  copyTextUnits: 256,
  /** C issue 228: an inline keyboard takes 100 buttons. */
  buttons: 100,
  /** C issue 228: 8 in a row. Rows get fewer when their labels are long, because the apps shorten what does not fit. */
  buttonsPerRow: 8,
  /** Not documented; about what a phone shows of one label. */
  labelUnits: 64,
  /** About what a phone shows of the labels in one row. */
  rowColumns: 30,
  /** C issue 187: a keyboard is refused above 10 KB of JSON, however few buttons it has. */
  markupBytes: 10_240,
  /** C formatting_entities: further formatting is dropped; here it is left as it was written. */
  entities: 100,
  /** T #sendpoll: "Poll question, 1-300 characters"; "1-12 answer options" of "1-100 characters"; open "5-2628000" seconds. */
  pollQuestionUnits: 300,
  pollOptions: 12,
  pollOptionUnits: 100,
  pollShortestSeconds: 5,
  pollLongestSeconds: 2_628_000,
  /** T #answercallbackquery: "0-200 characters". */
  toastUnits: 200,
  /** Bot support, https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this */
  perAddressPerSecond: 1,
  perGroupPerMinute: 20,
  perAccountPerSecond: 30,
  /** A tap shows a waiting sign until it is answered; after about this long the answer is refused as too old. */
  tapDeadlineMs: 10_000,
  /** An answer after this long is not tried any more. */
  tapLifeMs: 60_000,
} as const
