// eslint-disable-next-line no-control-regex
const invisible = /(?![\n\t])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]|\u034F)/gu

/**
 * The server writes invisible characters out, such as ⟨U+202E⟩. The page does it again for everything an approver reads, so
 * that a text from elsewhere cannot look like another one.
 */
export const withVisibleCharacters = (text: string): string =>
  text.replace(invisible, (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
