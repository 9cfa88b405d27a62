/** Main colour, second colour and tint of a tile. Each pair is readable on its tint in both themes. */
const pairs = [
  ['.63 .16 28', '.84 .10 70', 40],
  ['.73 .14 62', '.52 .11 35', 70],
  ['.77 .13 92', '.55 .10 150', 95],
  ['.57 .12 155', '.84 .12 115', 145],
  ['.58 .10 195', '.84 .08 225', 200],
  ['.57 .15 255', '.83 .09 205', 245],
  ['.55 .15 290', '.79 .12 25', 300],
  ['.62 .16 355', '.83 .10 310', 345],
] as const

/** A quarter disc with its corner at each corner of the cell. */
const quarters = [
  'M0 0H20A20 20 0 0 1 0 20Z',
  'M20 0V20A20 20 0 0 1 0 0Z',
  'M20 20H0A20 20 0 0 1 20 0Z',
  'M0 20V0A20 20 0 0 1 20 20Z',
] as const

/** Which of the two colours each of the four cells has. */
const tones = ['abba', 'aabb', 'abab', 'aaab', 'abbb', 'baab', 'aaba', 'baaa'] as const

export type Cell = { path: string | null; tone: 'a' | 'b' }

export type TileShape = { main: string; second: string; hue: number; cells: Cell[] }

/**
 * A name has the same tile everywhere. Of two members with one colour, the later one takes the next free pair; `members`
 * are the names of the team in their order.
 */
export function tileShape(name: string, members: readonly string[] = []): TileShape {
  const bits = hash(name)
  const [main, second, hue] = pairs[choosePair(name, members)] ?? pairs[0]
  const tone = tones[(bits >>> 3) & 7] ?? tones[0]
  // One cell in about half of all tiles is a full disc.
  const disc = (bits >>> 6) & 7
  const cells = [0, 1, 2, 3].map((cell): Cell => ({
    path: cell === disc ? null : (quarters[(bits >>> (9 + cell * 2)) & 3] ?? quarters[0]),
    tone: tone[cell] === 'a' ? 'a' : 'b',
  }))
  return { main: `oklch(${main})`, second: `oklch(${second})`, hue, cells }
}

function choosePair(name: string, members: readonly string[]): number {
  const used = new Set<number>()
  for (const member of members.includes(name) ? members : [name]) {
    let pair = hash(member) % pairs.length
    for (let tries = 0; used.has(pair) && tries < pairs.length; tries += 1) pair = (pair + 1) % pairs.length
    if (member === name) return pair
    used.add(pair)
  }
  return 0
}

/** FNV-1a with a final mix, so that names which differ in one letter differ in every bit. */
function hash(text: string): number {
  let bits = 0x811c9dc5
  for (const character of text) bits = Math.imul(bits ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  bits ^= bits >>> 15
  bits = Math.imul(bits, 0x2c1b3c6d) >>> 0
  bits ^= bits >>> 12
  bits = Math.imul(bits, 0x297a2d39) >>> 0
  return (bits ^ (bits >>> 15)) >>> 0
}
