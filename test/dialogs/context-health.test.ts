import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../src/errors.ts'
import type { Tool } from '../../src/ports/agent-runtime.ts'
import { rateHealth } from '../../src/dialogs/driver/mind.ts'
import { modelTeam, wholeText } from './model-scene.ts'
import { call, type Scene, text, used, withTeam, you } from './team-scene.ts'

/** Counts of prompt tokens in the window of 200,000 that a model of `modelTeam` has: 168,000 are for the prompt. */
const caution = 120_000
const critical = 155_000

const noteKinds = async ({ events }: Scene, dialog: string): Promise<string[]> =>
  (await events(dialog, 'prompt.noted')).flatMap(({ notes }) => notes.map(({ kind }) => kind))

test('health is what the provider counted, never an estimate [health:measured] [health:levels]', () => {
  const prompt = { window: () => ({ windowTokens: 200_000, inputLimitTokens: 200_000, maxOutputTokens: null }) }
  assert.deepEqual(
    [null, 0, 99_999, 100_000, 151_199, 151_200].map((tokens) => rateHealth(tokens, prompt)),
    ['unknown', 'healthy', 'healthy', 'caution', 'caution', 'critical'],
  )
  assert.equal(rateHealth(10_000, undefined), 'unknown')
})

test('caution: told on entry and then every ten generations, as a note in the log [health:caution:cadence] [health:prompt:kept]', async () => {
  const model = modelTeam({ *ada() { yield used(caution); yield text('ok') } }) // prettier-ignore
  await withTeam(model.team, async ({ begin, say, store }) => {
    const root = await begin('1')
    for (let message = 2; message <= 13; message += 1) await say(root, `${message}`)
    const types = (await store.read(root, 0, 500))
      .map(({ type }) => type)
      .filter((type) => type === 'prompt.noted' || type === 'generation.finished')
    assert.equal(types.join(' ').replaceAll('generation.finished', 'g').replaceAll('prompt.noted', 'N'), 'g N g g g g g g g g g g N g g')
  })
})

test('critical: at most five countdowns, then a new course without a question [health:critical:countdown] [health:critical:forced]', async () => {
  const courses: number[] = []
  const model = modelTeam({ *ada(input) { courses.push(input.course); yield used(critical); yield text('ok') } }) // prettier-ignore
  await withTeam(model.team, async ({ begin, say, events, parley }) => {
    const root = await begin('1')
    for (let message = 2; message <= 7; message += 1) await say(root, `${message}`)
    assert.deepEqual(courses, [1, 1, 1, 1, 1, 1, 2])
    const steps = (await events(root, 'prompt.noted')).flatMap(({ notes }) =>
      notes.map((note) => (note.kind === 'critical' ? note.steps : null)),
    )
    assert.deepEqual(steps, [5, 4, 3, 2, 1])
    assert.deepEqual(
      (await events(root, 'course.started')).map(({ why }) => why),
      ['first', 'forced'],
    )
    assert.equal((await parley.inbox()).count, 0)
  })
})

test('a try that failed or was cut is not counted, and not told twice [health:retry]', async () => {
  let tries = 0
  const model = modelTeam({
    *ada() {
      tries += 1
      if (tries > 1 && tries < 5) throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
      yield used(critical)
      yield text('ok')
    },
  })
  await withTeam(model.team, async (scene) => {
    const root = await scene.begin('1')
    await scene.say(root, '2')
    await scene.restart()
    await scene.clock.advance(60_000)
    assert.deepEqual(await noteKinds(scene, root), ['critical'])
    assert.equal((await scene.events(root, 'message.said')).length, 4)
  })
})

test('a healthy agent after its own clear is not told again; health starts unknown in a new course [health:reset] [course:clear:health]', async () => {
  let tokens = critical
  const model = modelTeam({
    *ada(input) {
      yield used(tokens)
      if (wholeText(input).includes('almost full') && input.course === 1) {
        tokens = 10
        return yield call('clear_mind', { reminder_content: 'go on' })
      }
      yield text('ok')
    },
  })
  await withTeam(model.team, async (scene) => {
    const root = await scene.begin('1')
    for (const words of ['2', '3', '4']) await scene.say(root, words)
    assert.deepEqual(await noteKinds(scene, root), ['critical'])
    assert.deepEqual(
      (await scene.events(root, 'course.started')).map(({ why }) => why),
      ['first', 'asked'],
    )
  })
})

/** Where a person may speak around a clear: before it, in the middle of any generation, after a failure, after a stop. */
const moments = [
  'at rest',
  'while it thinks',
  'before it fails for good',
  'before it is stopped',
  'before a retry',
  'over a crash',
] as const

for (const moment of moments) {
  test(`nothing said ${moment} is lost by a forced clear, whichever generation it meets [health:no-lost-message]`, async () => {
    for (let meets = 1; meets <= 7; meets += 1) {
      const matches: string[] = []
      let generations = 0
      let speak = async (): Promise<void> => {}
      const model = modelTeam({
        async *ada(input, signal) {
          generations += 1
          const isMoment = generations === meets && moment !== 'at rest'
          if (isMoment) await speak()
          if (isMoment && moment === 'before it fails for good') throw new ParleyError('model_refused', { status: 400, why: 'full' })
          if (isMoment && moment === 'before a retry') throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
          if (isMoment && moment === 'before it is stopped')
            return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
          if (isMoment && moment === 'over a crash') return await new Promise(() => {})
          if (wholeText(input).includes('the important thing')) matches.push(`course ${input.course}`)
          yield used(critical)
          yield text('ok')
        },
      })
      await withTeam(model.team, async (scene) => {
        const root = await scene.begin('0')
        speak = async () => {
          await scene.parley.dialogs.say(root, 'the important thing', you)
        }
        if (meets === 1) await speak()
        for (let message = 1; message <= 7; message += 1) {
          if (moment === 'at rest' && message === meets) await speak()
          await scene.say(root, `${message}`)
          if (moment === 'before it is stopped' && (await scene.status(root)) === 'working') await scene.parley.dialogs.stop(root, you)
          if (moment === 'over a crash') await scene.restart()
          await scene.rest()
          if (['stopped', 'failed'].includes(await scene.status(root))) await scene.parley.dialogs.resume(root, you)
          await scene.clock.advance(40_000)
        }
        assert.ok(matches.length > 0, `said when generation ${meets} was due, and never read`)
        const whys = (await scene.events(root, 'course.started')).map(({ why }) => why)
        assert.ok(whys.includes('forced'), whys.join())
      })
    }
  })
}

test('what a tool gave back just before a forced clear is read after it; an agent that clears itself has done with it [health:no-lost-result]', async () => {
  const tool: Tool = {
    name: 'buy',
    description: '',
    inputSchema: {},
    afterCrash: 'ask',
    gate: { kind: 'code', declared: 'allow-guests' },
    check: (input) => ({ input }),
    run: async () => 'bought for 5',
  }
  let read = ''
  const model = modelTeam({
    *ada(input) {
      yield used(critical)
      if (input.course === 2) {
        read = wholeText(input)
        return yield text('ok')
      }
      if (input.turn === 6) return yield call('buy', {})
      yield text('ok')
    },
  }, {}, [tool]) // prettier-ignore
  await withTeam(model.team, async ({ begin, say }) => {
    const root = await begin('1')
    for (let message = 2; message <= 6; message += 1) await say(root, `${message}`)
    assert.match(read, /bought for 5/)
  })
})

test('an answer that comes in the countdown is read in the new course [health:no-lost-answer]', async () => {
  let read = ''
  const model = modelTeam({
    *ada(input) {
      yield used(critical)
      if (input.course === 2) read = wholeText(input)
      if (input.turn === 6) return yield call('askHuman', { tellaskContent: 'Which?' })
      yield text('ok')
    },
  })
  await withTeam(model.team, async ({ begin, say, answer }) => {
    const root = await begin('1')
    for (let message = 2; message <= 6; message += 1) await say(root, `${message}`)
    await answer('the red one')
    assert.match(read, /the red one/)
  })
})
