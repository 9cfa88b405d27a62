import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogEvent } from '../../src/dialogs/rules/dialog-events.ts'
import { evolveDialog } from '../../src/dialogs/rules/evolve-dialog.ts'
import { initialDialog, needsTurn } from '../../src/dialogs/rules/dialog-state.ts'
import { ParleyError } from '../../src/errors.ts'
import type { Tool } from '../../src/ports/agent-runtime.ts'
import { ask, call, gate, last, teamWith, text, withTeam, you } from './team-scene.ts'

/** Thinks until it is cut when told so, and delegates, asks, fails or answers otherwise. */
function actors(slow: Promise<void> = new Promise(() => {})) {
  return teamWith({
    async *ada(input, signal) {
      const now = last(input)
      if (now?.kind !== 'human') return yield text('went on')
      if (now.text === 'think') {
        yield { type: 'delta', text: 'half a ' }
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
      } else if (now.text === 'delegate') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else if (now.text === 'ask') yield ask('Which?')
      else if (now.text === 'fail') throw new ParleyError('model_refused', { status: 400, why: 'test' })
      else yield text('ok')
    },
    async *bob() {
      await slow
      yield text('done')
    },
  })
}

test('every state has its word [run:states]', async () => {
  await withTeam(actors(), async ({ parley, begin, status, rest, children }) => {
    assert.equal(await status(await begin('hello')), 'ready')
    const thinking = await begin('think')
    assert.equal(await status(thinking), 'working')
    const delegating = await begin('delegate')
    assert.equal(await status(delegating), 'delegated')
    assert.equal(await status(await begin('ask')), 'waiting')
    assert.equal(await status(await begin('fail')), 'failed')
    assert.equal((await parley.dialogs.stop(thinking, you)).status, 'stopping')
    await rest()
    assert.equal(await status(thinking), 'stopped')
    const [bob = ''] = await children(delegating)
    assert.equal((await parley.dialogs.declareDead(bob, undefined, you)).status, 'dead')
  })
})

test('stop cuts the stream and keeps the half words; twice is once; continue goes on; a message revives a failure [run:stop] [run:stop:twice] [run:continue] [run:message-revives]', async () => {
  await withTeam(actors(), async ({ parley, begin, rest, status, events, said, say }) => {
    const root = await begin('think')
    await Promise.allSettled([parley.dialogs.stop(root, you), parley.dialogs.stop(root, you)])
    await rest()
    assert.equal((await events(root, 'latch.set')).length, 1)
    assert.deepEqual(
      (await events(root, 'turn.stopped')).map((each) => each.text),
      ['half a '],
    )
    await parley.dialogs.stop(root, you)
    await Promise.allSettled([parley.dialogs.resume(root, you), parley.dialogs.resume(root, you)])
    await rest()
    assert.deepEqual([(await events(root, 'latch.set')).length, (await events(root, 'latch.lifted')).length], [1, 1])
    await assert.rejects(parley.dialogs.stop(root, you), { code: 'nothing_to_stop' })
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['ready', 'went on'])
    await assert.rejects(parley.dialogs.resume(root, you), { code: 'nothing_to_continue' })
    const failed = await begin('fail')
    await say(failed, 'hello')
    assert.deepEqual([await status(failed), (await said(failed)).at(-1)], ['ready', 'ok'])
  })
})

test('stop all and resume all: everything, or one tree, and how many [run:stop-all] [run:resume-all]', async () => {
  await withTeam(actors(), async ({ parley, begin, rest, status }) => {
    const [one, two, idle] = [await begin('think'), await begin('think'), await begin('hello')]
    assert.deepEqual(await parley.dialogs.stopAll(you, one), { count: 1 })
    await rest()
    assert.deepEqual([await status(one), await status(two)], ['stopped', 'working'])
    assert.deepEqual(await parley.dialogs.stopAll(you), { count: 1 })
    await rest()
    assert.deepEqual([await status(one), await status(two), await status(idle)], ['stopped', 'stopped', 'ready'])
    assert.deepEqual(await parley.dialogs.resumeAll(you), { count: 2 })
    await rest()
    assert.deepEqual([await status(one), await status(two)], ['ready', 'ready'])
  })
})

test('a request to another dialog is not cut by a stop, and its reply is read after Continue [run:stopped-stays]', async () => {
  const slow = gate()
  let interjections = 0
  const team = teamWith({
    async *ada(input, signal) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go') return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      if (now?.kind === 'human' && (interjections += 1) === 1)
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
      yield text(now?.kind === 'call' ? `got ${String(now.result?.output)}` : '?')
    },
    async *bob() {
      await slow.passed
      yield text('done')
    },
  })
  await withTeam(team, async ({ parley, begin, say, rest, status, said, events }) => {
    const root = await begin('go')
    await say(root, 'think')
    await parley.dialogs.stop(root, you)
    await rest()
    assert.deepEqual(await events(root, 'tool.returned'), [], 'the request itself was not cut')
    slow.open()
    await rest()
    assert.equal(await status(root), 'stopped')
    await parley.dialogs.resume(root, you)
    await rest()
    assert.equal((await said(root)).at(-1), 'got 【未声明完成】\ndone')
  })
})

test('a crash while something that may do harm was running: a person is asked before it is repeated [run:ask-before-repeat]', async () => {
  let bought = 0
  const tool: Tool = {
    name: 'buy',
    description: '',
    inputSchema: {},
    afterCrash: 'ask',
    gate: { kind: 'code', declared: 'allow-guests' },
    check: (input) => ({ input }),
    run: () => ((bought += 1), bought === 1 ? new Promise(() => {}) : Promise.resolve('bought')),
  }
  const team = teamWith({ *ada(input) { yield last(input)?.kind === 'human' ? call('buy', {}) : text('done') } }, {}, [tool]) // prettier-ignore
  await withTeam(team, async (scene) => {
    const root = await scene.begin('go')
    await scene.restart()
    assert.deepEqual([await scene.status(root), bought], ['waiting', 1])
    const [item] = (await scene.parley.inbox()).items
    await scene.parley.questions.answer(item?.question.id ?? '', { choice: 'again' }, you)
    await scene.rest()
    assert.deepEqual([await scene.status(root), bought], ['ready', 2])
  })
})

test('after a restart everything goes on by itself; stopped stays stopped, dead stays dead [recovery:restart] [recovery:states]', async () => {
  const slow = gate()
  await withTeam(actors(slow.passed), async (scene) => {
    const { begin, rest, children, status, restart } = scene
    const [stopped, delegating, other] = [await begin('think'), await begin('delegate'), await begin('delegate')]
    await scene.parley.dialogs.stop(stopped, you)
    const [dead = ''] = await children(other)
    await scene.parley.dialogs.declareDead(dead, undefined, you)
    await rest()
    await restart()
    assert.deepEqual([await status(stopped), await status(dead), await status(delegating)], ['stopped', 'dead', 'delegated'])
    slow.open()
    await restart()
    assert.equal(await status(delegating), 'ready')
  })
})

test('50 roots, one of them slow: the others are not kept waiting [drive:concurrent]', async () => {
  const slow = gate()
  const team = teamWith({
    async *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'slow') await slow.passed
      yield text('ok')
    },
  })
  await withTeam(team, async ({ parley, begin, rest, status }) => {
    const blocked = await begin('slow')
    const others = await Promise.all(Array.from({ length: 49 }, async () => (await parley.dialogs.open({ text: 'quick' }, you)).id))
    await rest()
    for (const each of others) assert.equal(await status(each), 'ready')
    assert.equal(await status(blocked), 'working')
    slow.open()
    await rest()
    assert.equal(await status(blocked), 'ready')
  })
})

test('one dialog, one turn at a time, however many speak at once [drive:one-turn]', async () => {
  let running = 0
  let most = 0
  const team = teamWith({
    async *ada() {
      running += 1
      most = Math.max(most, running)
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
      running -= 1
      yield text('ok')
    },
  })
  await withTeam(team, async ({ parley, begin, rest, said }) => {
    const root = await begin('0')
    await Promise.all(['1', '2', '3', '4', '5'].map((words) => parley.dialogs.say(root, words, you)))
    await rest()
    assert.equal(most, 1)
    assert.equal((await said(root)).filter((words) => words !== 'ok').length, 6)
  })
})

test('a model that fails for a while is tried again, ever later, five times; for good, it is said and a person may continue [drive:retry] [drive:fail]', async () => {
  let tries = 0
  const team = teamWith({
    *ada() {
      tries += 1
      yield { type: 'delta', text: 'half' }
      throw new ParleyError('model_overloaded', { status: 503 }, { retryable: true })
    },
  })
  await withTeam(team, async ({ parley, begin, clock, events }) => {
    const root = await begin('go')
    await clock.advance(120_000)
    const failed = await events(root, 'generation.failed')
    assert.deepEqual([tries, failed.length], [6, 5])
    const { status, failure } = await parley.dialogs.get(root)
    assert.deepEqual([status, failure?.code], ['failed', 'model_overloaded'])
  })
})

test('whether a dialog runs follows from its events alone, in every state [drive:derived]', async () => {
  await withTeam(actors(), async ({ parley, begin, store }) => {
    for (const words of ['hello', 'think', 'delegate', 'ask', 'fail']) {
      const dialog = await begin(words)
      const folded = ((await store.read(dialog, 0, 100)) as unknown as DialogEvent[]).reduce(evolveDialog, initialDialog)
      assert.deepEqual(await parley.streams.load(dialog), folded)
      assert.equal(needsTurn(folded), words === 'think', words)
    }
  })
})
