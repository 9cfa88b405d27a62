import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { defaultPolicy } from '../../authority/policy.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import { announcer } from './announcer.ts'
import { identities } from '../bindings/identities.ts'
import { noHooks } from '../../ports/hooks.ts'
import { silentLog } from '../../ports/log.ts'
import { noMetrics } from '../../ports/metrics.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { toldDialogKind } from '../../dialogs/rows/dialog-kind.ts'
import { loopbackChannel } from '../outbox/test/loopback-channel.ts'
import { newWorld, openSide } from '../inbound/test/inbound-under-test.ts'

type TestCommand = DialogCommand extends infer Command ? (Command extends { at: number } ? Omit<Command, 'at'> : never) : never

/** A dialog with a chat. Replies that a plugin may add controls to end with `+controls`. */
async function open(t: TestContext) {
  const clock = simulatedClock()
  const fake = loopbackChannel({ now: clock.now })
  const side = openSide({ channel: fake.channel, clock, world: newWorld() })
  const { store, committer } = side.box
  const dialogs = streamHandler(
    toldDialogKind(() => true),
    store,
    committer,
  )
  const telling = announcer({
    store,
    committer,
    dialogs,
    bindings: side.streams,
    outbox: side.box,
    hooks: { ...noHooks, prepareReply: async ({ message }) => ({ ...message, text: `${message.text} +controls` }) },
    getKind: (channel) => channel,
    notify: () => [],
    policy: () => defaultPolicy,
    identities: identities({ connections: { connection: () => undefined, list: () => [] }, bindings: side.streams, people: () => [] }),
    approvals: { views: async () => [], show: async () => {}, refresh: async () => {} },
    previews: { stop: async () => {} },
    canToggle: () => true,
    clock,
    log: silentLog,
    metrics: noMetrics,
  })
  telling.start()
  t.after(() => Promise.all([telling.stop(0), side.stop(0), side.box.deliverer.stop(0)]))
  let messages = 0
  const happens = async (...commands: TestCommand[]): Promise<void> => {
    const handled = await dialogs.handle(
      'dlg_1',
      commands.map((command) => ({ ...command, at: clock.now() })),
    )
    assert.ok(handled.ok, JSON.stringify(handled))
    await clock.advance(100)
  }
  const readSeq = async (): Promise<number> => (await dialogs.load('dlg_1')).seq
  const says = async (text: string): Promise<TestCommand> => {
    messages += 1
    const message = { id: `msg_${messages}`, text }
    const usage = { inputTokens: null, outputTokens: null }
    return { type: 'finish-generation', model: null, usage, seen: await readSeq(), message, calls: [], questions: [] }
  }
  await happens({ type: 'open-dialog', agent: 'ada', by: { kind: 'human', name: 'Mia' }, language: 'en' })
  await side.bindings.bind({ channel: 'fake', address: 'a' }, 'dlg_1', 'owner')
  const hears = (text: string): Promise<void> =>
    happens({ type: 'say', message: `said_${text}`, by: { kind: 'human', name: 'Mia' }, text, via: 'fake' })
  const sentTexts = (): string[] => fake.sends().map(({ text }) => text)
  return { happens, hears, says, seen: readSeq, told: sentTexts }
}

const request = { tellask: 't1', call: 'c1', mode: 'session', to: 'dlg_2', agent: 'bob', session: 'work', content: 'Paint it.' } as const
const back = { tellask: 't2', mode: 'back', from: 'dlg_2', by: 'bob', session: null, content: 'Which colour?', about: 'Paint it.' } as const

test('a reply of a dialog at rest may have controls', async (t) => {
  const { happens, hears, says, seen, told } = await open(t)
  await hears('hello')
  await happens({ type: 'start-turn' }, await says('Hello, Mia.'), { type: 'finish-turn', seen: await seen() })
  assert.deepEqual(told(), ['Hello, Mia. +controls'])
})

test('while teammates work there are no controls, and what a teammate asked is answered to the teammate alone', async (t) => {
  const { happens, hears, says, seen, told } = await open(t)
  await hears('paint the fence')
  await happens(
    { type: 'start-turn' },
    await says('I have asked Bob.'),
    { type: 'make-tellask', ...request },
    { type: 'finish-turn', seen: await seen() },
  )
  assert.deepEqual(told(), ['I have asked Bob.'])
  await happens({ type: 'receive-tellask', ...back })
  await happens(
    { type: 'start-turn' },
    await says('Red.'),
    { type: 'give-reply', tellask: 't2', text: 'Red.' },
    { type: 'finish-turn', seen: await seen() },
  )
  assert.deepEqual(told(), ['I have asked Bob.'])
  await happens({ type: 'receive-reply', tellask: 't1', outcome: 'replied', text: 'done' })
  await happens({ type: 'start-turn' }, await says('It is painted.'), { type: 'finish-turn', seen: await seen() })
  assert.deepEqual(told(), ['I have asked Bob.', 'It is painted. +controls'])
})

test('words said before the teammate asked are for the person; so is the only answer to both', async (t) => {
  const { happens, hears, says, seen, told } = await open(t)
  await hears('paint the fence')
  await happens({ type: 'start-turn' }, { type: 'make-tellask', ...request }, await says('I look for brushes.'))
  await happens({ type: 'receive-tellask', ...back })
  await happens(await says('Red.'), { type: 'give-reply', tellask: 't2', text: 'Red.' }, { type: 'finish-turn', seen: await seen() })
  assert.deepEqual(told(), ['I look for brushes.'])
  await happens({ type: 'receive-tellask', ...back, tellask: 't3' })
  await hears('which colour will it be?')
  await happens(
    { type: 'start-turn' },
    await says('It will be blue.'),
    { type: 'give-reply', tellask: 't3', text: 'It will be blue.' },
    { type: 'finish-turn', seen: await seen() },
  )
  assert.deepEqual(told(), ['I look for brushes.', 'It will be blue.'])
})
