import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Message, onClick, onPush } from './push-event.ts'

const message: Message = {
  title: 'ada asks you',
  body: 'Which colour?',
  path: 'q/q_1',
  tag: 'q_1',
  language: 'en',
  notSent: 'Not sent',
  buttons: [
    { action: 'open', title: 'Open' },
    { action: 'answer-0', title: 'RED', says: 'Answer sent: RED', send: { path: 'v1/questions/q_1/answer', body: { choice: 'red' } } },
  ],
}

function scene({ status = 200, windows = [] as { url: string; focused: boolean }[] } = {}) {
  const done: unknown[] = []
  const worker: Parameters<typeof onPush>[0] = {
    registration: {
      scope: 'https://parley.example.org/base/',
      showNotification: async (title, options) =>
        void done.push(['show', title, options.body, (options.actions ?? []).map((one) => one.action)]),
    },
    clients: {
      claim: async () => {},
      matchAll: async () =>
        windows.map((window) => ({
          ...window,
          focus: async () => void done.push(['focus', window.url]),
          navigate: async (url) => void done.push(['navigate', url]),
        })),
      openWindow: async (url) => void done.push(['open', url]),
    },
    async fetch(url, { method, body, headers }) {
      done.push([method, url, body, (headers as Record<string, string>)['idempotency-key']])
      return new Response(null, { status })
    },
  }
  const notification = { data: message, close: () => void done.push('close') } as unknown as Notification
  return { done, worker, notification }
}

test('onPush: shows what came with its buttons, below the address the page is mounted at', async () => {
  const { done, worker } = scene({ windows: [{ url: 'https://parley.example.org/base/', focused: true }] })
  await onPush(worker, message)
  assert.deepEqual(done, [['show', 'ada asks you', 'Which colour?', ['open', 'answer-0']]])
})

test('onPush: nothing where the person has that page in front of them', async () => {
  const { done, worker } = scene({ windows: [{ url: 'https://parley.example.org/base/q/q_1', focused: true }] })
  await onPush(worker, message)
  await onPush(worker, undefined)
  assert.deepEqual(done, [])
})

test('onClick: a button sends its answer once, and the device says what came of it', async () => {
  const request = ['POST', 'https://parley.example.org/base/v1/questions/q_1/answer', '{"choice":"red"}', 'q_1:answer-0']
  const sent = scene()
  await onClick(sent.worker, sent.notification, 'answer-0')
  assert.deepEqual(sent.done, ['close', request, ['show', 'Answer sent: RED', 'ada asks you', []]])
  const refused = scene({ status: 409 })
  await onClick(refused.worker, refused.notification, 'answer-0')
  assert.deepEqual(refused.done, ['close', request, ['show', 'Not sent', 'ada asks you', []]])
})

test('onClick: everything else opens the page, in a window that is there', async () => {
  const url = 'https://parley.example.org/base/q/q_1'
  const closed = scene()
  await onClick(closed.worker, closed.notification, '')
  assert.deepEqual(closed.done, ['close', ['open', url]])
  const other = scene({ windows: [{ url: 'https://parley.example.org/base/', focused: false }] })
  await onClick(other.worker, other.notification, 'open')
  assert.deepEqual(other.done.slice(1), [
    ['navigate', url],
    ['focus', 'https://parley.example.org/base/'],
  ])
})
