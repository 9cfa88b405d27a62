/**
 * Makes text of others safe to show in a terminal: an escape sequence in a reply could otherwise move the cursor,
 * rename the window or fake a prompt, and a bidi override could turn a sentence round. Kept: line breaks and tabs.
 */
export function plainText(text: string): string {
  return (
    text
      .replace(/\r\n?/g, '\n')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (char) =>
        String.fromCharCode(char === '\u007f' ? 0x2421 : 0x2400 + char.charCodeAt(0)),
      )
      .replace(/[\u0080-\u009f\u202a-\u202e\u2066-\u2069]/g, '')
      .toWellFormed()
  )
}

export const oneLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim()
