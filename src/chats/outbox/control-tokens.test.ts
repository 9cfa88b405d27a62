import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore } from '../../store/memory/memory-store.ts'
import type { ReplyPayload } from '../message/reply-payload.ts'
import { controlRow, controlTokens, findControl } from './control-tokens.ts'
import { deliveryLimits } from './delivery-limits.ts'
import { deliveryViews } from './delivery-rows.ts'
import { initialDelivery } from './delivery-state.ts'

const message: ReplyPayload = {
  presentation: {
    blocks: [
      { type: 'text', text: 'Ship it?' },
      {
        type: 'buttons',
        buttons: [
          { label: 'Yes', value: 'yes' },
          { label: 'More', value: 'more', reusable: true },
          { label: 'No', value: 'no', reusable: false },
          { label: 'Page', url: 'https://example.com' },
          { label: 'Copy', action: { type: 'copy-text', text: 'x' } },
          { label: 'Help', action: { type: 'command', command: '/help' } },
        ],
      },
      { type: 'select', options: [{ label: 'Blue', value: 'blue' }] },
    ],
  },
}

test('control tokens: the same value gets the same name of the full length, another delivery another one', () => {
  const make = (delivery: string) => controlTokens(delivery, { text: '' }, () => false)
  const { tokens, given } = make('d1')
  const token = tokens.tokenFor('v')
  assert.equal(token.length, deliveryLimits.tokenChars)
  assert.equal(tokens.tokenFor('v'), token)
  assert.notEqual(tokens.tokenFor('w'), token)
  assert.notEqual(make('d2').tokens.tokenFor('v'), token)
  assert.deepEqual(
    given().map(({ value, label, isReusable }) => ({ value, label, isReusable })),
    ['v', 'w'].map((value) => ({ value, label: '', isReusable: false })),
  )
})

test('control tokens: each control is given with its label, and only a button marked so may be used again', () => {
  const { tokens, given } = controlTokens('d1', message, () => false)
  assert.deepEqual(given(), [], 'nothing was shown yet')
  for (const value of ['yes', 'more', 'no', 'p1:c:/help', 'blue', 'https://example.com', 'x']) tokens.tokenFor(value)
  assert.deepEqual(
    given().map(({ value, label, isReusable }) => [value, label, isReusable]),
    [
      ['yes', 'Yes', false],
      ['more', 'More', true],
      ['no', 'No', false],
      ['p1:c:/help', 'Help', false],
      ['blue', 'Blue', false],
      ['https://example.com', '', false],
      ['x', '', false],
    ],
  )
})

test('control tokens: every value is replaced, except those that their author signed', () => {
  const { tokens } = controlTokens('d1', message, (value) => value === 'signed')
  assert.deepEqual([tokens.when, tokens.isSigned?.('signed'), tokens.isSigned?.('yes')], ['always', true, false])
})

test('control rows: a control is found by its token with everything a tap is judged by; an unknown token has none', async () => {
  const store = memoryStore()
  const state = { ...initialDelivery, delivery: 'd1', channel: 'c', address: 'a', about: 'question:q', mayTap: ['7'] }
  const row = controlRow(state, { token: 't', value: 'yes', label: 'Yes', isReusable: true }, 99)
  assert.deepEqual([row.view, row.key, row.group, row.sort], [deliveryViews.controls, 't', 'd1', 99])
  await store.commit([{ rows: [row] }])
  assert.deepEqual(await findControl(store, 't'), {
    delivery: 'd1',
    channel: 'c',
    address: 'a',
    about: 'question:q',
    mayTap: ['7'],
    value: 'yes',
    label: 'Yes',
    isReusable: true,
    expiresAt: 99,
  })
  assert.equal(await findControl(store, 'u'), null)
})
