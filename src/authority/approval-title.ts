import { fill, type Language, words } from './authority-words.ts'

/** The heading of an approval. */
export function approvalTitle(
  agent: string,
  { kind, target, server }: { kind: 'run' | 'write' | 'message' | 'tool'; target: string; server: string },
  language: Language,
): string {
  return fill(words[language].title[kind], { agent, path: target, target, tool: target, server })
}
