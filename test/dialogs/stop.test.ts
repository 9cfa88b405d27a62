import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialogTexts } from '../../src/words/index.ts'
import { treeLimits } from '../../src/dialogs/rules/tellask.ts'
import { ParleyError } from '../../src/errors.ts'
import { openParley } from '../../src/app/library.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { runawayTeam } from './runaway.ts'
import { type Brain, call, gate, last, readBy, type Scene, teamWith, text, withTeam, you } from './team-scene.ts'

const mia = { by: { kind: 'human' as const, name: 'mia' }, via: 'test' }

const allEvents = async (scene: Scene) => scene.store.readAll(0, 100_000)

for (const thinkMs of [0, 1_000]) {
  for (const how of ['the root', 'everything'] as const) {
    test(`runaway, models that take ${thinkMs} ms: after one stop of ${how} no model call starts, also after a restart [run:latch]`, async () => {
      const clock = simulatedClock()
      const backing = memoryBacking()
      const ids = countedIds()
      const { team, meter } = runawayTeam(clock, thinkMs)
      let store = memoryStore({ clock, backing })
      let parley = openParley({ store, team, clock, ids })
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      // Stopped in the middle: instant models are only given a few turns of the event loop.
      if (thinkMs > 0) await clock.advance(3_500)
      else while (meter.calls < 40) await new Promise(setImmediate)
      assert.ok((await parley.dialogs.tree(id)).length > 5, 'too little has run')
      await (how === 'the root' ? parley.dialogs.stop(id, you) : parley.dialogs.stopAll(you))
      const { calls } = meter
      await clock.advance(20_000)
      assert.deepEqual([meter.calls, meter.inFlight], [calls, 0])
      assert.deepEqual(
        (await parley.dialogs.tree(id)).filter(({ status }) => status === 'working' || status === 'stopping'),
        [],
      )
      for (let restarts = 0; restarts < 2; restarts += 1) {
        void parley.driver.stop(0)
        await store.close()
        store = memoryStore({ clock, backing })
        parley = openParley({ store, team, clock, ids })
        await clock.advance(20_000)
        assert.equal(meter.calls, calls, 'after a restart')
      }
      // Lifted, the chain goes on where it was.
      await (how === 'the root' ? parley.dialogs.resume(id, you) : parley.dialogs.resumeAll(you))
      await clock.advance(thinkMs > 0 ? 3_000 : 1)
      assert.ok(meter.calls > calls)
      await parley.dialogs.stopAll(you)
      await parley.close(100)
      await store.close()
    })
  }
}

test('a second process on the same data starts nothing while the first one has stopped it, and is told of stops at once', async () => {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const { team, meter } = runawayTeam(clock, 1_000)
  const [one, two] = [memoryStore({ clock, backing }), memoryStore({ clock, backing })]
  const ids = countedIds()
  const first = openParley({ store: one, team, clock, ids })
  const second = openParley({ store: two, team, clock, ids })
  const { id } = await first.dialogs.open({ text: 'go' }, you)
  await clock.advance(3_500)
  await first.dialogs.stop(id, you)
  const { calls } = meter
  await clock.advance(30_000)
  assert.deepEqual([meter.calls, meter.inFlight], [calls, 0])
  await second.dialogs.resume(id, you)
  await clock.advance(2_500)
  assert.ok(meter.calls > calls)
  await second.dialogs.stopAll(you)
  const after = meter.calls
  await clock.advance(30_000)
  assert.deepEqual([meter.calls, meter.inFlight], [after, 0])
  assert.equal((await first.dialogs.emergency())?.by, 'owner')
  await Promise.all([first.close(100), second.close(100)])
})

test('requests are refused below the eighth level with the exact text, in the language of the dialog', async () => {
  for (const language of ['en', 'zh'] as const) {
    const refused: string[] = []
    const other = { ada: 'bob', bob: 'cy', cy: 'ada' } as const
    const brain: Brain = function* (input) {
      const now = last(input)
      if (now?.kind === 'call') {
        if (String(now.result?.output).startsWith(language === 'zh' ? '未发出' : 'Not asked')) refused.push(String(now.result?.output))
        return yield text('done')
      }
      yield call('tellaskSessionless', { targetAgentId: other[input.agent as 'ada'], tellaskContent: 'go on' })
    }
    await withTeam(teamWith({ ada: brain, bob: brain, cy: brain }), async (scene) => {
      const root = await scene.begin('go', language)
      await scene.clock.advance(3_000)
      const tree = await scene.parley.dialogs.tree(root)
      assert.equal(Math.max(...tree.map(({ origin }) => origin?.depth ?? 0)), treeLimits.depth)
      assert.deepEqual(refused, [dialogTexts[language].tooDeep(8)])
    })
  }
  assert.equal(dialogTexts.en.tooDeep(8), 'Not asked: requests are already 8 levels deep. Do it yourself or reply with what you have.')
  assert.equal(dialogTexts.zh.tooDeep(8), '未发出：请求已嵌套 8 层。请自行完成，或交付已有结果。')
})

test('fresh minds count as levels and as side dialogs; a tree is never larger than its limit, however many ask at once', async () => {
  const clock = simulatedClock()
  const store = memoryStore({ clock, backing: memoryBacking() })
  const refusals = new Set<string>()
  const brain: Brain = function* (input) {
    const now = last(input)
    if (now?.kind === 'call') {
      for (const item of input.context) if (item.kind === 'call' && item.result?.ok === false) refusals.add(String(item.result.output))
      return yield text('done')
    }
    if (input.tools.length === 0) return yield text('thought')
    for (let asks = 0; asks < 8; asks += 1)
      yield call('tellaskSessionless', { targetAgentId: { ada: 'bob', bob: 'cy' }[input.agent] ?? 'ada', tellaskContent: `x${asks}` })
    yield call('freshBootsReasoning', { tellaskContent: 'is it so?' })
  }
  const bounds = { depth: 8, sideDialogs: 60, requestsInARow: 100 }
  const parley = openParley({ store, team: teamWith({ ada: brain, bob: brain, cy: brain }), clock, ids: countedIds(), tree: bounds })
  const { id } = await parley.dialogs.open({ text: 'go' }, you)
  await clock.advance(20_000)
  const tree = await parley.dialogs.tree(id)
  assert.ok(tree.length - 1 > 57 && tree.length - 1 <= 60, `${tree.length - 1} side dialogs`)
  assert.ok(tree.some(({ origin }) => origin?.mode === 'reasoning'))
  assert.deepEqual([...refusals], [dialogTexts.en.tooManySides(60)])
  assert.equal(
    dialogTexts.en.tooManySides(500),
    'Not asked: this work already has 500 side dialogs. Finish with what you have, or ask a person.',
  )
  assert.equal(dialogTexts.zh.tooManySides(500), '未发出：这项工作已有 500 个支线对话。请用已有结果收尾，或向人询问。')
  await parley.close(100)
})

/** `go` delegates to bob, who waits until the gate opens; everything else is answered. */
function delegating(open: Promise<void>, heard: string[] = []) {
  return teamWith({
    *ada(input) {
      const now = last(input)
      heard.push(`${now?.kind} ${now?.kind === 'human' ? now.text : ''}`)
      if (now?.kind === 'human' && (now.text === 'go' || now.text === 'ask bob'))
        return yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: now.text })
      if (now?.kind === 'call') return yield text(`got ${String(now.result?.output)}`)
      yield text('I answer')
    },
    async *bob(input, signal) {
      heard.push(`bob ${last(input)?.kind}`)
      const now = last(input)
      if (now?.kind === 'human') return yield text('bob answers')
      await Promise.race([open, new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))])
      yield text('bob is done')
    },
  })
}

test('stop works on a root that waits for others, stops them, and Continue lets them go on', async () => {
  const slow = gate()
  await withTeam(delegating(slow.passed), async (scene) => {
    const { parley, begin, rest, status, children, said, events } = scene
    const root = await begin('go')
    assert.equal(await status(root), 'delegated')
    await parley.dialogs.stop(root, mia)
    await rest()
    const [bob = ''] = await children(root)
    assert.deepEqual([await status(root), await status(bob)], ['stopped', 'stopped'])
    assert.deepEqual((await parley.dialogs.get(bob)).stop, { by: 'mia', at: (await parley.dialogs.get(root)).stop?.at, in: root })
    await parley.dialogs.stop(root, you)
    assert.equal((await events(root, 'latch.set')).length, 1, 'a second stop changes nothing')
    slow.open()
    await scene.restart()
    assert.deepEqual([await status(root), await status(bob)], ['stopped', 'stopped'])
    await assert.rejects(scene.parley.dialogs.resume(bob, you), (error: ParleyError) => {
      assert.deepEqual([error.code, error.details['above'], error.details['by']], ['stopped_above', root, 'mia'])
      return true
    })
    await scene.parley.dialogs.resume(root, you)
    await rest()
    assert.deepEqual([await status(root), await status(bob)], ['ready', 'ready'])
    assert.equal((await said(root)).at(-1), 'got 【未声明完成】\nbob is done')
  })
})

test('a person who writes to a stopped dialog is answered by it alone: nothing below starts, the latch stays [run:message-alone]', async () => {
  const slow = gate()
  const messages: string[] = []
  await withTeam(delegating(slow.passed, messages), async (scene) => {
    const { parley, begin, say, rest, status, said, children } = scene
    const root = await begin('go')
    await parley.dialogs.stop(root, you)
    await rest()
    messages.length = 0
    slow.open()
    await say(root, 'hello')
    assert.deepEqual([await status(root), (await said(root)).at(-1), messages], ['stopped', 'I answer', ['human hello']])
    const before = (await allEvents(scene)).filter(({ type }) => type === 'dialog.opened' || type === 'tellask.received').length
    await say(root, 'ask bob')
    assert.equal((await said(root)).at(-1), `got ${dialogTexts.en.workStopped('owner')}`)
    assert.equal(dialogTexts.en.workStopped('owner'), 'Not run: all work was stopped by owner.')
    assert.equal(dialogTexts.zh.workStopped('owner'), '未执行：owner 已停止所有工作。')
    assert.equal((await allEvents(scene)).filter(({ type }) => type === 'dialog.opened' || type === 'tellask.received').length, before)
    assert.ok(!messages.some((each) => each.startsWith('bob')))
    // The side dialog below answers a person as well, and its words are no reply to the request.
    const [bob = ''] = await children(root)
    await say(bob, 'and you?')
    assert.deepEqual([await status(bob), (await said(bob)).at(-1)], ['stopped', 'bob answers'])
    assert.equal((await scene.events(bob, 'reply.given')).length, 0)
    assert.equal(await status(root), 'stopped')
    await parley.dialogs.resume(root, you)
    await rest()
    assert.equal((await said(root)).at(-1), 'got 【未声明完成】\nbob is done')
    assert.deepEqual([await status(root), await status(bob)], ['ready', 'ready'])
  })
})

test('a reply that arrives at a stopped dialog waits, also when a person was answered in between', async () => {
  const slow = gate()
  await withTeam(delegating(slow.passed), async ({ parley, begin, say, rest, status, said, children, events }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await parley.dialogs.stop(bob, you)
    await rest()
    assert.deepEqual([await status(root), await status(bob)], ['delegated', 'stopped'])
    await parley.dialogs.stop(root, you)
    // Giving bob up puts a reply into the stopped root.
    await parley.dialogs.declareDead(bob, 'not needed', you)
    await rest()
    assert.equal((await events(root, 'reply.received')).length, 1)
    assert.equal(await status(root), 'stopped')
    await say(root, 'hello')
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['stopped', 'I answer'])
    await parley.dialogs.resume(root, you)
    await rest()
    assert.equal(await status(root), 'ready')
    assert.ok((await said(root)).length > 3, 'the reply is worked on after Continue')
  })
})

test('stop on a side dialog latches its subtree alone; Continue further up lifts it', async () => {
  const slow = gate()
  await withTeam(delegating(slow.passed), async ({ parley, begin, rest, status, children, said }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await parley.dialogs.stop(bob, you)
    await rest()
    slow.open()
    await rest()
    assert.deepEqual([await status(root), await status(bob)], ['delegated', 'stopped'])
    await parley.dialogs.resume(root, you)
    await rest()
    assert.deepEqual(
      [await status(root), await status(bob), (await said(root)).at(-1)],
      ['ready', 'ready', 'got 【未声明完成】\nbob is done'],
    )
  })
})

test('a message sent while a turn is being stopped is answered; one sent before the stop is not', async () => {
  const cutting = gate()
  const team = teamWith({
    async *ada(input, signal) {
      const now = last(input)
      if (now?.kind === 'human' && now.text.startsWith('think'))
        await new Promise((_, reject) => signal.addEventListener('abort', () => void cutting.passed.then(() => reject(new Error('cut')))))
      yield text(`re: ${now?.kind === 'human' ? now.text : now?.kind}`)
    },
  })
  await withTeam(team, async ({ parley, begin, rest, said, status, events }) => {
    const root = await begin('think')
    await parley.dialogs.say(root, 'think about this too', you)
    await parley.dialogs.stop(root, you)
    await rest()
    assert.equal(await status(root), 'stopping')
    await parley.dialogs.say(root, 'what is going on?', you)
    cutting.open()
    await rest()
    assert.equal((await events(root, 'turn.stopped')).length, 1)
    assert.equal((await said(root)).at(-1), 're: what is going on?')
    assert.equal(await status(root), 'stopped')
  })
})

test('a message sent while a turn fails is answered in the next turn', async () => {
  const failing = gate()
  const team = teamWith({
    async *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'fail') {
        await failing.passed
        throw new ParleyError('model_refused', { status: 400, why: 'test' })
      }
      yield text(`re: ${now?.kind === 'human' ? now.text : now?.kind}`)
    },
  })
  await withTeam(team, async ({ parley, begin, say, rest, said, status, events }) => {
    const root = await begin('fail')
    await say(root, 'still there?')
    failing.open()
    await rest()
    assert.equal((await events(root, 'turn.failed')).length, 1)
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['ready', 're: still there?'])
    assert.equal((await parley.dialogs.get(root)).failure, null)
  })
})

test('calls that a stop found unfinished say whether they ran, in the exact words', async () => {
  const results: string[] = []
  const tool = (name: string) => ({
    name,
    description: '',
    inputSchema: {},
    afterCrash: 'repeat' as const,
    gate: { kind: 'code' as const, declared: 'allow-guests' as const },
    check: (input: unknown) => ({ input }),
    run: (_input: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut')))),
  })
  const team = teamWith(
    {
      *ada(input) {
        const now = last(input)
        if (now?.kind === 'human') return yield call('wait', {})
        results.push(now?.kind === 'call' ? String(now.result?.output) : '')
        yield text('done')
      },
    },
    {},
    [tool('wait')],
  )
  await withTeam(team, async ({ parley, begin, rest }) => {
    const root = await begin('go')
    await parley.dialogs.stop(root, mia)
    await rest()
    await parley.dialogs.resume(root, you)
    await rest()
    assert.deepEqual(results, ['Stopped by mia while running; it may have taken effect.'])
  })
})

test('the emergency stop: nothing starts, not even answers; messages and new dialogs wait; only Resume all lifts it [run:emergency]', async () => {
  const eventTypes: string[] = []
  const slow = gate()
  await withTeam(delegating(slow.passed, eventTypes), async (scene) => {
    const { begin, say, rest, said, children } = scene
    const status = async (dialog: string): Promise<string> => (await scene.parley.dialogs.get(dialog)).status
    const root = await begin('go')
    assert.deepEqual(await scene.parley.dialogs.stopAll(mia), { count: 1 })
    await rest()
    eventTypes.length = 0
    slow.open()
    await say(root, 'hello')
    const later = await begin('hello later')
    await scene.clock.advance(60_000)
    await scene.restart()
    await scene.clock.advance(60_000)
    assert.deepEqual(eventTypes, [])
    assert.deepEqual([await status(root), await status(later)], ['stopped', 'stopped'])
    assert.deepEqual((await scene.parley.dialogs.get(later)).stop?.in, null)
    assert.equal((await scene.parley.dialogs.emergency())?.by, 'mia')
    for (const refused of [scene.parley.dialogs.resume(root, you), scene.parley.dialogs.resumeAll(you, root)])
      await assert.rejects(refused, { code: 'all_stopped' })
    await scene.parley.dialogs.stopAll(you)
    assert.equal((await scene.parley.dialogs.emergency())?.by, 'mia', 'set once')
    await scene.parley.dialogs.say((await scene.parley.dialogs.open({ agent: 'ada' }, you)).id, 'hello at last', you)
    assert.deepEqual(await scene.parley.dialogs.resumeAll(you), { count: 4 }, 'the root, its side dialog and two new dialogs')
    await rest()
    assert.equal(await scene.parley.dialogs.emergency(), null)
    const [bob = ''] = await children(root)
    assert.deepEqual([await status(root), await status(bob), await status(later)], ['ready', 'ready', 'ready'])
    assert.equal((await said(later)).at(-1), 'I answer')
    assert.ok((await said(root)).includes('I answer'))
    assert.equal((await said(root)).at(-1), 'got 【未声明完成】\nbob is done')
  })
})

test('giving a side dialog up gives up everything below it, and each caller outside gets one failed reply', async () => {
  const never = new Promise<void>(() => {})
  const brain = (next: string | null): Brain =>
    async function* (input, signal) {
      const now = last(input)
      if (now?.kind === 'call') return yield text(readBy(input).includes('declared dead') ? 'one died' : 'fine')
      if (next === null) {
        await Promise.race([never, new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))])
        return
      }
      yield call('tellask', { targetAgentId: next, sessionSlug: 's', tellaskContent: 'x' })
    }
  await withTeam(teamWith({ ada: brain('bob'), bob: brain('cy'), cy: brain('dee'), dee: brain(null) }), async (scene) => {
    const { parley, begin, rest, children, status, events, said } = scene
    const root = await begin('go')
    await scene.clock.advance(2_000)
    const [bob = ''] = await children(root)
    const [cy = ''] = await children(bob)
    const [dee = ''] = await children(cy)
    assert.equal(await status(dee), 'working')
    await parley.dialogs.declareDead(bob, 'enough', you)
    await rest()
    assert.deepEqual([await status(bob), await status(cy), await status(dee)], ['dead', 'dead', 'dead'])
    assert.equal((await events(root, 'reply.received')).length, 1)
    assert.equal((await events(root, 'session.dropped')).length, 3)
    assert.equal((await events(bob, 'reply.received')).length, 0)
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['ready', 'one died'])
    await parley.dialogs.declareDead(bob, undefined, you)
    assert.equal((await events(dee, 'dialog.died')).length, 1)
  })
})
