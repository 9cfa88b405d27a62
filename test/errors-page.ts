import { catalogue, type ErrorCode } from '../src/errors.ts'

const head = `# Errors

Every error has a code. HTTP answers carry \`{ "error": { "code", "message", "hint" } }\` with the status named here; the terminal prints the same words, and \`parley explain <code>\` this page's entry. *Refused* means the rules do not allow it and nothing was changed. *Failed* means the outside world did not do its part. *Bug* means ours.

The first and the last line of each entry come from the catalogue in \`src/errors\` (\`npm run docs\` writes them); the lines between are written by hand.
`

/** The hand-written part of the page: the lines between the message and the hint. */
export function writtenByHand(page: string): Map<string, string> {
  const entries = page.matchAll(/^### (\w+)\n\n[^\n]*\n\n([\s\S]*?)\n\n→ [^\n]*$/gm)
  return new Map([...entries].map(([, code = '', why = '']) => [code, why.trim()]))
}

/** The page as it should be: every code once, in the catalogue's order, with what is written by hand kept. */
export function errorsPage(page: string): string {
  const why = writtenByHand(page)
  const entries = (Object.keys(catalogue) as ErrorCode[]).map((code) => {
    const [origin, status, message, hint] = catalogue[code]
    return `### ${code}\n\n**${status} · ${origin}** — ${message}\n\n${why.get(code) ?? ''}\n\n→ ${hint}\n`
  })
  return `${head}\n${entries.join('\n')}`
}
