import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { page } from '../../../src/words/en/page.ts'
import { currentReader } from '../link/current-reader.ts'
import { toAuthor } from './author.ts'

const human = (name: string): string => toAuthor({ kind: 'human', name }, page)

afterEach(() => {
  currentReader.name = null
  currentReader.id = null
})

test('toAuthor: "You" is the reader, and the owner of the terminal is the same person', () => {
  currentReader.name = 'ann'
  assert.deepEqual([human('ann'), human('owner'), human('ci')], ['You', 'The owner', 'ci'])
  currentReader.name = 'owner'
  assert.deepEqual([human('owner'), human('web'), human('ann')], ['You', 'You', 'ann'])
  currentReader.name = null
  assert.equal(human('owner'), 'You', 'until the server has said who reads')
})

test('toAuthor: a guest who took the name of the owner or of the reader is neither', () => {
  currentReader.name = 'mia'
  currentReader.id = 'person:mia'
  const guest = (name: string): string => toAuthor({ kind: 'human', name, id: 'telegram:main:9', role: 'guest' }, page)
  assert.deepEqual([guest('mia'), guest('owner'), guest('you')], ['mia', 'owner', 'you'])
  assert.equal(toAuthor({ kind: 'human', name: 'Mia Chen', id: 'person:mia', role: 'owner' }, page), 'You')
  assert.equal(toAuthor({ kind: 'human', name: 'owner', id: 'person:owner', role: 'owner' }, page), 'The owner')
})
