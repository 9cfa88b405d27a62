import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tileShape } from './tile-shape.ts'

test('tileShape: a name has the same tile every time, and other names have other tiles', () => {
  assert.deepEqual(tileShape('ada'), tileShape('ada'))
  const tiles = ['ada', 'bram', 'lars', 'kit', 'nori', 'Mira#8K4TQZ', '住客管家'].map((name) => JSON.stringify(tileShape(name)))
  assert.equal(new Set(tiles).size, tiles.length)
  for (const tile of tiles) assert.equal((JSON.parse(tile) as { cells: unknown[] }).cells.length, 4)
})

test('tileShape: the later of two members with one colour takes another one', () => {
  const names = Array.from({ length: 8 }, (_, index) => `member-${index}`)
  const colours = names.map((name) => tileShape(name, names).main)
  assert.equal(new Set(colours).size, names.length)
  assert.equal(colours[0], tileShape('member-0').main, 'the first keeps its own')
})

test('tileShape: more members than colours still have a tile each', () => {
  const names = Array.from({ length: 20 }, (_, index) => `member-${index}`)
  for (const name of names) assert.match(tileShape(name, names).main, /^oklch\(/)
})
