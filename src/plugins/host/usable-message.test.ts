import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import { usableMessage } from './usable-message.ts'

const withButtons = (...buttons: { label: string; action: object }[]): ReplyPayload =>
  ({ text: 'Ship it?', presentation: { blocks: [{ type: 'buttons', buttons }] } }) as ReplyPayload

const yes = { type: 'question', questionId: 'q_1', optionValue: 'yes' }
const no = { type: 'question', questionId: 'q_1', optionValue: 'no' }
const question = withButtons({ label: 'Yes', action: yes }, { label: 'No', action: no })
const actions = (message: ReplyPayload | null): unknown[] =>
  (message?.presentation?.blocks ?? []).flatMap((block) => (block.type === 'buttons' ? block.buttons.map(({ action }) => action) : []))

test('usableMessage: labels of a question may be translated, and its answers stay', () => {
  const translated = usableMessage(withButtons({ label: '是', action: yes }, { label: '否', action: no }), question, 'words', 'question')
  assert.deepEqual(actions(translated), [yes, no])
  for (const made of [
    withButtons({ label: 'Yes', action: no }, { label: 'No', action: yes }),
    withButtons({ label: 'Yes', action: yes }),
    withButtons({ label: 'Yes', action: yes }, { label: 'No', action: no }, { label: 'More', action: { type: 'plugin', value: 'x' } }),
    { text: 'Ship it?' },
  ])
    assert.throws(() => usableMessage(made, question, 'words', 'question'), /keep their actions/)
})

test('usableMessage: no plugin answers for a person, or taps in the name of another plugin', () => {
  for (const action of [
    yes,
    { type: 'approval', approvalId: 'q_1', approvalKind: 'exec', decision: 'allow-once' },
    { type: 'plugin', plugin: 'bank', value: 'pay' },
  ])
    assert.throws(() => usableMessage(withButtons({ label: 'Go', action }), { text: 'Hello' }, 'words', 'reply'), /reserved|server/)
})

test('usableMessage: its own buttons get its name, and those of another plugin stay', () => {
  const others = withButtons({ label: 'Pay', action: { type: 'plugin', plugin: 'bank', value: 'pay' } })
  const made = withButtons(
    { label: 'Pay', action: { type: 'plugin', plugin: 'bank', value: 'pay' } },
    { label: 'More', action: { type: 'plugin', value: 'more' } },
  )
  assert.deepEqual(actions(usableMessage(made, others, 'words', 'reply')), [
    { type: 'plugin', plugin: 'bank', value: 'pay' },
    { type: 'plugin', plugin: 'words', value: 'more' },
  ])
})

test('usableMessage: files that the message has already stay', () => {
  const before: ReplyPayload = { text: 'Look', media: [{ url: 'file:///project/a.png', kind: 'image', name: 'a.png' }] }
  assert.equal(usableMessage({ ...before, text: '看' }, before, 'words', 'sent')?.text, '看')
  assert.throws(() => usableMessage({ text: 'Look', media: ['file:///etc/passwd'] }, { text: 'Look' }, 'words', 'sent'))
})
