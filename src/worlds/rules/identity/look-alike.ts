/** Characters of other scripts and digits that are read as a Latin letter. Compared after NFKD and lower-casing. */
const lookAlikes: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  з: 'e',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  ь: 'b',
  і: 'l',
  ӏ: 'l',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  һ: 'h',
  ɡ: 'g',
  ı: 'l',
  ǀ: 'l',
  α: 'a',
  β: 'b',
  γ: 'y',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  σ: 'o',
  τ: 't',
  υ: 'u',
  χ: 'x',
  ω: 'w',
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '!': 'l',
  '3': 'e',
  '5': 's',
  $: 's',
  '8': 'b',
  '6': 'b',
  '9': 'g',
  '@': 'a',
}

const pairs: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
  ['cl', 'd'],
]

/** The form in which names are compared: two names with the same form look the same to a person. Never shown. */
export function foldLookAlikes(name: string): string {
  const folded = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\p{Cc}\s\p{P}]/gu, '')
  const letters = Array.from(folded, (char) => lookAlikes[char] ?? char).join('')
  return pairs.reduce((text, [seen, read]) => text.replaceAll(seen, read), letters)
}

/** True for two different accounts whose names a person would mix up. */
export const isLookAlike = (one: string, other: string): boolean => foldLookAlikes(one) === foldLookAlikes(other)
