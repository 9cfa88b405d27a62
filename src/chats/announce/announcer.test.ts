import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { defaultPolicy } from '../../authority/policy.ts'
import type { DialogCommand } from '../../dialogs/rules/decide-dialog.ts'
import { announcer } from './announcer.ts'
import { closingMessages } from './closing-messages.ts'
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
async function open(t: TestContext, notify: { channel: string; address: string }[] = []) {
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
    notify: () => notify,
    policy: () => defaultPolicy,
    identities: identities({ connections: { connection: () => undefined, list: () => [] }, bindings: side.streams, people: () => [] }),
    approvals: { views: async () => [], show: async () => {}, refresh: async () => {} },
    previews: { stop: async () => {} },
    canToggle: async () => true,
    hasButtons: async () => true,
    closing: closingMessages({ outbox: side.box, canEdit: () => true }),
    clock,
    log: silentLog,
    metrics: noMetrics,
  })
  telling.start()
  t.after(() => Promise.all([telling.stop(0), side.stop(0), side.box.deliverer.stop(0)]))
  let messages = 0
  const happensIn = async (dialog: string, ...commands: TestCommand[]): Promise<void> => {
    const handled = await dialogs.handle(
      dialog,
      commands.map((command) => ({ ...command, at: clock.now() })),
    )
    assert.ok(handled.ok, JSON.stringify(handled))
    await clock.advance(100)
  }
  const happens = (...commands: TestCommand[]): Promise<void> => happensIn('dlg_1', ...commands)
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
  const shown = (): { address: string; controls: number }[] =>
    [...fake.screen.values()].map(({ address, controls }) => ({ address, controls: controls.length }))
  return { happens, happensIn, hears, says, seen: readSeq, told: sentTexts, shown }
}

const request = { tellask: 't1', call: 'c1', mode: 'session', to: 'dlg_2', agent: 'bob', session: 'work', content: 'Paint it.' } as const
const back = { tellask: 't2', mode: 'back', from: 'dlg_2', by: 'bob', session: null, content: 'Which colour?', about: 'Paint it.' } as const

test('a reply of a dialog at rest may have controls', async (t) => {
  const { happens, hears, says, seen, told } = await open(t)
  await hears('hello')
  await happens({ type: 'start-turn' }, await says('Hello, Mia.'), { type: 'finish-turn', seen: await seen() })
  assert.deepEqual(told(), ['Hello, Mia. +controls'])
})

test('a reply with a presentation is shown with its controls, after the words before it', async (t) => {
  const { happens, hears, says, seen, told, shown } = await open(t)
  await hears('hello')
  const said = await says('Disk is full\n\n- Clean up')
  assert.ok(said.type === 'finish-generation' && said.message)
  const buttons = [{ label: 'Clean up', value: 'clean' }]
  const card = { words: '', presentation: { title: 'Disk is full', blocks: [{ type: 'buttons' as const, buttons }] } }
  const withCard: TestCommand = { ...said, message: { ...said.message, shown: card } }
  await happens({ type: 'start-turn' }, await says('I looked.'), withCard, { type: 'finish-turn', seen: await seen() })
  assert.match(told().join(), /^I looked\. \+controls.*Disk is full/s)
  assert.deepEqual(shown(), [{ address: 'a', controls: 1 }])
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

test('a turn that failed is told with Retry and Give up', async (t) => {
  const { happens, hears, told, shown } = await open(t)
  await hears('hello')
  await happens({ type: 'start-turn' }, { type: 'fail-turn', code: 'model_overloaded', details: { status: 500 } })
  assert.equal(told().length, 1)
  assert.match(told()[0] ?? '', /Send another message, and I will try again\.$/)
  assert.deepEqual(shown(), [{ address: 'a', controls: 2 }])
})

test('a side dialog that waits for a person is told to the owner alone, and one that is settled is not told', async (t) => {
  const { happens, happensIn, hears, told, shown } = await open(t, [{ channel: 'fake', address: 'own' }])
  await hears('paint the fence')
  await happens({ type: 'start-turn' }, { type: 'make-tellask', ...request })
  const fail = { type: 'fail-turn', code: 'model_overloaded', details: { status: 500 } } as const
  const openSideDialog = (dialog: string): Promise<void> =>
    happensIn(
      dialog,
      {
        type: 'open-dialog',
        agent: 'bob',
        by: { kind: 'agent', name: 'ada' },
        language: 'en',
        origin: { root: 'dlg_1', parent: 'dlg_1', mode: 'session', session: 'work' },
      },
      {
        type: 'receive-tellask',
        tellask: 't1',
        mode: 'session',
        from: 'dlg_1',
        by: 'ada',
        session: 'work',
        content: 'Paint it.',
        about: null,
      },
    )
  await openSideDialog('dlg_2')
  await happensIn('dlg_2', { type: 'start-turn' }, fail)
  assert.deepEqual(shown(), [{ address: 'own', controls: 2 }])
  assert.match(told()[0] ?? '', /^bob could not finish a request\. /)
  await openSideDialog('dlg_3')
  await happensIn('dlg_3', { type: 'start-turn' }, { ...fail, isFinal: true }, { type: 'settle-failure', why: 'final' })
  assert.equal(told().length, 1)
})
