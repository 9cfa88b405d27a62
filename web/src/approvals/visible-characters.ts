// eslint-disable-next-line no-control-regex
const invisible = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}]/gu

/**
 * The server writes invisible characters out, such as ⟨U+202E⟩. The page does it again for everything an approver reads, so
 * that a text from elsewhere cannot look like another one.
 */
export const withVisibleCharacters = (text: string): string => text.replace(invisible, writtenOut)

const writtenOut = (char: string): string => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`

// eslint-disable-next-line no-control-regex
const misleading =
  /[\p{Cc}\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|(?<!\p{Extended_Pictographic}\uFE0F?|\p{Emoji_Modifier})\u200D/gu

/** A title in a list or beside a card. Characters that turn text around or hide in it are written out; emoji stay whole. */
export const visibleTitle = (title: string): string => title.replace(misleading, writtenOut)
