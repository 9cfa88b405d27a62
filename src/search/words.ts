import { foldText } from './fold-text.ts'

export const wordLimits = {
  /** Longer words are found by their beginning. */
  wordChars: 40,
  /** Of one event; PostgreSQL stores at most 1 MB of them. */
  words: 20_000,
  chars: 100_000,
} as const

/** Scripts that are written without spaces: every pair of characters is a word there. */
const joined = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{N}\p{M}]]`

const runs = new RegExp(String.raw`(?<joined>${joined}+)|[[\p{L}\p{N}\p{M}]--${joined}]+`, 'gv')

/** A word, or a run of characters of a script without spaces. */
export type Run = { text: string; at: number; isJoined: boolean }

/** Of a folded text. */
export const listRuns = (text: string): Run[] =>
  Array.from(text.matchAll(runs), ({ 0: run, index, groups }) => ({ text: run, at: index, isJoined: groups?.['joined'] !== undefined }))

/** The words by which texts are found: each once. The last character of a run stands alone, so that each begins a word. */
export function indexWords(texts: readonly string[]): string[] {
  const words = new Set<string>()
  let chars = 0
  const add = (word: string): void => {
    if (words.has(word)) return
    words.add(word)
    chars += word.length
  }
  for (const text of texts) {
    for (const { text: run, isJoined } of listRuns(foldText(text))) {
      if (words.size >= wordLimits.words || chars >= wordLimits.chars) return [...words]
      if (!isJoined) {
        add(run.slice(0, wordLimits.wordChars).toWellFormed())
        continue
      }
      const characters = Array.from(run)
      for (const [index, character] of characters.entries()) {
        if (words.size >= wordLimits.words || chars >= wordLimits.chars) return [...words]
        add(character + (characters[index + 1] ?? ''))
      }
    }
  }
  return [...words]
}

/** The words of the index that a text with this run has. */
export function wordsOfRun({ text, isJoined }: Run): { word: string; isStart?: boolean }[] {
  if (!isJoined) return [{ word: text.slice(0, wordLimits.wordChars).toWellFormed(), isStart: true }]
  const characters = Array.from(text)
  if (characters.length === 1) return [{ word: text, isStart: true }]
  return characters.slice(1).map((character, index) => ({ word: (characters[index] ?? '') + character }))
}
