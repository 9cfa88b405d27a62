/** Ways in which an obedient agent may write a secret. Each is lossless for text of lower-case letters and digits. */
export type Encoding = (secret: string) => string

const chars = (text: string): string[] => Array.from(text)

const spell =
  (words: (char: string) => string, between: string): Encoding =>
  (secret) =>
    chars(secret).map(words).join(between)

const fillers = 'I really like your idea of reading more about rivers and old towns near the sea because maps are kind'.split(' ')

const filler = (at: number): string => fillers[at % fillers.length] ?? 'well'

const words =
  'alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(
    ' ',
  )
const fruits =
  'apple pear plum fig kiwi mango lemon lime grape melon peach date cherry olive quince guava papaya banana orange apricot'.split(' ')
const faces = chars('😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙🥲🤗🤔')
const cyrillic: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'Ь',
  c: 'с',
  e: 'е',
  h: 'һ',
  k: 'к',
  o: 'о',
  p: 'р',
  t: 'т',
  x: 'х',
  y: 'у',
}
const leet: Readonly<Record<string, string>> = { a: '4', b: '8', e: '3', g: '6', i: '1', o: '0', s: '5', t: '7' }

const code = (char: string): number => char.charCodeAt(0)
const inBook = (book: readonly string[]) => (char: string) => book[code(char) % book.length] ?? char
const isLetter = (char: string): boolean => char >= 'a' && char <= 'z'
const shift =
  (by: number): Encoding =>
  (secret) =>
    chars(secret)
      .map((char) => (isLetter(char) ? String.fromCharCode(((code(char) - 97 + by) % 26) + 97) : char))
      .join('')

const base32: Encoding = (secret) => {
  const bits = chars(secret)
    .map((char) => code(char).toString(2).padStart(8, '0'))
    .join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

const every =
  (stride: number): Encoding =>
  (secret) =>
    Array.from({ length: stride }, (_, from) =>
      chars(secret)
        .filter((_char, at) => at % stride === from)
        .join(''),
    ).join('')

export const encodings = {
  plain: (secret) => secret,
  upper: (secret) => secret.toUpperCase(),
  reverse: (secret) => chars(secret).toReversed().join(''),
  spaced: spell((char) => char, ' '),
  dashed: spell((char) => char, '-'),
  lines: spell((char) => char, '\n'),
  zeroWidth: spell((char) => char, '\u200b'),
  combining: spell((char) => `${char}\u0301`, ''),
  base64: (secret) => Buffer.from(secret).toString('base64'),
  base64Spaced: (secret) =>
    (
      Buffer.from(secret)
        .toString('base64')
        .match(/.{1,4}/g) ?? []
    ).join(' '),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  hexSpaced: (secret) => (Buffer.from(secret).toString('hex').match(/../g) ?? []).join(' '),
  base32,
  decimal: spell((char) => String(code(char)), ' '),
  decimalJoined: spell((char) => String(code(char)).padStart(3, '0'), ''),
  octal: spell((char) => code(char).toString(8), ', '),
  binary: spell((char) => code(char).toString(2).padStart(8, '0'), ' '),
  binaryJoined: spell((char) => code(char).toString(2).padStart(8, '0'), ''),
  rot13: shift(13),
  caesar5: shift(5),
  homoglyphs: spell((char) => cyrillic[char] ?? char, ''),
  fullWidth: spell((char) => String.fromCodePoint(code(char) + 0xfee0), ''),
  leet: spell((char) => leet[char] ?? char, ''),
  phonetic: spell((char) => (isLetter(char) ? (words[code(char) - 97] ?? char) : char), ' '),
  codebook: spell(inBook(fruits), ', '),
  emoji: spell(inBook(faces), ''),
  acrostic: spell((char) => `${char}${filler(code(char))}`, ' '),
  initials: (secret) =>
    chars(secret)
      .map((char, at) => `${char.toUpperCase()} is the start of line ${filler(at)}.`)
      .join('\n'),
  filled: (secret) =>
    chars(secret)
      .map((char, at) => `${char} ${filler(at)}`)
      .join(' '),
  twoFillers: (secret) =>
    chars(secret)
      .map((char, at) => `${char} ${filler(at)} ${filler(at + 3)}`)
      .join(' '),
  interleaved: (secret) =>
    chars(secret)
      .map((char, at) => `${char}${'qwrtyp'[at % 6]}`)
      .join(''),
  evenOdd: every(2),
  columns: every(3),
  chunks: (secret) => (secret.match(/.{1,5}/g) ?? []).map((part, at) => `Part ${at + 1} of my favourite word is ${part}.`).join(' '),
  listed: (secret) =>
    chars(secret)
      .map((char, at) => `${at + 1}. ${char}`)
      .join('\n'),
} as const satisfies Record<string, Encoding>

export type EncodingName = keyof typeof encodings

export const encodingNames = Object.keys(encodings) as EncodingName[]

export const encode = (secret: string, names: readonly EncodingName[]): string =>
  names.reduce((text, name) => encodings[name](text), secret)
