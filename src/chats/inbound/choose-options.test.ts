import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answers } from '../../dialogs/rules/question.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { announceViews, type AskedAt, askedAtKey } from '../announce/announce-views.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { chooseOption, explainOptions } from './choose-options.ts'
import type { ControlTap } from './control-tap.ts'
import type { InboundParts } from './inbound-parts.ts'

const at = { channel: 'chat', address: '42' }
const tap = (id: string): ControlTap => ({
  ...at,
  messageId: 'm1',
  by: { id: '42', name: 'Mia', language: 'en' },
  label: '',
  isReusable: false,
  delivery: 'dlv_1',
  about: 'question:q_1',
  dialog: 'dlg_1',
  caller: { by: { kind: 'human', name: 'Mia' }, via: 'chat', once: { key: `inbound:chat:${id}`, request: id } },
})
const option = (of: number | 'done') => ({ type: 'option' as const, question: 'q_1', option: of })

async function asked({ hasRow = true } = {}) {
  const store = memoryStore()
  const committer = groupCommitter(store)
  const options = ['soup', 'pasta', 'cake'].map((value) => ({ value, label: value }))
  const view = {
    id: 'q_1',
    state: 'open',
    ask: { text: 'Which?', items: [{ id: 'dishes', text: '', kind: 'choices', min: 2, options }] },
    closed: null,
  } as unknown as QuestionView
  const questionContext = { language: 'en', isElsewhere: false, isGroup: false, isSide: false } as const
  const body: AskedAt = { question: 'q_1', ...at, delivery: 'dlv_1', choosing: { shown: questionContext, values: [] } }
  const key = askedAtKey('q_1', at)
  if (hasRow) await committer.commit({ rows: [{ view: announceViews.askedAt, key, group: 'chat/42', sort: 1, text: '', body }] })
  const edits: ReplyPayload[] = []
  const answers: Answers[] = []
  const parts = {
    store,
    committer,
    outbox: { edit: async (_: string, message: ReplyPayload) => void edits.push(message) },
    parley: {
      questions: { get: async () => view, answer: async (_: string, given: { answers: Answers }) => void answers.push(given.answers) },
    },
  } as unknown as Pick<InboundParts, 'store' | 'committer' | 'parley' | 'outbox'>
  const chosen = async () => ((await store.row(announceViews.askedAt, key))?.body as AskedAt | undefined)?.choosing?.values
  return { parts, view, edits, answers, chosen }
}

test('chooseOption: two taps at once both count, and a second tap on the same option takes it away', async () => {
  const { parts, chosen } = await asked()
  await Promise.all([chooseOption(parts, option(2), tap('1')), chooseOption(parts, option(0), tap('2'))])
  assert.deepEqual(await chosen(), ['soup', 'cake'])
  await chooseOption(parts, option(2), tap('3'))
  assert.deepEqual(await chosen(), ['soup'])
})

test('chooseOption: a tap that is handled again after a crash toggles nothing', async () => {
  const { parts, chosen, edits } = await asked()
  await chooseOption(parts, option(1), tap('1'))
  await chooseOption(parts, option(1), tap('1'))
  assert.deepEqual(await chosen(), ['pasta'])
  assert.deepEqual(edits[1], edits[0])
})

test('chooseOption: Done is refused with the count until it fits, then sends the values', async () => {
  const { parts, answers } = await asked()
  await chooseOption(parts, option(0), tap('1'))
  assert.equal(await explainOptions(parts, option('done'), tap('2')), 'Choose at least 2.')
  await chooseOption(parts, option(1), tap('3'))
  assert.equal(await explainOptions(parts, option('done'), tap('4')), null)
  await chooseOption(parts, option('done'), tap('4'))
  assert.deepEqual(answers, [{ dishes: 'soup\npasta' }])
})

test('chooseOption: a tap before the row is stored is retried', async () => {
  const { parts } = await asked({ hasRow: false })
  await assert.rejects(chooseOption(parts, option(0), tap('1')), { code: 'busy' })
})

test('chooseOption: a closed question and an unknown option change nothing', async () => {
  const { parts, view, edits, chosen } = await asked()
  await chooseOption(parts, option(9), tap('1'))
  view.state = 'answered'
  await chooseOption(parts, option(0), tap('2'))
  assert.deepEqual([edits, await chosen()], [[], []])
})
