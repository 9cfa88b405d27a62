import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdaptedButton, AdaptedMessage } from '../../../ports/channel.ts'
import { renderTelegram } from './render.ts'

const one = (...blocks: AdaptedMessage['parts'][number]['blocks']): AdaptedMessage => ({ parts: [{ blocks }] })
const text = (words: string, format: 'markdown' | 'plain' = 'plain') => ({ type: 'text' as const, text: words, format })
const key = (label: string, press: AdaptedButton['press'], style?: AdaptedButton['style']): AdaptedButton => ({
  label,
  press,
  ...(style && { style }),
})

test('a topic, a quiet message, a reply: only the first part answers', () => {
  const { requests } = renderTelegram(
    { parts: [{ blocks: [text('a')] }, { blocks: [text('b')] }] },
    { address: '-100:topic:7', silent: true, replyTo: '5' },
  )
  assert.deepEqual(requests, [
    {
      operation: 'sendMessage',
      body: {
        chat_id: -100,
        message_thread_id: 7,
        disable_notification: true,
        reply_parameters: { message_id: 5, allow_sending_without_reply: true },
        text: 'a',
        parse_mode: 'HTML',
      },
    },
    { operation: 'sendMessage', body: { chat_id: -100, message_thread_id: 7, disable_notification: true, text: 'b', parse_mode: 'HTML' } },
  ])
})

test('every kind of key has exactly one thing it does', () => {
  const rows = [
    [key('value', { type: 'value', value: 'v' }, 'danger'), key('plain', { type: 'value', value: 'w' }, 'secondary')],
    [
      key('url', { type: 'url', url: 'https://example.org/' }),
      key('copy', { type: 'copy-text', text: 'abc' }),
      key('off', { type: 'none' }),
    ],
  ]
  const [request] = renderTelegram(one(text('x'), { type: 'buttons', rows }), { address: '1' }).requests
  assert.deepEqual(request?.body?.['reply_markup'], {
    inline_keyboard: [
      [
        { text: 'value', style: 'danger', callback_data: 'v' },
        { text: 'plain', callback_data: 'w' },
      ],
      [
        { text: 'url', url: 'https://example.org/' },
        { text: 'copy', copy_text: { text: 'abc' } },
        { text: 'off', disabled: {} },
      ],
    ],
  })
})

test('an edit without controls takes the old ones away; further parts are sent', () => {
  const { requests } = renderTelegram({ parts: [{ blocks: [text('a')] }, { blocks: [text('b')] }] }, { address: '1', edit: ['77'] })
  assert.deepEqual(
    requests.map(({ operation }) => operation),
    ['editMessageText', 'sendMessage'],
  )
  assert.deepEqual(requests[0]?.body, { chat_id: 1, message_id: 77, reply_markup: { inline_keyboard: [] }, text: 'a', parse_mode: 'HTML' })
})

test('an image carries its words and the controls after it', () => {
  const image = { type: 'image' as const, url: 'https://example.org/i.png', alt: 'A <cat>' }
  const buttons = { type: 'buttons' as const, rows: [[key('A', { type: 'value', value: 'a' })]] }
  const [request] = renderTelegram(one(image, buttons), { address: '1' }).requests
  assert.equal(request?.operation, 'sendPhoto')
  assert.equal(request?.body?.['caption'], 'A &lt;cat&gt;')
  assert.ok(request?.body?.['reply_markup'])
})

test('markup around nothing is shown as it was written, because an empty message would be refused', () => {
  const [request] = renderTelegram(one(text('[ ](https://example.org/)', 'markdown')), { address: '1' }).requests
  assert.equal(request?.body?.['text'], '[ ](https://example.org/)')
})
