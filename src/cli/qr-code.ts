/** QR codes of bytes with error correction level L, versions 1 to 9: enough for a sign-in link. After ISO/IEC 18004. */

export const qrLimits = { bytes: 230 } as const

/** For each version from 1: codewords of error correction in a block, blocks, codewords of data in a block. */
const versions = [
  [7, 1, 19],
  [10, 1, 34],
  [15, 1, 55],
  [20, 1, 80],
  [26, 1, 108],
  [18, 2, 68],
  [20, 2, 78],
  [24, 2, 97],
  [30, 2, 116],
] as const

type Grid = (boolean | null)[][]

/** Rows of modules, true for dark; null for a text that is too long. */
export function qrCode(text: string): boolean[][] | null {
  const bytes = new TextEncoder().encode(text)
  const version = versions.findIndex(([, blocks, data]) => bytes.length <= blocks * data - 2) + 1
  const sizes = versions[version - 1]
  if (!sizes) return null
  const bits = toBits(interleave(toCodewords(bytes, sizes), sizes))
  const candidates = masks.map((mask, index) => {
    const grid = drawPatterns(version)
    drawFormat(grid, index)
    drawData(grid, bits, mask)
    return grid as boolean[][]
  })
  return candidates.reduce((best, grid) => (penalty(grid) < penalty(best) ? grid : best))
}

function toCodewords(bytes: Uint8Array, [, blocks, data]: (typeof versions)[number]): number[] {
  const bits = [
    '0100',
    bytes.length.toString(2).padStart(8, '0'),
    ...Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')),
    '0000',
  ].join('')
  const words = (bits.padEnd(Math.ceil(bits.length / 8) * 8, '0').match(/.{8}/g) ?? [])
    .map((word) => parseInt(word, 2))
    .slice(0, blocks * data)
  for (let pad = 0; words.length < blocks * data; pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11)
  return words
}

/** The blocks column by column: first their data, then their error correction. */
function interleave(words: readonly number[], [correction, blocks, data]: (typeof versions)[number]): number[] {
  const dataBlocks = Array.from({ length: blocks }, (_, block) => words.slice(block * data, (block + 1) * data))
  const columns = (rows: readonly number[][], length: number): number[] =>
    Array.from({ length }, (_, column) => rows.map((row) => row[column] ?? 0)).flat()
  return [
    ...columns(dataBlocks, data),
    ...columns(
      dataBlocks.map((block) => correct(block, correction)),
      correction,
    ),
  ]
}

const toBits = (words: readonly number[]): boolean[] =>
  words.flatMap((word) => Array.from({ length: 8 }, (_, bit) => ((word >> (7 - bit)) & 1) === 1))

/** Product in the field of 256 elements with the polynomial 0x11d. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    if ((b >> bit) & 1) product ^= a
  }
  return product
}

/** The remainder of a Reed-Solomon division. */
function correct(data: readonly number[], degree: number): number[] {
  let generator = [1]
  let root = 1
  for (let step = 0; step < degree; step += 1) {
    generator = [...generator, 0].map((value, index) => value ^ multiply(generator[index - 1] ?? 0, root))
    root = multiply(root, 2)
  }
  const rest: number[] = Array.from({ length: degree }, () => 0)
  for (const word of data) {
    const factor = word ^ (rest.shift() ?? 0)
    rest.push(0)
    for (let index = 0; index < degree; index += 1) rest[index] = (rest[index] ?? 0) ^ multiply(generator[index + 1] ?? 0, factor)
  }
  return rest
}

function put(grid: Grid, row: number, column: number, isDark: boolean): void {
  const line = grid[row]
  if (line && column >= 0 && column < line.length) line[column] = isDark
}

/** Everything but data and format: finders, timing, alignment, version. */
function drawPatterns(version: number): Grid {
  const size = version * 4 + 17
  const grid: Grid = Array.from({ length: size }, () => Array.from({ length: size }, () => null))
  const square = (row: number, column: number, radius: number, isDark: (distance: number) => boolean): void => {
    for (let down = -radius; down <= radius; down += 1)
      for (let right = -radius; right <= radius; right += 1)
        put(grid, row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))))
  }
  for (let at = 0; at < size; at += 1) {
    put(grid, 6, at, at % 2 === 0)
    put(grid, at, 6, at % 2 === 0)
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const)
    square(row, column, 4, (distance) => distance !== 2 && distance !== 4)
  const centres = version === 1 ? [] : version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7]
  for (const row of centres)
    for (const column of centres)
      if (!(row === 6 && column === 6) && !(row === 6 && column === size - 7) && !(row === size - 7 && column === 6))
        square(row, column, 2, (distance) => distance !== 1)
  if (version >= 7) {
    const bits = (version << 12) | remainder(version << 12, 0x1f25)
    for (let bit = 0; bit < 18; bit += 1) {
      const [long, short] = [Math.floor(bit / 3), size - 11 + (bit % 3)]
      put(grid, long, short, ((bits >> bit) & 1) === 1)
      put(grid, short, long, ((bits >> bit) & 1) === 1)
    }
  }
  return grid
}

/** Level L and the mask, twice. */
function drawFormat(grid: Grid, mask: number): void {
  const size = grid.length
  const data = (0b01 << 13) | (mask << 10)
  const bits = (data | remainder(data, 0x537)) ^ 0x5412
  for (let bit = 0; bit < 15; bit += 1) {
    const isDark = ((bits >> bit) & 1) === 1
    if (bit < 6) put(grid, bit, 8, isDark)
    else if (bit < 8) put(grid, bit + 1, 8, isDark)
    else if (bit === 8) put(grid, 8, 7, isDark)
    else put(grid, 8, 14 - bit, isDark)
    if (bit < 8) put(grid, 8, size - 1 - bit, isDark)
    else put(grid, size - 15 + bit, 8, isDark)
  }
  put(grid, size - 8, 8, true)
}

/** The remainder of a division of binary polynomials. */
function remainder(value: number, divisor: number): number {
  const degree = Math.floor(Math.log2(divisor))
  let rest = value
  for (let bit = 31 - Math.clz32(rest); rest > 0 && bit >= degree; bit = 31 - Math.clz32(rest)) rest ^= divisor << (bit - degree)
  return rest
}

type Mask = (row: number, column: number) => boolean

const masks: readonly Mask[] = [
  (row, column) => (row + column) % 2 === 0,
  (row) => row % 2 === 0,
  (_, column) => column % 3 === 0,
  (row, column) => (row + column) % 3 === 0,
  (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
  (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
  (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
  (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
]

/** Two columns at a time, from the right, up and down in turn. Column 6 has the timing pattern. */
function drawData(grid: Grid, bits: readonly boolean[], mask: Mask): void {
  const size = grid.length
  let next = 0
  for (let pair = 0; pair < (size - 1) / 2; pair += 1) {
    const right = size - 1 - pair * 2 - (size - 1 - pair * 2 <= 6 ? 1 : 0)
    for (let step = 0; step < size; step += 1) {
      const row = pair % 2 === 0 ? size - 1 - step : step
      for (const column of [right, right - 1]) {
        if (grid[row]?.[column] !== null) continue
        put(grid, row, column, (bits[next] ?? false) !== mask(row, column))
        next += 1
      }
    }
  }
}

/** Long runs, squares of one colour and patterns like a finder make a code hard to read. */
function penalty(grid: readonly (readonly boolean[])[]): number {
  const lines = [...grid, ...grid.map((_, column) => grid.map((row) => row[column] ?? false))].map((line) => line.map(Number).join(''))
  let sum = 0
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2
    for (const pattern of ['10111010000', '00001011101']) sum += 40 * (line.split(pattern).length - 1)
  }
  for (let row = 1; row < grid.length; row += 1)
    for (let column = 1; column < grid.length; column += 1) {
      const around = [grid[row - 1]?.[column - 1], grid[row - 1]?.[column], grid[row]?.[column - 1]]
      if (around.every((dark) => dark === grid[row]?.[column])) sum += 3
    }
  return sum
}

/** Two rows of modules in a line of text, with a margin. A light module is drawn, a dark one is the background. */
export function qrLines(modules: readonly (readonly boolean[])[]): string[] {
  const margin = 2
  const size = modules.length + 2 * margin
  const isLight = (row: number, column: number): boolean => row < size && modules[row - margin]?.[column - margin] !== true
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (__, column) => {
      const [top, bottom] = [isLight(line * 2, column), isLight(line * 2 + 1, column)]
      return top && bottom ? '█' : top ? '▀' : bottom ? '▄' : ' '
    }).join(''),
  )
}
