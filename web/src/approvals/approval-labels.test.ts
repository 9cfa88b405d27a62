import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill, words } from '../../../src/authority/authority-words.ts'
import { withVisibleCharacters } from '../../../src/authority/visible-text.ts'
import { approvalWords } from './approval-words.ts'
import { withVisibleCharacters as onThePage } from './visible-characters.ts'
import { wordsOf } from '../words/use-words.ts'

for (const language of ['en', 'zh'] as const) {
  test(`the page says about approvals what every other surface says, in ${language}`, () => {
    const { title, facts, roles, actions, status, because } = words[language]
    const own = approvalWords(language)
    const { approval } = wordsOf(language)
    assert.equal(own.title.run('Ada'), fill(title.run, { agent: 'Ada' }))
    assert.equal(own.title.write('Ada', 'a.ts'), fill(title.write, { agent: 'Ada', path: 'a.ts' }))
    assert.equal(own.title.message('Ada', 'telegram:1'), fill(title.message, { agent: 'Ada', target: 'telegram:1' }))
    assert.equal(own.title.tool('Ada', 'pay', 'bank'), fill(title.tool, { agent: 'Ada', tool: 'pay', server: 'bank' }))
    assert.equal(own.batch('Ada', 3), fill(title.batch, { agent: 'Ada', n: 3 }))
    const person = own.person('Mia', own.roles.owner, 'Telegram')
    assert.equal(own.facts(person, 'why'), fill(facts, { name: 'Mia', role: roles.owner, surface: 'Telegram', why: 'why' }))
    assert.deepEqual(own.roles, roles)
    assert.deepEqual(approval.actions, actions)
    assert.equal(own.waiting('Mia'), fill(status.requester, { name: 'Mia' }))
    assert.equal(own.refused('Mia'), fill(status.refused, { name: 'Mia' }))
    assert.equal(approval.late('Mia', 'x'), fill(status.late, { name: 'Mia', decision: 'x' }))
    assert.equal(approval.stopped, status.stopped)
    assert.equal(own.changed('run'), fill(status.changed, { tool: 'run' }))
    assert.equal(own.keys(1, 2, 'Mia'), fill(status.keys, { k: 1, n: 2, names: 'Mia' }))
    const values = { name: 'Mia', date: '1 Nov', surface: 'page', scope: 'x', until: '2 Nov' }
    const plain = (text: string): string => fill(text, values).replaceAll('`', '')
    assert.equal(own.grants.chat('Mia', '1 Nov', 'page', 'x', '2 Nov'), plain(because.grantChat))
    assert.equal(own.grants.always('Mia', '1 Nov', 'page', 'x', '2 Nov'), plain(because.grantAlways))
  })
}

test('the page and the server write out the same characters', () => {
  for (let code = 0; code < 0x1_1000; code += 1) {
    const char = String.fromCodePoint(code)
    assert.equal(onThePage(char), withVisibleCharacters(char))
  }
})
