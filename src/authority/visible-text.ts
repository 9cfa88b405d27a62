/**
 * Characters that change what a person sees without being seen: control characters other than line feed and tab, format
 * characters (bidirectional, zero-width), line and paragraph separators, every space but the usual one, characters that Unicode
 * lets a program ignore, others that look empty, and lone surrogates.
 */
// eslint-disable-next-line no-control-regex
const invisible = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{16FE4}\u{1D159}]/gu

export function hasInvisible(text: string): boolean {
  invisible.lastIndex = 0
  return invisible.test(text)
}

/** Text as an approval shows it: every invisible character is written out, such as ⟨U+202E⟩. */
export function withVisibleCharacters(text: string): string {
  return text.replace(invisible, (char) => `⟨U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
