import { mapSpans, splitCode } from './code-spans.ts'

export const conversationTokens = { like: 'like', dislike: 'dislike', end: 'request_conversation_end' } as const

/** A token that a world adds for its members. `isCounted`: it is counted in the world's figures. */
export type WorldToken = { name: string; meaning: string; isCounted: boolean }

export const isWorldTokenName = (name: string): boolean =>
  /^[a-z][a-z0-9_]{0,29}$/.test(name) && !Object.values<string>(conversationTokens).includes(name)

/** `[[name]]` that ends its line, alone or before other tokens. */
const token = /\[\[([a-z][a-z0-9_]{0,29})\]\](?=(?:[ \t]*\[\[[a-z][a-z0-9_]{0,29}\]\])*[ \t]*$)/gm

/**
 * The known tokens of a text in their order. Only a token that ends its line counts, and none inside code: a sentence that
 * mentions one is not a vote. Unknown names are text.
 */
export function readTokens(text: string, declared: readonly WorldToken[] = []): string[] {
  const known = new Set<string>([...Object.values(conversationTokens), ...declared.map(({ name }) => name)])
  return splitCode(text)
    .filter(({ isCode }) => !isCode)
    .flatMap((span) => [...span.text.matchAll(token)].map(([, name = '']) => name))
    .filter((name) => known.has(name))
}

/** The text as people read it, and the marks that stand for its tokens. */
export function textForPeople(text: string, declared: readonly WorldToken[] = []): { text: string; marks: string[] } {
  const marks = readTokens(text, declared)
  const shown = mapSpans(text, (span) =>
    span.isCode ? span.text : span.text.replace(token, (all, name: string) => (marks.includes(name) ? '' : all)),
  )
  return { text: shown.replace(/[ \t]+$/gm, '').trim(), marks }
}
