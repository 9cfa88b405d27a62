import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fill } from '../../../src/authority/authority-words.ts'
import { requestSentence } from '../../../src/authority/request-sentence.ts'
import { factInWords } from '../../../src/authority/shown-fact.ts'
import { authorityWords, loadPageWords, pageWords } from '../../../src/words/index.ts'
import { withVisibleCharacters } from '../../../src/authority/visible-text.ts'
import { becauseWords, pageApprovalWords } from '../../../src/words/page-parts.ts'
import { withVisibleCharacters as onThePage } from './visible-characters.ts'

for (const language of ['en', 'zh'] as const) {
  test(`the page says about approvals what every other surface says, in ${language}`, async () => {
    await loadPageWords(language)
    const { title, roles, actions, status, shown } = authorityWords[language]
    const { because } = becauseWords[language]
    const own = pageApprovalWords[language]
    const { approval } = pageWords(language)
    assert.equal(approval.title.run('Ada'), fill(title.run, { agent: 'Ada' }))
    assert.equal(approval.title.write('Ada', 'a.ts'), fill(title.write, { agent: 'Ada', path: 'a.ts' }))
    assert.equal(approval.title.message('Ada', 'telegram:1'), fill(title.message, { agent: 'Ada', target: 'telegram:1' }))
    assert.equal(approval.title.tool('Ada', 'pay', 'bank'), fill(title.tool, { agent: 'Ada', tool: 'pay', server: 'bank' }))
    assert.equal(own.batch('Ada', 3), fill(title.batch, { agent: 'Ada', n: 3 }))
    const same = (text: string): string => text
    const request = { requesters: [{ id: 'telegram:1:2', name: 'Mia', role: 'guest' as const }], because: 'why.' }
    // The sentence of the specification, as chats and the terminal say it.
    const sentences = { en: 'Requested by Mia (guest, Telegram). Reason: why.', zh: '发起人：Mia（访客，Telegram）。原因：why。' }
    assert.equal(requestSentence(request, own, language, { name: same, text: same }), sentences[language])
    assert.deepEqual(own.roles, roles)
    assert.deepEqual(own.factWords, shown)
    const folder = { label: 'x', value: 'src', name: 'folder' }
    assert.deepEqual(factInWords(folder, own.factWords), { label: shown.folder, value: 'src' })
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
