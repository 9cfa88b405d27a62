import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeltaView, emptyView, type EventView, toView, viewOfAll, withDelta } from '../../src/client/index.ts'
import { ParleyError } from '../../src/errors.ts'
import { ask, call, gate, last, teamWith, text, withTeam } from './team-scene.ts'

test('thinking and words come as pieces in their order; the finished text is the event [stream:segments] [stream:finished]', async () => {
  const open = gate()
  const team = teamWith({
    async *ada() {
      yield { type: 'thinking', text: 'hm ' }
      yield { type: 'delta', text: 'one ' }
      yield { type: 'thinking', text: 'well' }
      yield { type: 'delta', text: 'two' }
      await open.passed
    },
  })
  await withTeam(team, async ({ parley, begin, rest, said, events }) => {
    const root = await begin('go')
    const deltas: DeltaView[] = []
    parley.events.deltas(root, (delta) => deltas.push(delta))
    const whole = (kind: string): string =>
      deltas
        .filter((delta) => delta.kind === kind)
        .map((delta) => delta.text)
        .join('')
    assert.deepEqual([whole('thinking'), whole('text')], ['hm well', 'one two'])
    assert.deepEqual(await said(root), ['go'])
    open.open()
    await rest()
    assert.deepEqual(await said(root), ['go', 'one two'])
    assert.equal((await events(root, 'generation.finished')).length, 1)
  })
})

test('a try that failed leaves no half words behind: the next one replaces them [stream:discard]', async () => {
  const failing = gate()
  let tries = 0
  const team = teamWith({
    async *ada() {
      tries += 1
      yield { type: 'delta', text: `try ${tries} ` }
      if (tries === 1) {
        await failing.passed
        throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
      }
      yield { type: 'delta', text: 'whole' }
    },
  })
  await withTeam(team, async ({ parley, begin, rest, clock, store }) => {
    const root = await begin('go')
    let view = emptyView
    const catchUp = async (): Promise<void> => {
      view = viewOfAll(view, await store.read(root, view.seq, 100))
    }
    parley.events.deltas(root, (delta) => (view = withDelta(view, delta)))
    await catchUp()
    assert.equal(view.draft?.text, 'try 1 ')
    failing.open()
    await rest()
    await catchUp()
    assert.deepEqual([view.draft, view.retrying?.error.code], [null, 'model_overloaded'])
    await clock.advance(5_000)
    await catchUp()
    const words = view.items.flatMap((item) => (item.kind === 'message' ? [item.text] : []))
    assert.deepEqual([words, view.draft], [['go', 'try 2 whole'], null])
  })
})

test('replay equals live: folding the stored events gives what a reader saw grow, whatever happened [stream:replay]', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go') {
        yield text('I ask around.')
        yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'x' })
        return yield call('add_reminder', { content: 'asked bob' })
      }
      if (now?.kind === 'human' && now.text === 'clear') return yield call('clear_mind', {})
      yield now?.kind === 'call' ? ask('Which?') : text('done')
    },
    *bob(input) {
      yield last(input)?.kind === 'prompt' ? call('tellaskBack', { tellaskContent: 'sure?' }) : text('yes')
    },
  })
  await withTeam(team, async ({ parley, begin, say, answer, rest, store, children }) => {
    const stop = new AbortController()
    const live = new Map<string, typeof emptyView>()
    const following = (async () => {
      for await (const batch of parley.events.follow({ after: 0 }, stop.signal)) {
        for (const event of batch) live.set(event.stream, toView(live.get(event.stream) ?? emptyView, event))
      }
    })()
    const root = await begin('go')
    await rest()
    await answer('red')
    await say(root, 'clear')
    await rest()
    stop.abort()
    await following.catch(() => {})
    for (const dialog of [root, ...(await children(root))]) {
      const stored = (await store.read(dialog, 0, 1_000)) as EventView[]
      assert.ok(stored.length > 5)
      assert.deepEqual(viewOfAll(emptyView, stored), live.get(dialog))
      assert.deepEqual(viewOfAll(viewOfAll(emptyView, stored), stored), live.get(dialog), 'what comes twice changes nothing')
      assert.equal(live.get(dialog)?.status, (await parley.dialogs.get(dialog)).status)
    }
  })
})
