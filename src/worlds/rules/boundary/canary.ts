/**
 * The canary of a context document: random letters that are in the document of one run and nowhere else. It has few different
 * letters, so that its rhythm can be recognised: however each letter is replaced, by a word, a number or a picture, the same
 * letters stay the same and different ones stay different.
 */
export const canaryLimits = {
  /** Consonants that no word has side by side. */
  letters: 'bfkx',
  chars: 60,
  /** Consecutive letters of a canary that must not be seen as they are, and in any replacement. */
  piece: 6,
  rhythm: 12,
  /** Fillers between two letters. */
  fillers: 3,
} as const

/** Finds a piece of the canary in texts: as it is, spaced out, backwards, encoded, replaced letter by letter, or between fillers. */
export function canaryFinder(canary: string): (text: string) => boolean {
  const secret = canary.toLowerCase()
  const rhythms = findRhythms(secret)
  return (text) => {
    const views = [text, ...decodeWords(text)]
    return hasAnyCanary(views) || hasPiece(views, secret) || views.some((view) => hasRhythm(view, rhythms))
  }
}

const anyCanary = new RegExp(`[${canaryLimits.letters}]{${canaryLimits.piece},}`)

/** True if a text has what could be a canary of any run: for texts of which the run is not known any more. */
export const looksLikeCanary = (text: string): boolean => hasAnyCanary([text, ...decodeWords(text)])

/** A piece with nothing but other signs between its letters, forwards or backwards. */
const hasAnyCanary = (views: readonly string[]): boolean =>
  views.some((view) =>
    anyCanary.test(
      view
        .normalize('NFKC')
        .replace(/[^\p{L}\p{N}]+/gu, '')
        .toLowerCase(),
    ),
  )

/** A piece between other words. */
function hasPiece(views: readonly string[], canary: string): boolean {
  const own = new Set(canary)
  const plain = views
    .map((view) =>
      (view.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => Array.from(word).every((char) => own.has(char))).join(''),
    )
    .filter((view) => view.length >= canaryLimits.piece)
  const { piece } = canaryLimits
  for (let from = 0; from + piece <= canary.length; from += 1) {
    const part = canary.slice(from, from + piece)
    const backwards = Array.from(part).toReversed().join('')
    if (plain.some((view) => view.includes(part) || view.includes(backwards))) return true
  }
  return false
}

/** Units of a text as numbers: the same unit is the same number. Thousands of rows are read for each message. */
type Row = readonly number[]

/** The rhythms of every stretch of the canary, forwards and backwards, also of every second or third letter. */
function findRhythms(canary: string): ReadonlySet<number> {
  const rhythms = new Set<number>()
  const letters = toNumbers(canary)
  for (const row of [letters, letters.toReversed()])
    for (const units of strides(row))
      for (let from = 0; from + canaryLimits.rhythm <= units.length; from += 1) rhythms.add(toRhythm(units, from))
  return rhythms
}

/** `abca` and `1231` have the same one: for each unit from `from` on, the distance to the same unit before it. */
function toRhythm(units: Row, from: number): number {
  let rhythm = 0
  for (let at = from; at < from + canaryLimits.rhythm; at += 1) {
    let before = at - 1
    while (before >= from && units[before] !== units[at]) before -= 1
    rhythm = rhythm * canaryLimits.rhythm + (before < from ? 0 : at - before)
  }
  return rhythm
}

const hasRhythm = (view: string, rhythms: ReadonlySet<number>): boolean =>
  listRows(view).some((row) => findWindow(row, (from) => rhythms.has(toRhythm(row, from))))

/** True if `matches` is, for the beginning of a window with as few different units as a canary has letters. */
function findWindow(row: Row, matches: (from: number) => boolean): boolean {
  const { rhythm: size, letters } = canaryLimits
  const counts = new Map<number, number>()
  for (const [at, unit] of row.entries()) {
    counts.set(unit, (counts.get(unit) ?? 0) + 1)
    const gone = row[at - size]
    if (gone !== undefined) {
      const count = (counts.get(gone) ?? 1) - 1
      if (count === 0) counts.delete(gone)
      else counts.set(gone, count)
    }
    if (at + 1 >= size && counts.size <= letters.length && matches(at + 1 - size)) return true
  }
  return false
}

const toNumbers = (text: string): number[] => Array.from(text, (char) => char.codePointAt(0) ?? 0)

/** The ways to read a text as a row of units: characters, groups of them, words, initials, each with fillers between. */
function listRows(text: string): Row[] {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')
  const chars = toNumbers(plain.replace(/[^\p{L}\p{N}]+/gu, ''))
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const common = new Map<string, number>()
  for (const word of words) common.set(word, (common.get(word) ?? 0) + 1)
  const numbers = new Map([...common.keys()].map((word, at) => [word, at]))
  const asRow = (some: readonly string[]): number[] => some.map((word) => numbers.get(word) ?? 0)
  const lines = plain.split('\n').map((line) => line.replace(/[^\p{L}\p{N}]+/gu, ''))
  return [
    ...strides(chars),
    ...[2, 3, 4, 8].flatMap((size) => groups(chars, size)),
    // Words alone are cut out of a sentence that is said again and again around them.
    toNumbers(words.filter((word) => (common.get(word) ?? 0) < 3).join('')),
    ...strides(asRow(words)),
    asRow(words.filter((word) => word.length === 1)),
    asRow(words.filter((word) => /^\d+$/.test(word))),
    words.map((word) => word.charCodeAt(0)),
    words.map((word) => word.charCodeAt(word.length - 1)),
    lines.flatMap((line) => line.codePointAt(0) ?? []),
    lines.flatMap((line) => toNumbers(line.slice(-2)).at(-1) ?? []),
    toNumbers(plain.replace(/\s+/g, '')),
    toNumbers(plain.replace(/[\p{L}\p{N}\p{P}\s]+/gu, '')),
  ]
}

function strides(units: Row): Row[] {
  const rows: Row[] = []
  for (let stride = 1; stride <= canaryLimits.fillers; stride += 1)
    for (let offset = 0; offset < stride; offset += 1) rows.push(everyOther(units, offset, stride))
  return rows
}

function everyOther(units: Row, offset: number, stride: number): Row {
  if (stride === 1) return units
  const row: number[] = []
  for (let at = offset; at < units.length; at += stride) row.push(units[at] ?? 0)
  return row
}

/** Every group of `size` units as one, from each place at which a group may begin. */
function groups(units: Row, size: number): Row[] {
  const unitNumbers = new Map<number, number>()
  /** A pair has a number of its own; code points have 21 bits. */
  const pair = (left: number, right: number): number => {
    const key = left * 2 ** 21 + right
    const unit = unitNumbers.get(key) ?? unitNumbers.size
    unitNumbers.set(key, unit)
    return unit
  }
  // Groups of the same size come from the same number of pairs, so that their numbers do not meet others.
  let heads = units
  for (let length = 1; length < size; length += 1) {
    unitNumbers.clear()
    const shorter = heads
    heads = shorter.slice(0, Math.max(0, units.length - length)).map((head, at) => pair(head, units[at + length] ?? 0))
  }
  return Array.from({ length: size }, (_, offset) => everyOther(heads, offset, size))
}

/** The text read as Base64, Base32 and hexadecimal from each place at which a group may begin. */
function decodeWords(text: string): string[] {
  const joined = text
    .replace(/[^A-Za-z0-9+/_-]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  const letters = text.replace(/[^A-Za-z0-9]/g, '')
  const readings = (size: number, alphabet: string, source: string): string[] =>
    Array.from({ length: size }, (_, from) => decode(source.slice(from), alphabet))
  return [
    ...readings(4, base64, joined),
    ...readings(8, base32, letters.toUpperCase()),
    ...readings(2, base16, letters.toLowerCase()),
    // Signs between the letters are separators as often as part of the code.
    ...readings(4, base64, letters),
    ...(text.match(/[A-Za-z0-9+/_-]{8,}/g) ?? []).slice(0, decodedWords).map((word) => decode(word, base64)),
  ].filter((view) => /[\w+/]{6}/.test(view))
}

const decodedWords = 50
const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base16 = '0123456789abcdef'

/** The bytes that these characters stand for. Characters that are not in the alphabet count as its first one. */
function decode(word: string, alphabet: string): string {
  const width = Math.log2(alphabet.length)
  let bits = 0
  let bitCount = 0
  let text = ''
  for (const char of word) {
    bits = ((bits << width) | Math.max(0, alphabet.indexOf(char))) & 0xff_ff
    bitCount += width
    if (bitCount >= 8) {
      bitCount -= 8
      text += String.fromCharCode((bits >> bitCount) & 0xff)
    }
  }
  return text
}
