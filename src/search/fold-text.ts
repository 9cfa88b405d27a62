/** Letters as they are compared: without case, accents and width. Greek has two small sigmas. */
function foldCharacter(character: string): string {
  const bare = character.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '')
  return bare.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

/** Most characters of a text come again soon. */
const known = new Map<string, string>()
const knownCharacters = 10_000

function folded(character: string): string {
  const found = known.get(character)
  if (found !== undefined) return found
  const result = foldCharacter(character)
  if (known.size < knownCharacters) known.set(character, result)
  return result
}

/** A text as it is searched. `foldText(a + b)` is `foldText(a) + foldText(b)` where both are composed. */
export const foldText = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[^\0-\x7f]/gu, folded)
    .replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase())

export type FoldedText = { shown: string; text: string; start: readonly number[] }

/** The same, with the place in `shown` of each of its characters. `shown` is the composed text: it looks like the given one. */
export function foldWithPlaces(text: string): FoldedText {
  const shown = text.normalize('NFC')
  let result = ''
  const start: number[] = []
  let at = 0
  for (const character of shown) {
    const one = foldText(character)
    for (let unit = 0; unit < one.length; unit += 1) start.push(at)
    result += one
    at += character.length
  }
  start.push(at)
  return { shown, text: result, start }
}
