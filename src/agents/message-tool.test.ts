import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import { plainCapabilities } from '../chats/channels/plain/capabilities.ts'
import { telegramCapabilities } from '../chats/channels/telegram/capabilities.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import type { CapabilitySheet } from '../ports/channel.ts'
import { makeDelivery, fakeMessaging, type FakeMessaging } from '../server/test/fake-messaging.ts'
import { messageTool } from './message-tool.ts'
import { ownerCause } from '../testing/owner-cause.ts'

type Schema = { properties: Record<string, { enum?: string[] }>; required: string[] }

let messaging: FakeMessaging
let connected: CapabilitySheet[]
let tool: Tool
beforeEach(() => {
  messaging = fakeMessaging()
  connected = [telegramCapabilities]
  tool = messageTool({ messaging: () => messaging, sheets: () => connected })
})

const context = {
  dialog: 'dlg_1',
  agent: 'ada',
  call: 'call_1',
  taskdoc: null,
  isSide: false,
  cause: ownerCause,
  signal: new AbortController().signal,
}
const schema = (): Schema => tool.inputSchema as Schema
const fault = (input: unknown): string => {
  const checked = tool.check(input)
  return 'fault' in checked ? checked.fault : `it was taken: ${JSON.stringify(checked.input)}`
}
const run = (input: unknown, call = 'call_1'): Promise<unknown> => {
  const checked = tool.check(input)
  if ('fault' in checked) throw new Error(checked.fault)
  return tool.run(checked.input, { ...context, call })
}
const hello = { action: 'send', target: '42', message: 'Hello' }

describe('the gate of the message tool', () => {
  const getSubjects = async (input: object): Promise<unknown> =>
    tool.gate.subjects?.(input, { dialog: 'dlg_1', agent: 'ada', language: 'en', role: 'owner' })

  it('takes only sending and editing at the own address for talk', async () => {
    const own = { subjects: [{ kind: 'message', address: 'telegram:own', isOwn: true }], unsure: [] }
    const other = { subjects: [{ kind: 'message', address: 'telegram:own' }], unsure: [] }
    for (const action of ['send', 'edit']) assert.deepEqual(await getSubjects({ action, target: 'own' }), own, action)
    for (const action of ['delete', 'react', 'pin', 'unpin', 'pins'])
      assert.deepEqual(await getSubjects({ action, target: 'own', dryRun: true }), other, action)
  })

  it('is unsure about a name whose chat is not known, except in a trial', async () => {
    messaging.messages.resolve = async () => ({ channel: 'telegram', address: '@team', isOwn: false, isUnresolved: true })
    const unsure = [{ why: 'address', detail: 'telegram:@team' }]
    assert.deepEqual(await getSubjects({ ...hello, target: '@team' }), {
      subjects: [{ kind: 'message', address: 'telegram:@team' }],
      unsure,
    })
    assert.deepEqual(await getSubjects({ ...hello, target: '@team', dryRun: true }), {
      subjects: [{ kind: 'message', address: 'telegram:@team', isOwn: true }],
      unsure: [],
    })
  })
})

describe('what the message tool offers', () => {
  it('has no union, no reference and no nested choice anywhere: some providers refuse them', () => {
    assert.doesNotMatch(JSON.stringify(tool.inputSchema), /anyOf|oneOf|allOf|\$ref/)
  })

  it('has every action, presentation and delivery where Telegram is connected', () => {
    assert.deepEqual(schema().properties['action']?.enum, ['send', 'edit', 'delete', 'react', 'pin', 'unpin', 'pins'])
    for (const field of ['presentation', 'delivery', 'messageId', 'emoji']) assert.ok(field in schema().properties, field)
  })

  it('shrinks to routing and sending where nothing else can be done', () => {
    connected = [plainCapabilities]
    assert.deepEqual(schema().properties['action']?.enum, ['send'])
    assert.equal(Object.keys(schema().properties).join(' '), 'action channel target threadId dryRun message media replyTo silent')
    connected = []
    assert.deepEqual(schema().properties['action']?.enum, ['send'])
  })

  it('gives the same schema object until what is connected changes', () => {
    const first = tool.inputSchema
    assert.equal(tool.inputSchema, first)
    connected = [plainCapabilities, telegramCapabilities]
    assert.equal(tool.inputSchema, first)
    connected = [plainCapabilities]
    assert.notEqual(tool.inputSchema, first)
  })

  it('names no form of one platform and no action that decides for a person', () => {
    const words = JSON.stringify(tool.inputSchema)
    for (const native of ['components', '"card"', 'embeds', 'reply_markup', 'approval', 'questionId'])
      assert.equal(words.includes(native), false)
  })
})

describe('what it refuses, in words a model can act on', () => {
  const button = (action: object): object => ({
    ...hello,
    presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'Yes', action }] }] },
  })
  const wrong: [unknown, RegExp][] = [
    ['hello', /not an object/],
    [{ action: 'shout', target: '42' }, /"shout" is not one of send, edit/],
    [{ action: 'send', message: 'x' }, /target: say where to/],
    [{ action: 'send', target: '42' }, /send needs message or presentation/],
    [{ action: 'send', target: 42, message: 'x' }, /target: it must be text/],
    [{ ...hello, silent: 'yes' }, /silent: it must be true or false/],
    [{ ...hello, dryRun: true, action: 'edit', messageId: '1' }, /dryRun: only a send/],
    [{ ...hello, colour: 'red' }, /there is no field colour; the fields are action, /],
    [{ ...hello, buttons: [] }, /presentation\.blocks with a block of type "buttons"/],
    [{ ...hello, components: [] }, /presentation\.blocks/],
    [{ ...hello, presentation: { title: 'x', card: {} } }, /title, tone and blocks/],
    [{ ...hello, presentation: { blocks: [{ type: 'buttons', buttons: [{ label: '' }] }] } }, /blocks\[0\]\.buttons\[0\]: it has no label/],
    [{ ...hello, presentation: { blocks: [{ type: 'poll' }] } }, /blocks\[0\]: its type is not known/],
    [button({ type: 'question', questionId: 'q', optionValue: 'a' }), /"question" is Parley's own/],
    [button({ type: 'approval', approvalId: 'a', approvalKind: 'exec', decision: 'deny' }), /"approval" is Parley's own/],
    [{ ...hello, media: '/etc/passwd' }, /http\(s\) address/],
    [{ action: 'delete', target: '42' }, /delete needs the id of the message/],
    [{ action: 'edit', target: '42', messageId: '7' }, /edit needs message or presentation/],
  ]
  for (const [input, words] of wrong) it(JSON.stringify(input).slice(0, 120), () => assert.match(fault(input), words))

  it('what nothing connected can do', () => {
    connected = [plainCapabilities]
    assert.match(fault({ ...hello, presentation: { title: 'x' } }), /put it into message/)
    assert.match(fault({ ...hello, delivery: { pin: true } }), /no connected channel can pin/)
    assert.match(fault({ action: 'pin', target: '42', messageId: '1' }), /"pin" is not one of send$/)
  })

  it('is total: whatever a model writes is taken or refused, never thrown', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.record({
            action: fc.constantFrom('send', 'edit'),
            target: fc.string(),
            presentation: fc.jsonValue(),
            delivery: fc.jsonValue(),
          }),
        ),
        (input) => {
          const checked = tool.check(input)
          assert.equal('fault' in checked ? checked.fault.length > 0 : 'input' in checked, true)
        },
      ),
    )
  })
})

describe('what it does', () => {
  it('sends for the agent, from its dialog, under the key of the call', async () => {
    const presentation = {
      title: 'Hi',
      blocks: [{ type: 'buttons', buttons: [{ label: 'Go', action: { type: 'callback', value: 'go' } }] }],
    }
    const receipt = await run({ ...hello, presentation, delivery: { pin: true }, replyTo: '3', silent: true })
    assert.deepEqual(receipt, { delivery: 'dlv_1', channel: 'telegram', target: '42', state: 'sent', messageIds: ['7'], text: 'Hello' })
    const [request] = messaging.asked
    assert.deepEqual(request?.with, {
      target: '42',
      message: 'Hello',
      presentation,
      delivery: { pin: true },
      replyTo: '3',
      silent: true,
      from: 'dlg_1',
      waitMs: 5_000,
    })
    assert.deepEqual(request?.caller?.by, { kind: 'agent', name: 'ada' })
    assert.equal(request?.caller?.once?.key, 'call:dlg_1:call_1')
  })

  it('run again after a crash, sends nothing twice; another call does send', async () => {
    assert.equal(tool.afterCrash, 'repeat')
    await run(hello)
    await run(hello)
    assert.equal(messaging.kept.size, 1)
    await run(hello, 'call_2')
    assert.equal(messaging.kept.size, 2)
  })

  it('takes a topic apart from its chat, and objects that were written as text', async () => {
    await run({ ...hello, target: '-1001', threadId: '7', presentation: '{"title":"Hi","blocks":[]}' })
    const request = messaging.asked[0]?.with as { target: string; presentation: object }
    assert.equal(request.target, '-1001:topic:7')
    assert.deepEqual(request.presentation, { title: 'Hi', blocks: [] })
  })

  it('tries without sending', async () => {
    const dry = (await run({ ...hello, dryRun: true })) as { requests: unknown[] }
    assert.equal(dry.requests.length, 1)
    assert.equal(messaging.kept.size, 0)
  })

  it('changes what is there', async () => {
    const at = { target: '42', messageId: '7' }
    await run({ action: 'edit', ...at, message: 'better' })
    await run({ action: 'delete', ...at })
    await run({ action: 'react', ...at, emoji: '👍' })
    await run({ action: 'react', ...at })
    await run({ action: 'pin', ...at, notify: true })
    await run({ action: 'unpin', ...at })
    await run({ action: 'pins', target: '42' })
    assert.deepEqual(
      messaging.asked.map(({ what, with: given }) => [what, (given as { more?: unknown }).more]),
      [
        ['edit', undefined],
        ['remove', undefined],
        ['react', '👍'],
        ['react', null],
        ['pin', true],
        ['unpin', undefined],
        ['pins', undefined],
      ],
    )
  })

  it('says what did not arrive and what is unknown', async () => {
    const error = { message: 'The chat is gone.', hint: 'Choose another.' }
    const broken = (state: 'failed' | 'unknown') => ({
      ...messaging,
      messages: { ...messaging.messages, send: async () => ({ delivery: makeDelivery({ state, error, receipts: [] }), dropped: [] }) },
    })
    tool = messageTool({ messaging: () => broken('failed'), sheets: () => connected })
    await assert.rejects(run(hello), /not sent to telegram 42: The chat is gone\. Choose another\./)
    tool = messageTool({ messaging: () => broken('unknown'), sheets: () => connected })
    assert.deepEqual(await run(hello), {
      delivery: 'dlv_1',
      channel: 'telegram',
      target: '42',
      state: 'unknown',
      messageIds: [],
      note: 'The chat is gone. Choose another.',
      text: 'Hello',
    })
  })

  it('without any chat app, or with a wrong name, says the next step', async () => {
    await assert.rejects(run({ ...hello, channel: 'work' }), /There is no channel called work\. \S+/)
    tool = messageTool({ messaging: () => null, sheets: () => [] })
    await assert.rejects(run(hello), /No chat app is connected to this Parley\. Connect one/)
  })
})
