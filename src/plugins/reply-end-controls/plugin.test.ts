import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { configSchema } from '../../app/config/schema.ts'
import type { MessagePresentationButton } from '../../chats/message/presentation.ts'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import type { Channel } from '../../ports/channel.ts'
import type { Hooks, InboundText, InboundTouch, TurnNotes } from '../../ports/hooks.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loadPlugins } from '../host/load-plugins.ts'
import { endLabels, endToasts, shortEndLabels } from '../../../packages/reply-end/src/labels.ts'

type Stripped = { channel: string; address: string; messageId: string; marker?: string }

/** Parley around the plugin, with nothing of Telegram but what a plugin sees of it. `restart` forgets all but the store. */
async function around(t: TestContext, config: Record<string, unknown> = {}) {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const stripped: Stripped[] = []
  const chosen: string[] = []
  let failing: Error | null = null

  const load = async () => {
    const store = memoryStore({ clock, backing })
    const plugins = await loadPlugins({
      config: configSchema.parse({ plugins: { 'reply-end-controls': { config } } }),
      configFile: 'parley.yaml',
      dataDir: '.parley',
      store,
      committer: groupCommitter(store),
      clock,
      log: (_level, message, fields) => void (message.endsWith('a choice was made') && chosen.push(String(fields?.['choice']))),
      secret: 's'.repeat(32),
      chats: {
        async stripControls(at) {
          if (failing) throw failing
          stripped.push(at)
        },
        ofPlugins: { send: async () => ({ delivery: '' }), edit: async () => {}, say: async () => {} },
      },
    })
    assert.deepEqual(plugins.problems(), [])
    t.after(() => plugins.close())
    return plugins
  }
  let plugins = await load()
  let count = 0
  const settle = (): Promise<void> => clock.advance(0)

  return {
    clock,
    stripped,
    chosen,
    settle,
    hooks: (): Hooks => plugins.hooks,
    problems: () => plugins.problems(),
    failStripping: (error: Error | null) => (failing = error),
    async restart() {
      plugins = await load()
    },
    /** A reply of turn `turn`, delivered as message `messageId`. */
    async replies(turn: number, messageId: string, more: Partial<Parameters<Hooks['prepareReply']>[0]> = {}): Promise<ReplyPayload> {
      const where = { dialog: 'dlg_1', turn, channel: 'tg', kind: 'telegram', address: '7', ...more }
      const message = await plugins.hooks.prepareReply({
        agent: 'ada',
        language: 'en',
        isPrivate: true,
        asker: '7',
        hasButtons: true,
        message: { text: `Reply ${turn}` },
        ...where,
      })
      if (messageId !== '') await plugins.hooks.replyDelivered({ ...where, delivery: `del_${turn}`, messageIds: ['1', messageId] })
      await settle()
      return message
    },
    async taps(
      message: ReplyPayload,
      which: 0 | 1,
      messageId: string,
      more: Partial<InboundTouch> & { channel?: string; kind?: string } = {},
    ): Promise<string | null | undefined> {
      count += 1
      const { channel = 'tg', kind = 'telegram', ...rest } = more
      const tap: InboundTouch = {
        type: 'tap',
        id: `tap:q${count}`,
        tap: { data: { id: `q${count}` }, expiresAt: 0 },
        address: '7',
        isPrivate: true,
        from: { id: '7', name: 'Ann' },
        at: clock.now(),
        messageId,
        value: getData(message)[which] ?? '',
        ...rest,
      }
      const outcome = await plugins.hooks.tapped({ channel: { name: channel } as Channel, kind, tap })
      await outcome?.act()
      await settle()
      return outcome ? outcome.toast : undefined
    },
    async writes(text: string, update: number, more: Partial<InboundText> = {}): Promise<void> {
      const inbound: InboundText = {
        type: 'message',
        id: `update:${update}`,
        address: '7',
        isPrivate: true,
        from: { id: '7', name: 'Ann' },
        at: clock.now(),
        messageId: String(update),
        text,
        media: [],
        ...more,
      }
      await plugins.hooks.messageReceived({ channel: 'tg', kind: 'telegram', inbound })
      await settle()
    },
    async notes(turn: number, dialog = 'dlg_1'): Promise<TurnNotes> {
      const { lines, followUps } = await plugins.hooks.turnNotes({ dialog, turn, agent: 'ada' })
      return { lines: lines.map(({ text }) => text), followUps }
    },
  }
}

const listButtons = ({ presentation }: ReplyPayload): MessagePresentationButton[][] =>
  (presentation?.blocks ?? []).flatMap((block) => (block.type === 'buttons' ? [block.buttons] : []))
const listLabels = (message: ReplyPayload): string[][] => listButtons(message).map((row) => row.map(({ label }) => label))
const getData = (message: ReplyPayload): string[] =>
  listButtons(message)
    .flat()
    .flatMap(({ action }) => (action?.type === 'callback' && action.value.startsWith('pe') ? [action.value] : []))

const open: TurnNotes = { lines: [], followUps: 'allowed' }
const closed: TurnNotes = { lines: ['The user closed the previous reply; answer only what is asked.'], followUps: 'suppressed' }
const continued: TurnNotes = { lines: ['The user asked to continue.'], followUps: 'allowed' }

test('one reply has two buttons below its own; a tap is answered, kept, and takes them away', async (t) => {
  const parley = await around(t)
  const own = { type: 'buttons' as const, buttons: [{ label: 'Map', value: 'map' }] }
  const reply = await parley.replies(1, '5', { message: { text: 'Here.', presentation: { title: 'Way', blocks: [own] } } })
  assert.deepEqual(listLabels(reply), [['Map'], [endLabels.en.continue], [endLabels.en.stop]])
  assert.equal(reply.text, 'Here.')
  for (const data of getData(reply)) {
    assert.match(data, /^pe1:[cs]:[\w-]{16}:[\w-]{11}$/)
    assert.ok(parley.hooks().ownsData(data))
  }
  assert.equal(parley.hooks().ownsData('map'), false)
  assert.equal(await parley.taps(reply, 0, '5'), endToasts.en.continue)
  assert.deepEqual(parley.chosen, ['continue'])
  assert.deepEqual(parley.stripped, [{ channel: 'tg', address: '7', messageId: '5' }])
})

test('asked again for the same reply the same buttons come out, also after a restart', async (t) => {
  const parley = await around(t)
  const first = await parley.replies(1, '')
  await parley.restart()
  assert.deepEqual(await parley.replies(1, '5'), first)
  assert.deepEqual(await parley.replies(1, '5'), first)
  assert.notDeepEqual(getData(await parley.replies(1, '6', { address: '8' })), getData(first))
})

test('a choice is kept for each place; typing works untouched and ends what was offered', async (t) => {
  const parley = await around(t)
  const here = await parley.replies(1, '5')
  const there = await parley.replies(1, '6', { dialog: 'dlg_2', address: '8', asker: '8' })
  await parley.taps(here, 1, '5')
  assert.equal(await parley.taps(there, 0, '6', { address: '8', from: { id: '8', name: 'Bo' } }), endToasts.en.continue)
  await parley.writes('and now?', 10)
  await parley.writes('go on', 11, { address: '8', from: { id: '8', name: 'Bo' } })
  assert.deepEqual([await parley.notes(2), await parley.notes(2, 'dlg_2')], [closed, continued])
  await parley.replies(2, '9')
  await parley.writes('something else', 12)
  assert.deepEqual(parley.stripped.at(-1), { channel: 'tg', address: '7', messageId: '9' })
  assert.deepEqual(await parley.notes(3), open)
})

test('closed: no follow-up in the next turn; the same turn is told the same, the one after it nothing', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.stop)
  await parley.writes('one more thing', 10)
  assert.deepEqual(await parley.notes(2), closed)
  await parley.restart()
  assert.deepEqual(await parley.notes(2), closed)
  await parley.replies(2, '8')
  await parley.writes('and', 11)
  assert.deepEqual(await parley.notes(3), open)
})

test('a turn without a message waits until a person writes', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  await parley.taps(reply, 1, '5')
  assert.deepEqual(await parley.notes(2), closed)
  await parley.writes('hello', 10)
  assert.deepEqual(await parley.notes(3), closed)
  await parley.writes('hello again', 11)
  assert.deepEqual(await parley.notes(4), open)
})

test('restart between sending and tapping, with and without the receipt', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  await parley.restart()
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.stop)
  const lost = await parley.replies(2, '')
  await parley.restart()
  assert.equal(await parley.taps(lost, 0, '9'), endToasts.en.continue)
  assert.deepEqual(parley.chosen, ['stop', 'continue'])
})

test('double, repeated, stale and other taps get their words and change nothing', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  assert.equal(await parley.taps(reply, 1, '5', { id: 'tap:same' }), endToasts.en.stop)
  assert.equal(await parley.taps(reply, 1, '5', { id: 'tap:same' }), endToasts.en.stop)
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.repeat)
  assert.equal(await parley.taps(reply, 0, '5'), endToasts.en.stale)
  const next = await parley.replies(2, '6')
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.repeat)
  assert.equal(await parley.taps(next, 0, '5'), endToasts.en.stale)
  assert.equal(await parley.taps({}, 0, '6', { value: 'other:value' }), undefined)
  assert.deepEqual(parley.chosen, ['stop'])
})

test('forged data and data of another place are politely stale', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  const [data = ''] = getData(reply)
  const other = getData(await parley.replies(1, '6', { address: '8', dialog: 'dlg_2' }))[0] ?? ''
  const flipped = `${data.slice(0, -1)}${data.endsWith('A') ? 'B' : 'A'}`
  for (const value of [flipped, data.replace('pe1:c', 'pe1:s'), other, 'pe1:c:short', 'pe9:c:anything', data.replace('pe1', 'pe2')])
    assert.equal(await parley.taps(reply, 0, '5', { value }), endToasts.en.stale, value)
  assert.deepEqual(parley.chosen, [])
  assert.equal(await parley.taps(reply, 0, '5'), endToasts.en.continue)
})

test('buttons that cannot be taken away cost neither the choice nor the plugin; it is tried again later', async (t) => {
  const parley = await around(t)
  parley.failStripping(new Error('Bad Request: 400'))
  const reply = await parley.replies(1, '5')
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.stop)
  assert.deepEqual([parley.stripped, parley.problems()], [[], []])
  parley.failStripping(null)
  await parley.restart()
  await parley.clock.advance(0)
  assert.deepEqual(parley.stripped, [{ channel: 'tg', address: '7', messageId: '5' }])
  await parley.writes('x', 10)
  assert.deepEqual(await parley.notes(2), closed)
})

test('groups: off by default; otherwise only the asker may tap', async (t) => {
  const group = { isPrivate: false, address: '-100', asker: '7' }
  assert.deepEqual(listLabels(await (await around(t)).replies(1, '5', group)), [])
  const parley = await around(t, { groups: 'asker' })
  assert.deepEqual(listLabels(await parley.replies(1, '4', { ...group, asker: null })), [])
  const reply = await parley.replies(2, '5', group)
  const at = { address: '-100', isPrivate: false }
  assert.equal(await parley.taps(reply, 1, '5', { ...at, from: { id: '9', name: 'Cy' } }), endToasts.en.foreign)
  assert.deepEqual(parley.chosen, [])
  assert.equal(await parley.taps(reply, 1, '5', at), endToasts.en.stop)
})

test('a tap made before a text but taken in after it is history; the new turn reads open', async (t) => {
  const parley = await around(t)
  const reply = await parley.replies(1, '5')
  await parley.writes('never mind', 21)
  const early = { order: 20 }
  assert.equal(await parley.taps(reply, 1, '5', early), endToasts.en.stale)
  assert.deepEqual(await parley.notes(2), open)
  assert.deepEqual(parley.chosen, [])
})

test('the same dialog on the page: the same two controls, and what is chosen or written in one place counts in all', async (t) => {
  const parley = await around(t)
  const page = { channel: 'web', kind: 'web', address: 'dlg_1', asker: null }
  const there = await parley.replies(1, '5')
  const here = await parley.replies(1, 'turn:1', page)
  assert.deepEqual(listLabels(here), [[endLabels.en.continue], [endLabels.en.stop]])
  const onPage = { channel: 'web', kind: 'web', address: 'dlg_1', from: { id: 'owner', name: 'owner' } }
  await parley.taps(there, 0, '5')
  await parley.clock.advance(1_000)
  assert.equal(await parley.taps(here, 1, 'turn:1', onPage), endToasts.en.stale)
  assert.equal(await parley.taps(here, 0, 'turn:1', onPage), endToasts.en.repeat)
  assert.deepEqual(listLabels(await parley.replies(1, 'turn:1', page)), [], 'what was chosen is not offered again')
  assert.deepEqual(parley.chosen, ['continue'])
  await parley.writes('next', 10)
  assert.deepEqual(await parley.notes(2), continued, 'the first choice counts')

  const again = await parley.replies(2, '8')
  const pageAgain = await parley.replies(2, 'turn:2', page)
  await parley.hooks().saidInDialog({ dialog: 'dlg_1', text: '好的', via: 'web', key: 'k1' })
  await parley.hooks().saidInDialog({ dialog: 'dlg_1', text: '好的', via: 'web', key: 'k1' })
  await parley.settle()
  assert.equal(await parley.taps(again, 1, '8'), endToasts.en.stale)
  assert.equal(await parley.taps(pageAgain, 1, 'turn:2', onPage), endToasts.en.stale)
  assert.deepEqual(await parley.notes(3), open)
  assert.deepEqual(listLabels(await parley.replies(3, 'turn:3', page)), [[endLabels['zh-Hant'].continue], [endLabels['zh-Hant'].stop]])
})

test('a choice on the page settles the reply in the chat: its buttons go, and a tap there comes too late', async (t) => {
  const parley = await around(t)
  const page = { channel: 'web', kind: 'web', address: 'dlg_1', asker: null }
  const onPage = { channel: 'web', kind: 'web', address: 'dlg_1', from: { id: 'owner', name: 'owner' } }
  const there = await parley.replies(1, '5')
  const here = await parley.replies(1, 'turn:1', page)
  assert.equal(await parley.taps(here, 1, 'turn:1', onPage), endToasts.en.stop)
  assert.deepEqual(
    parley.stripped.filter(({ channel }) => channel === 'tg'),
    [{ channel: 'tg', address: '7', messageId: '5' }],
  )
  assert.equal(await parley.taps(there, 0, '5'), endToasts.en.stale)
  assert.equal(await parley.taps(there, 1, '5'), endToasts.en.repeat)
  assert.deepEqual(parley.chosen, ['stop'])

  const late = await parley.replies(2, '')
  const onlyPage = await parley.replies(2, 'turn:2', page)
  assert.equal(await parley.taps(onlyPage, 0, 'turn:2', onPage), endToasts.en.continue)
  assert.equal(await parley.taps(late, 1, '8'), endToasts.en.stale, 'its receipt is not here yet')

  const both = [await parley.replies(3, '9'), await parley.replies(3, 'turn:3', page)] as const
  await Promise.all([parley.taps(both[0], 0, '9'), parley.taps(both[1], 1, 'turn:3', onPage)])
  assert.equal(parley.chosen.length, 3, 'of two at the same time one counts')
})

test('both languages, short labels, a marker; other channels are left alone', async (t) => {
  const parley = await around(t, { labels: 'short', marker: true })
  const reply = await parley.replies(1, '5', { language: 'zh' })
  assert.deepEqual(listLabels(reply), [[shortEndLabels['zh-Hant'].continue, shortEndLabels['zh-Hant'].stop]])
  assert.equal(await parley.taps(reply, 1, '5'), endToasts['zh-Hant'].stop)
  assert.deepEqual(parley.stripped, [{ channel: 'tg', address: '7', messageId: '5', marker: '✓ 就這樣吧' }])
  await parley.writes('in English, please', 10)
  assert.deepEqual(listLabels(await parley.replies(2, '6', { language: 'zh' })), [[shortEndLabels.en.continue, shortEndLabels.en.stop]])
  assert.deepEqual(await parley.replies(2, '7', { kind: 'slack', channel: 'work' }), { text: 'Reply 2' })
})

test('after its time a control is answered as stale and swept away; a reply that never arrived leaves nothing', async (t) => {
  const parley = await around(t, { expireAfterHours: 1 })
  const reply = await parley.replies(1, '5')
  await parley.clock.advance(59 * 60_000)
  assert.deepEqual(parley.stripped, [])
  await parley.clock.advance(10 * 60_000)
  assert.deepEqual(parley.stripped, [{ channel: 'tg', address: '7', messageId: '5' }])
  assert.equal(await parley.taps(reply, 1, '5'), endToasts.en.stale)
  await parley
    .hooks()
    .replyDelivered({ dialog: 'dlg_9', turn: 1, channel: 'tg', kind: 'telegram', address: '7', delivery: 'd', messageIds: [] })
  assert.deepEqual(parley.problems(), [])
})

test('10,000 replies: every callback string has at most 64 bytes and none is the same', async (t) => {
  const parley = await around(t)
  const all = new Set<string>()
  for (let turn = 1; turn <= 5_000; turn += 1) {
    const message = await parley.hooks().prepareReply({
      dialog: 'dlg_1',
      turn,
      agent: 'ada',
      language: 'en',
      channel: 'tg',
      kind: 'telegram',
      address: '-1001234567890:topic:4294967295',
      isPrivate: true,
      asker: '7',
      hasButtons: true,
      message: { text: 'x' },
    })
    for (const data of getData(message)) all.add(data)
  }
  assert.equal(all.size, 10_000)
  assert.ok([...all].every((data) => Buffer.byteLength(data) <= 64))
})

test('a wrong setting is said in words', async () => {
  const { replyEndPlugin: plugin } = await import('./plugin.ts')
  assert.deepEqual(plugin.checkConfig?.({ ...plugin.defaults, groups: 'all' }), {
    fault: 'groups: it must be one of "off", "asker"',
  })
  assert.match(JSON.stringify(plugin.checkConfig?.({ ...plugin.defaults, colour: 'red' })), /colour/)
})
