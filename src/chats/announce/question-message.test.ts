import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QuestionView } from '../../shapes/wire.ts'
import { actionOf } from '../message/presentation.ts'
import { textReading } from '../message/text-reading.ts'
import { closedQuestionMessage, questionMessage } from './question-message.ts'

const view = (ask: QuestionView['ask'], more: Partial<QuestionView> = {}): QuestionView => ({
  id: 'q_1',
  dialog: 'dlg_1',
  dialogTitle: 'The trip',
  agent: 'ada',
  state: 'open',
  ask,
  askedAt: 1,
  expiresAt: null,
  closed: null,
  ...more,
})
const choice = {
  text: 'Ship it?',
  items: [
    {
      id: 'go',
      text: 'Ship it?',
      kind: 'choice' as const,
      options: [
        { value: 'y', label: 'Yes', hint: 'today' },
        { value: 'n', label: 'No' },
      ],
    },
  ],
}
const here = { isElsewhere: false }

const listButtons = (message: ReturnType<typeof questionMessage>) =>
  (message.presentation?.blocks ?? []).flatMap((block) => (block.type === 'buttons' ? block.buttons : []))

test('a choice has a button for each option, says its words once, and no value can be read', () => {
  const message = questionMessage(view(choice), 'en', here)
  assert.deepEqual(
    listButtons(message).map((button) => [button.label, actionOf(button)]),
    [
      ['Yes', { type: 'question', questionId: 'q_1', optionValue: 'y' }],
      ['No', { type: 'question', questionId: 'q_1', optionValue: 'n' }],
    ],
  )
  const text = textReading(message)
  assert.equal(text.split('Ship it?').length, 2)
  assert.match(text, /Yes: today/)
  assert.doesNotMatch(text, /q_1/)
})

test('somewhere else it says whose question it is', () => {
  assert.match(textReading(questionMessage(view(choice), 'en', { isElsewhere: true })), /ada asks · The trip/)
  assert.doesNotMatch(textReading(questionMessage(view(choice), 'en', here)), /The trip/)
})

test('leave for something is an approval, in its colours', () => {
  const options = [
    { value: 'allow-once', label: 'Once' },
    { value: 'deny', label: 'No' },
  ]
  const buttons = listButtons(
    questionMessage(view({ text: 'May I?', items: [{ id: 'a', text: '', kind: 'choice', options }] }), 'en', here),
  )
  assert.deepEqual(
    buttons.map((button) => [actionOf(button).type, button.style]),
    [
      ['approval', 'success'],
      ['approval', 'danger'],
    ],
  )
})

test('a set is numbered, and a question in words says how to answer, in both languages', () => {
  const set = {
    text: 'Two things',
    items: [choice.items[0] as (typeof choice.items)[0], { id: 'name', text: 'Which name?', kind: 'text' as const }],
  }
  const text = textReading(questionMessage(view(set), 'en', here))
  assert.match(text, /1\. Ship it\? One of: Yes, No\./)
  assert.match(text, /2\. Which name\?/)
  assert.equal(listButtons(questionMessage(view(set), 'en', here)).length, 0)
  assert.match(textReading(questionMessage(view(set), 'zh', here)), /请回复这条消息/)
})

test('a decided question shows who decided and how, and has no buttons', () => {
  const closed = { at: 2, by: 'Mia', via: 'web', answers: { go: 'y' }, reason: null }
  const message = closedQuestionMessage(view(choice, { state: 'answered', closed }), 'en', here)
  assert.match(textReading(message), /✓ Answered by Mia: Yes/)
  assert.equal(listButtons(message).length, 0)
  for (const [state, words] of [
    ['declined', /Mia declined to answer/],
    ['cancelled', /Withdrawn/],
    ['expired', /has expired/],
  ] as const)
    assert.match(textReading(closedQuestionMessage(view(choice, { state, closed: { ...closed, answers: null } }), 'en', here)), words)
})

test('Chinese is written with its own colon, and no space after it', () => {
  const options = [
    { value: 'y', label: '好', hint: '现在发布' },
    { value: 'n', label: '不' },
  ]
  const one = { text: '发布吗？', items: [{ id: 'go', text: '', kind: 'choice' as const, options }] }
  const set = {
    text: '两件事',
    items: [{ ...one.items[0], text: '发布吗？' } as (typeof one.items)[0], { id: 'name', text: '名字', kind: 'text' as const }],
  }
  const closed = { at: 2, by: 'Mia', via: 'web', answers: { go: 'y', name: '甲' }, reason: null }
  const decided = (ask: typeof one | typeof set): string =>
    textReading(closedQuestionMessage(view(ask, { state: 'answered', closed }), 'zh', here))
  assert.match(decided(one), /✓ Mia 的回答：好/)
  assert.match(decided(set), /发布吗？：好\n名字：甲/)
  assert.match(textReading(questionMessage(view(one), 'zh', here)), /好：现在发布/)
  assert.match(textReading(questionMessage(view(set), 'zh', here)), /发布吗？可选：好、不。/)
  assert.match(textReading(questionMessage(view(set), 'zh', here)), /“1：…”/)
})
