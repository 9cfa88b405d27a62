/** Ways in which the same sentence is made to look new. */
const counter = (text: string, at: number): string => `${at}. ${text}`
const cheer = (text: string, at: number): string => `${text} ${'🎉🙂🌍📚✨'.repeat(1 + (at % 3))}`
const otherAlphabet = (text: string, at: number): string =>
  at % 2 === 0 ? text.replaceAll('a', 'а').replaceAll('e', 'е').replaceAll('o', 'о') : text
const unseen = (text: string, at: number): string => (at % 2 === 0 ? Array.from(text).join('\u200b') : text)
const accents = (text: string, at: number): string => (at % 2 === 0 ? text.replaceAll('e', 'e\u0301') : text)
const spaces = (text: string, at: number): string => (at % 2 === 0 ? Array.from(text).join(' ') : text)
const shouting = (text: string, at: number): string => (at % 2 === 0 ? text.toUpperCase() : text)
const punctuation = (text: string, at: number): string => text.replaceAll(' ', [' ', ', ', ' - ', '... '][at % 4] ?? ' ')
const vote = (text: string, at: number): string => (at % 2 === 0 ? `${text} [[like]]` : text)
const plain = (text: string): string => text

export const disguises = [counter, cheer, otherAlphabet, unseen, accents, spaces, shouting, punctuation, vote, plain]

const latin: Readonly<Record<string, string>> = { а: 'a', е: 'e', о: 'o' }

/** The letters that a reader sees. Written apart from the rules under test. */
const read = (text: string): string =>
  Array.from(
    text
      .replace(/\[\[\w+\]\]/g, '')
      .normalize('NFD')
      .toLowerCase(),
  )
    .map((char) => latin[char] ?? char)
    .filter((char) => /^[a-z]$/.test(char))
    .join('')

function isSame(one: string, other: string): boolean {
  const pairs = (text: string): string[] => Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2))
  const rest = pairs(other)
  let common = 0
  for (const pair of pairs(one)) {
    const at = rest.indexOf(pair)
    if (at === -1) continue
    common += 1
    rest.splice(at, 1)
  }
  return 2 * common >= 0.9 * (one.length + other.length - 2)
}

/** The number of the first repeated turn of a loop: three repeated turns within eight. Null without a loop. */
export function findFirstRepeat(texts: readonly string[]): number | null {
  const seen = texts.map(read)
  const repeats = seen.flatMap((text, at) => (seen.slice(Math.max(0, at - 8), at).some((before) => isSame(before, text)) ? [at + 1] : []))
  return repeats.find((first, at) => (repeats[at + 2] ?? Number.POSITIVE_INFINITY) < first + 8) ?? null
}
