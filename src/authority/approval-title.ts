import type { Language } from '../shapes/language.ts'
import { fill } from './authority-words.ts'
import { authorityWords } from '../words/index.ts'

/** The heading of an approval. */
export function approvalTitle(
  agent: string,
  { kind, target, server }: { kind: 'run' | 'write' | 'message' | 'tool'; target: string; server: string },
  language: Language,
): string {
  return fill(authorityWords[language].title[kind], { agent, path: target, target, tool: target, server })
}
