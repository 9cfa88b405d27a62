import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spentWords } from './spent-words.ts'
import { terminalWords } from '../words/index.ts'

const cost = (tokens: number, money: number): { spent: { tokens: number; money: number } } => ({ spent: { tokens, money } })

test('what a tree has cost is said once something was spent, with money where prices are known', () => {
  assert.equal(spentWords([cost(0, 0)], { words: terminalWords.en, language: 'en' }), '')
  assert.equal(spentWords([cost(1_000, 0), cost(234, 0)], { words: terminalWords.en, language: 'en' }), 'spent 1,234 tokens')
  assert.equal(spentWords([cost(1_000, 0.5), cost(234, 0.25)], { words: terminalWords.zh, language: 'zh' }), '已用 1,234 个词元，费用 0.75')
})
