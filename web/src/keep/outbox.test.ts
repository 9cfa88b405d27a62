import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Letter, outbox, type Refused, type Sent } from './outbox.ts'

const unreachable: Refused = { error: { code: 'server_unreachable', message: 'gone', hint: '' }, transient: true }
const tooLong: Refused = { error: { code: 'text_too_long', message: 'long', hint: '' }, transient: false }

function setUp(answers: (Sent | Refused)[], kept: Letter[] = []) {
  const texts: string[] = []
  const arrived: string[] = []
  let saved: Letter[] = kept
  let keys = 0
  const box = outbox({
    send: (letter) => {
      texts.push(`${letter.key} ${letter.text}`)
      return Promise.resolve(answers.shift() ?? { dialog: letter.dialog ?? 'd-new', message: 'm1' })
    },
    load: () => saved,
    save: (letters) => {
      saved = letters
    },
    freshKey: () => `k${(keys += 1)}`,
    onSent: (letter, { dialog }) => arrived.push(`${letter.text} in ${dialog}`),
  })
  const post = (text: string, dialog: string | null = 'd1') => box.post({ dialog, text, language: 'en', agent: null })
  return { box, post, sent: texts, arrived, saved: () => saved }
}

test('letters leave in order, one after the other, and are gone when they arrived', async () => {
  const { box, post, sent, arrived, saved } = setUp([])
  post('one')
  post('two', null)
  await box.flush()
  assert.deepEqual(sent, ['k1 one', 'k2 two'])
  assert.deepEqual(arrived, ['one in d1', 'two in d-new'])
  assert.deepEqual(saved(), [])
})

test('while the way is closed letters wait, and go out under the same key', async () => {
  const { box, post, sent, saved } = setUp([unreachable])
  post('one')
  post('two')
  await box.flush()
  assert.deepEqual(
    saved().map(({ text, state }) => [text, state]),
    [
      ['one', 'waiting'],
      ['two', 'waiting'],
    ],
  )
  await box.flush()
  assert.deepEqual(sent, ['k1 one', 'k1 one', 'k2 two'])
})

test('a refused letter stays with its reason and does not hold up the next', async () => {
  const { box, post, arrived } = setUp([tooLong])
  const long = post('long')
  post('short')
  await box.flush()
  assert.deepEqual(arrived, ['short in d1'])
  assert.equal(box.letters[0]?.error?.code, 'text_too_long')
  assert.equal(box.take(long.key)?.text, 'long')
  assert.deepEqual(box.letters, [])
})

test('what was being sent when the page went away is sent again under its key', async () => {
  const { box, sent } = setUp([], [{ key: 'old', dialog: 'd1', text: 'half', language: 'en', agent: null, state: 'sending', error: null }])
  await box.flush()
  assert.deepEqual(sent, ['old half'])
})

test('a message that is being sent cannot be withdrawn', () => {
  const { box, post } = setUp([])
  assert.equal(box.take(post('one').key), null)
})
