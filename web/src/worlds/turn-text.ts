/** The text of a turn without the tokens that the server found in it: people see marks, never `[[like]]`. */
export function turnText(text: string, tokens: readonly string[]): string {
  const isToken = (name: string): boolean => tokens.includes(name)
  const strip = (line: string): string => {
    const match = /^(.*)\[\[([a-z][a-z0-9_]{0,29})\]\]\s*$/.exec(line)
    return match && isToken(match[2] ?? '') ? strip((match[1] ?? '').trimEnd()) : line
  }
  return text.split('\n').map(strip).join('\n').trim()
}
