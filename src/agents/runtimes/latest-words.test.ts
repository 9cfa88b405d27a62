import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { latestWords } from './latest-words.ts'

const human = (text: string): ContextItem => ({ kind: 'human', text, by: 'me' })
const prompt = (text: string): ContextItem => ({ kind: 'prompt', text })
const agent: ContextItem = { kind: 'agent', text: 'done', turn: 1 }

it('an agent without memory is told what came since it last spoke, also by another dialog', () => {
  assert.equal(latestWords([human('old'), agent, prompt('A request'), human('and this')]), 'A request\n\nand this')
  assert.equal(latestWords([prompt('A request'), agent]), 'A request', 'what was wanted last still is')
  assert.equal(latestWords([]), '')
})
