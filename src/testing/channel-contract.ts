import assert from 'node:assert/strict'
import { adapt } from '../chats/presentation/adapt.ts'
import type { ReplyPayload } from '../chats/message/reply-payload.ts'
import type { ChannelKind, OpenAccount, OpenParts, WebhookRequest } from '../ports/channel-kind.ts'
import type { AdaptedBlock, AdaptedMessage, PlatformRequest, RenderTarget } from '../ports/channel.ts'
import { contractMessages } from './channel-contract-messages.ts'

/** A kind with what the cases need to know about its platform. */
export type ChannelSubject = {
  kind: ChannelKind
  /** Settings of an account that cannot reach its platform. */
  settings: Record<string, unknown>
  /** An address of a thread or topic, and the chat it belongs to; null on a platform without them. */
  thread: { address: string; chat: string } | null
  /** Message ids as the platform writes them. */
  messageIds: readonly [string, string]
  /** Faults that the platform's own contract finds in a request; none without one. */
  validate?(request: PlatformRequest): readonly string[]
  /** Genuine calls of the platform to the webhook, built for `settings`. */
  webhook?: { message: WebhookRequest; replayed?: WebhookRequest }
}

export type ChannelCase = { id: string; behaviour: string; run(subject: ChannelSubject): void | Promise<void> }

const tokens = { tokenFor: (value: string): string => `t-${value}` }
const messages = Object.entries(contractMessages)

function render(
  kind: ChannelKind,
  message: ReplyPayload,
  to: Partial<RenderTarget> = {},
): { adapted: AdaptedMessage; requests: PlatformRequest[] } {
  const { adapted } = adapt(message, kind.renderer.capabilities.presentation, tokens)
  const rendered = kind.renderer.render(structuredClone(adapted), { address: kind.address.sample, ...to })
  assert.ok(rendered, 'the renderer returned null')
  return { adapted, requests: rendered.requests }
}

const countParts = (requests: readonly PlatformRequest[]): number => requests.reduce((sum, { covers = 1 }) => sum + covers, 0)

const listValues = (blocks: readonly AdaptedBlock[]): string[] =>
  blocks.flatMap((block) => {
    if (block.type === 'select') return block.options.map(({ value }) => value)
    if (block.type !== 'buttons') return []
    return block.rows.flat().flatMap(({ press }) => (press.type === 'value' ? [press.value] : press.type === 'url' ? [press.url] : []))
  })

const listLabels = (blocks: readonly AdaptedBlock[]): string[] =>
  blocks.flatMap((block) =>
    block.type === 'select'
      ? block.options.map(({ label }) => label)
      : block.type === 'buttons'
        ? block.rows.flat().map(({ label }) => label)
        : [],
  )

function open({ kind, settings }: ChannelSubject, signal: AbortSignal = AbortSignal.abort()): OpenAccount {
  const read = kind.config.safeParse(settings)
  assert.ok(read.success, `the settings of the subject do not fit its schema: ${read.error?.message ?? ''}`)
  const clock: OpenParts['clock'] = { now: Date.now, after: (ms, act) => clearTimeout.bind(null, setTimeout(act, ms).unref()) }
  const parts: Omit<OpenParts, 'signal'> = {
    take: async () => {},
    readFile: async () => ({ problem: 'no files here' }),
    clock,
    log: () => {},
    reading: { isOn: true, until: async () => {} },
    cursor: { read: async () => null, write: async () => {} },
    publicUrl: 'https://parley.example/v1/channels/mine/webhook',
  }
  return kind.open({ name: 'mine', config: read.data }, { ...parts, signal })
}

const unsigned = (body: string): WebhookRequest => ({
  method: 'POST',
  path: '/',
  query: {},
  headers: {},
  body: new TextEncoder().encode(body),
})

/** The contract between any chat platform and the core. Plain data: any test runner, or none, can run it. */
export const channelContract: readonly ChannelCase[] = [
  {
    id: 'channel:names',
    behaviour: 'the kind is a lower-case name, and every secret is a setting with a title in English and Chinese',
    run({ kind }) {
      assert.match(kind.kind, /^[a-z][a-z0-9-]*$/)
      assert.notEqual(kind.title.trim(), '')
      for (const { key, title } of kind.secrets) {
        for (const text of [title.en, title.zh ?? '']) assert.notEqual(text.trim(), '', key)
        const read = kind.config.safeParse({ [key]: { not: 'a text' } })
        assert.ok(!read.success && read.error.issues.some(({ path }) => path[0] === key), `${key} is no setting`)
      }
    },
  },
  {
    id: 'channel:addresses',
    behaviour: 'an address has one spelling, and a thread belongs to its chat',
    run({ kind: { address }, thread }) {
      assert.equal(address.parse(address.sample), address.sample)
      assert.equal(address.parent(address.sample), null)
      if (!thread) return
      assert.equal(address.parse(thread.address), thread.address)
      assert.equal(address.parent(thread.address), thread.chat)
      assert.equal(address.parent(thread.chat), null)
      assert.equal(address.isGroup(thread.address), address.isGroup(thread.chat))
    },
  },
  {
    id: 'render:whole',
    behaviour: 'the requests cover every part of a message, with every value of its controls',
    run({ kind }) {
      for (const [name, message] of messages) {
        const { adapted, requests } = render(kind, message)
        assert.equal(countParts(requests), adapted.parts.length, name)
        const requestsText = JSON.stringify(requests)
        const values = adapted.parts.flatMap(({ blocks }) => listValues(blocks))
        assert.deepEqual(
          values.filter((value) => !requestsText.includes(JSON.stringify(value).slice(1, -1))),
          [],
          name,
        )
      }
    },
  },
  {
    id: 'render:pure',
    behaviour: 'the same message gives the same requests, and is not changed',
    run({ kind }) {
      for (const [name, message] of messages) {
        const { adapted } = adapt(message, kind.renderer.capabilities.presentation, tokens)
        const before = structuredClone(adapted)
        const to = { address: kind.address.sample }
        assert.deepEqual(kind.renderer.render(adapted, to), kind.renderer.render(adapted, to), name)
        assert.deepEqual(adapted, before, name)
      }
    },
  },
  {
    id: 'render:words',
    behaviour: 'no word of a text is lost',
    run({ kind }) {
      const text = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ')
      const sentWords = new Set(JSON.stringify(render(kind, { text }).requests).match(/word\d+/g))
      assert.deepEqual(
        text.split(' ').filter((word) => !sentWords.has(word)),
        [],
      )
    },
  },
  {
    id: 'render:limits',
    behaviour: 'no part costs more than a message of the platform holds',
    run({ kind }) {
      const { cost, limits } = kind.renderer.capabilities.presentation
      const { maxLength = Infinity, maxBlocks = Infinity, maxBytes = Infinity } = limits?.text ?? {}
      for (const [name, message] of messages)
        for (const { blocks } of render(kind, message).adapted.parts) {
          const costs = blocks.map((block) => cost?.(block) ?? { text: 0, blocks: 1, bytes: 0 })
          assert.ok(costs.reduce((sum, { text }) => sum + text, 0) <= maxLength, `${name}: text`)
          assert.ok(costs.reduce((sum, { blocks: count }) => sum + count, 0) <= maxBlocks, `${name}: blocks`)
          assert.ok(costs.reduce((sum, { bytes }) => sum + bytes, 0) <= maxBytes, `${name}: bytes`)
        }
    },
  },
  {
    id: 'render:accepted',
    behaviour: "every request keeps the platform's own rules",
    run({ kind, validate = () => [], messageIds, thread }) {
      const canEdit = kind.renderer.capabilities.delivery.editing.ability !== 'none'
      const targets: Partial<RenderTarget>[] = [
        {},
        { silent: true, plain: true },
        ...(thread ? [{ address: thread.address }] : []),
        ...(canEdit ? [{ edit: messageIds }] : []),
      ]
      for (const [name, message] of messages)
        for (const to of targets)
          for (const request of render(kind, message, to).requests)
            assert.deepEqual(validate(request), [], `${name}: ${request.operation} ${JSON.stringify(to)}`)
    },
  },
  {
    id: 'render:edit',
    behaviour: 'a part that was sent is changed by its id, where the platform can; further parts are sent',
    run({ kind, messageIds: [first] }) {
      if (kind.renderer.capabilities.delivery.editing.ability === 'none') return
      const [fresh] = render(kind, { text: 'Hello' }).requests
      const [changed] = render(kind, { text: 'Hello' }, { edit: [first] }).requests
      assert.ok(!JSON.stringify(fresh).includes(first))
      assert.ok(JSON.stringify(changed).includes(first), 'the id is not in the request')
    },
  },
  {
    id: 'preview:labels',
    behaviour: 'what is read back from a request, where it can be, has every label, and any other request is read without a fault',
    run({ kind }) {
      const { readBack } = kind.renderer
      if (!readBack) return
      for (const [name, message] of messages) {
        const { adapted, requests } = render(kind, message)
        const shown = JSON.stringify(requests.flatMap((request) => readBack(request)))
        for (const label of adapted.parts.flatMap(({ blocks }) => listLabels(blocks)))
          assert.ok(shown.includes(JSON.stringify(label).slice(1, -1)), `${name}: ${label}`)
      }
      for (const body of [undefined, {}, { text: 1, blocks: 'x', content: '{', components: [null], messages: [1], attachments: [{}] }])
        assert.ok(Array.isArray(readBack({ operation: 'x', ...(body && { body }) })))
    },
  },
  {
    id: 'polls:pure',
    behaviour: 'the same poll gives the same request, with its question and options unchanged',
    run({ kind }) {
      const { polls } = kind.renderer.capabilities.presentation
      if (!polls) return
      const poll = { question: 'Lunch & dinner?', options: ['<b>Pizza</b>', '*Sushi*'], isMultiple: true, openForMs: polls.openMs[1] }
      const drawn = (): string => JSON.stringify(polls.render(structuredClone(poll), { address: kind.address.sample }))
      assert.equal(drawn(), drawn())
      for (const words of [poll.question, ...poll.options]) assert.ok(drawn().includes(words), words)
    },
  },
  {
    id: 'lookups:values',
    behaviour: 'a question to a platform that cannot be reached is a value, never thrown',
    async run(subject) {
      const account = open(subject)
      await account.ready
      const { lookups } = account.channel ?? assert.fail('no channel')
      const at = { address: subject.kind.address.sample, messageId: subject.messageIds[0] }
      const signal = AbortSignal.timeout(5_000)
      const outcomes = [await lookups?.messages?.({ address: at.address, limit: 5 }, signal), await lookups?.reactions?.(at, signal)]
      for (const outcome of outcomes) assert.ok(outcome === undefined || 'failure' in outcome, 'it should have failed')
      for (const secret of secretsIn(subject)) assert.ok(!JSON.stringify(outcomes).includes(secret), 'a secret is in the failure')
      await account.close()
    },
  },
  {
    id: 'operations:named',
    behaviour: 'every ability of the sheet has a request',
    async run(subject) {
      const account = open(subject)
      await account.ready
      const { channel } = account
      assert.ok(channel, account.state.problem ?? 'no channel')
      const { operations, capabilities, address } = channel
      const { delivery } = capabilities
      const at = { address: address.sample, messageId: subject.messageIds[0] }
      if (delivery.pinSentMessage) for (const request of [operations.pin(at, false), operations.unpin(at)]) assert.ok(request.operation)
      if (delivery.removeSentMessage) assert.ok(operations.remove(at).operation)
      if (delivery.react) assert.ok(operations.react(at, '👍').operation)
      if (delivery.editing.ability === 'controls-alone') assert.ok(operations.stripControls(at).operation)
      assert.equal(channel.name, 'mine')
      await account.close()
      assert.equal(account.channel, null, 'a closed account has no channel')
    },
  },
  {
    id: 'send:values',
    behaviour: 'a platform that cannot be reached is a value, never thrown, and no secret is in it',
    async run(subject) {
      const account = open(subject)
      await account.ready
      const [request] = render(subject.kind, { text: 'Hello' }).requests
      assert.ok(account.channel && request)
      const outcome = await account.channel.send(request, { key: 'k1', signal: AbortSignal.timeout(5_000) })
      assert.ok('failure' in outcome && outcome.failure.retryable, 'it should have failed')
      const checked = await account.check()
      assert.ok('problem' in checked)
      for (const secret of secretsIn(subject)) assert.ok(!JSON.stringify([outcome, checked]).includes(secret), 'a secret is in the failure')
      await account.close()
    },
  },
  {
    id: 'webhook:forged',
    behaviour: 'an unsigned, changed or malformed call changes nothing and never throws',
    async run(subject) {
      const account = open(subject)
      await account.ready
      const { webhook } = account
      if (webhook === 'none') return account.close()
      for (const body of ['', '{', '{}', 'payload=%7B%7D', JSON.stringify({ type: 'url_verification', challenge: 'x' })])
        assert.deepEqual(await webhook.receive(unsigned(body)), { forged: true }, body)
      if (subject.webhook) {
        const { message } = subject.webhook
        const received = await webhook.receive(message)
        assert.ok('inbounds' in received && received.inbounds.length > 0, 'the genuine call of the subject is not accepted')
        const changed = { ...message, body: new TextEncoder().encode(`${new TextDecoder().decode(message.body)} `) }
        const headers = Object.fromEntries(Object.keys(message.headers).map((name) => [name, 'x'.repeat(40)]))
        assert.deepEqual(await webhook.receive({ ...message, headers }), { forged: true }, 'other headers')
        if (subject.webhook.replayed) assert.deepEqual(await webhook.receive(changed), { forged: true }, 'a changed body')
      }
      await account.close()
    },
  },
  {
    id: 'webhook:replayed',
    behaviour: 'a genuine call that is too old is refused, and a repeated one has the same ids',
    async run(subject) {
      const account = open(subject)
      await account.ready
      const { webhook } = account
      if (webhook !== 'none' && subject.webhook) {
        const ids = async (): Promise<string[]> => {
          const received = await webhook.receive(subject.webhook?.message ?? unsigned(''))
          return 'inbounds' in received ? received.inbounds.map(({ id }) => id) : []
        }
        assert.deepEqual(await ids(), await ids())
        if (subject.webhook.replayed) assert.deepEqual(await webhook.receive(subject.webhook.replayed), { forged: true })
      }
      await account.close()
    },
  },
  {
    id: 'open:settings',
    behaviour: 'an account without settings waits for a person, and closes',
    async run({ kind }) {
      const read = kind.config.safeParse({})
      if (!read.success) return
      const account = open({ kind, settings: {}, thread: null, messageIds: ['1', '2'] }, new AbortController().signal)
      await account.ready
      if (kind.secrets.some(({ optional }) => !optional)) {
        assert.equal(account.state.state, 'waiting')
        assert.notEqual(account.state.problem, null)
      }
      await account.close()
    },
  },
]

function secretsIn({ kind, settings }: ChannelSubject): string[] {
  return kind.secrets.flatMap(({ key }) => {
    const value = settings[key]
    return typeof value === 'string' && value.length >= 8 ? [value] : []
  })
}
