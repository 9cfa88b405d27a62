import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { loopbackChannel } from '../chats/outbox/test/loopback-channel.ts'
import type { ChannelKind, OpenAccount } from '../ports/channel-kind.ts'
import type { PlatformRequest, PollSheet } from '../ports/channel.ts'
import { channelContract, type ChannelSubject } from './channel-contract.ts'

const token = 'a-token-of-the-loopback'

/** A kind that keeps the whole contract. */
function goodKind(): ChannelKind {
  const fake = loopbackChannel()
  const address = {
    parse: (text: string) => text.trim(),
    parent: (text: string) => (text.includes('/') ? (text.split('/')[0] ?? null) : null),
    isGroup: () => true,
    sample: 'c1',
  }
  const unreachable = { failure: { code: 'unreachable' as const, why: 'no answer', retryable: true, maybeSent: false } }
  return {
    kind: 'loopback',
    title: 'Loopback',
    renderer: fake.channel,
    config: z.strictObject({ token: z.string().optional() }),
    secrets: [{ key: 'token', title: { en: 'Token', zh: '令牌' }, variables: ['LOOPBACK_TOKEN'] }],
    address,
    open({ name, config }) {
      let isOpen = true
      const hasToken = (config as { token?: string }).token !== undefined
      const account: OpenAccount = {
        get channel() {
          return isOpen ? { ...fake.channel, name, address, send: async () => unreachable } : null
        },
        receives: 'webhook',
        webhook: {
          async receive({ headers, body }) {
            const text = new TextDecoder().decode(body)
            if (headers['signature'] !== `signed ${text}` || headers['time'] === 'old') return { forged: true }
            const from = { id: '7', name: 'Mia' }
            const message = { type: 'message' as const, messageId: 'm', text, media: [] }
            return { inbounds: [{ id: 'in1', address: 'c1', isPrivate: false, from, at: 1, ...message }], answer: () => new Response() }
          },
        },
        state: hasToken ? { state: 'connecting', account: null, problem: null } : { state: 'waiting', account: null, problem: 'no token' },
        ready: Promise.resolve(),
        check: async () => ({ problem: 'no answer', isPassing: true }),
        async close() {
          isOpen = false
        },
      }
      return account
    },
  }
}

/** A genuine call. */
const signed = {
  method: 'POST',
  path: '/',
  query: {},
  headers: { signature: 'signed hello', time: 'now' },
  body: new TextEncoder().encode('hello'),
}

function makeSubject(kind: ChannelKind, more: Partial<ChannelSubject> = {}): ChannelSubject {
  const webhook = { message: signed, replayed: { ...signed, headers: { ...signed.headers, time: 'old' } } }
  return { kind, settings: { token }, thread: { address: 'c1/t1', chat: 'c1' }, messageIds: ['m-1001', 'm-1002'], webhook, ...more }
}

const withRenderer = (change: (requests: PlatformRequest[], call: number) => PlatformRequest[] | null): ChannelKind => {
  const kind = goodKind()
  let calls = 0
  return {
    ...kind,
    renderer: {
      ...kind.renderer,
      render(adapted, to) {
        const requests = change(kind.renderer.render(adapted, to)?.requests ?? [], (calls += 1))
        return requests && { requests }
      },
    },
  }
}

const withAccount = (change: (account: OpenAccount) => Partial<OpenAccount>): ChannelKind => {
  const kind = goodKind()
  return {
    ...kind,
    open(given, parts) {
      const account = kind.open(given, parts)
      return { ...account, channel: account.channel, ...change(account) }
    },
  }
}

function withPolls(spell: (poll: { question: string }) => string): ChannelKind {
  const kind = goodKind()
  const { capabilities } = kind.renderer
  const polls: PollSheet = {
    maxOptions: 2,
    maxQuestionLength: 100,
    maxOptionLength: 100,
    openMs: [1_000, 60_000],
    voters: 'shown',
    render: (poll, { address }) => ({ operation: 'poll', body: { address, question: spell(poll), options: poll.options } }),
  }
  return {
    ...kind,
    renderer: { ...kind.renderer, capabilities: { ...capabilities, presentation: { ...capabilities.presentation, polls } } },
  }
}

const inBody = (request: PlatformRequest, change: object): PlatformRequest => ({ ...request, body: { ...request.body, ...change } })

/** One fault for each rule. */
const broken: Readonly<Record<string, ChannelSubject>> = {
  'channel:names': makeSubject({ ...goodKind(), secrets: [{ key: 'tokn', title: { en: 'x', zh: 'x' }, variables: [] }] }),
  'channel:addresses': makeSubject({ ...goodKind(), address: { ...goodKind().address, parent: () => null } }),
  'render:whole': makeSubject(withRenderer((requests) => requests.map((request) => inBody(request, { controls: [] })))),
  'render:pure': makeSubject(withRenderer((requests, call) => requests.map((request) => inBody(request, { call })))),
  'render:words': makeSubject(withRenderer((requests) => requests.slice(0, 1))),
  'render:limits': makeSubject({
    ...goodKind(),
    renderer: {
      ...goodKind().renderer,
      capabilities: {
        ...goodKind().renderer.capabilities,
        presentation: {
          ...goodKind().renderer.capabilities.presentation,
          cost: () => ({ text: 0, blocks: 0, bytes: 9 }),
          limits: { text: { maxBytes: 8 } },
        },
      },
    },
  }),
  'render:accepted': makeSubject(goodKind(), { validate: ({ operation }) => (operation === 'edit' ? ['there is no such operation'] : []) }),
  'render:edit': makeSubject(withRenderer((requests) => requests.map((request) => inBody(request, { id: 'x' })))),
  'preview:labels': makeSubject({ ...goodKind(), renderer: { ...goodKind().renderer, readBack: () => [] } }),
  'polls:pure': makeSubject(withPolls(({ question }) => question.toUpperCase())),
  'lookups:values': makeSubject(
    withAccount((account) => ({
      channel: account.channel && {
        ...account.channel,
        lookups: {
          messages: async () => {
            throw new Error('no answer')
          },
        },
      },
    })),
  ),
  'operations:named': makeSubject(withAccount((account) => ({ channel: account.channel }))),
  'send:values': makeSubject(
    withAccount((account) => ({
      channel: account.channel && {
        ...account.channel,
        send: async () => {
          throw new Error(`no answer for ${token}`)
        },
      },
    })),
  ),
  'webhook:forged': makeSubject(
    withAccount(() => ({ webhook: { receive: async () => ({ inbounds: [], answer: () => new Response() }) } })),
  ),
  'webhook:replayed': makeSubject(goodKind(), {
    webhook: { message: signed, replayed: signed },
  }),
  'open:settings': makeSubject(withAccount(() => ({ state: { state: 'connected', account: '@x', problem: null } }))),
}

for (const { id, behaviour, run } of channelContract)
  test(`${id}: a channel that keeps it passes, a broken one is caught (${behaviour})`, async () => {
    await run(makeSubject(goodKind()))
    const subject = broken[id] ?? assert.fail(`no broken channel for ${id}`)
    await assert.rejects(async () => run(subject))
  })
