import { type AuthorityWords, fill } from './authority-words.ts'

type FactWords = AuthorityWords['shown']
type FactName = keyof FactWords

/**
 * A fact beside what an approval shows. `label` and `value` are in the language of the dialog. `name` and `says` name the same
 * words, for readers of another language; `count` is the number in them. Facts of earlier versions and of plugins have none.
 */
export type ShownFact = { label: string; value: string; name?: string; says?: string; count?: number }

/** A fact whose value is the same in every language, such as a path. */
export const plainFact = (words: FactWords, name: FactName, value: string): ShownFact => ({ label: words[name], value, name })

/** A fact whose value is one of the words. */
export function wordFact(words: FactWords, name: FactName, says: FactName, count?: number): ShownFact {
  return { label: words[name], value: inWords(words[says], count), name, says, ...(count !== undefined && { count }) }
}

/** The fact in the words of its reader. */
export const factInWords = ({ label, value, name, says, count }: ShownFact, words: FactWords): { label: string; value: string } => ({
  label: find(words, name) ?? label,
  value: inWords(find(words, says) ?? value, count),
})

const inWords = (text: string, count: number | undefined): string => (count === undefined ? text : fill(text, { n: count }))

const find = (words: FactWords, name: string | undefined): string | undefined =>
  name !== undefined && Object.hasOwn(words, name) ? words[name as FactName] : undefined
