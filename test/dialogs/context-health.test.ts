import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../src/errors.ts'
import type { Mind, Tool } from '../../src/ports/agent-runtime.ts'
import { rateHealth } from '../../src/dialogs/driver/mind.ts'
import { ask, call, last, readBy, teamWith, text, used, withTeam, you } from './team-scene.ts'

const limits: NonNullable<Mind['context']> = { limit: 1_000, optimal: 500, critical: 900, cadence: 3 }

test('health is what the provider counted, never an estimate [health:measured] [health:levels]', () => {
  assert.deepEqual(
    [null, 0, 500, 501, 900, 901].map((tokens) => rateHealth(tokens, { mind: { context: limits } })),
    ['unknown', 'healthy', 'healthy', 'caution', 'caution', 'critical'],
  )
  assert.equal(rateHealth(10_000, {}), 'unknown')
})

test('caution: told on entry and then every so many generations, as a prompt in the log [health:caution:cadence] [health:prompt:kept]', async () => {
  const team = teamWith({ *ada() { yield used(600); yield text('ok') } }, { ada: { context: limits } }) // prettier-ignore
  await withTeam(team, async ({ begin, say, store }) => {
    const root = await begin('1')
    for (let message = 2; message <= 8; message += 1) await say(root, `${message}`)
    const types = (await store.read(root, 0, 500))
      .map(({ type }) => type)
      .filter((type) => type === 'prompt.added' || type === 'generation.finished')
    assert.equal(types.join(' ').replaceAll('generation.finished', 'g').replaceAll('prompt.added', 'P'), 'g P g g g P g g g P g')
  })
})

test('critical: at most five countdowns, then a new course without a question [health:critical:countdown] [health:critical:forced]', async () => {
  const courses: number[] = []
  const team = teamWith({ *ada(input) { courses.push(input.course); yield used(950); yield text('ok') } }, { ada: { context: limits } }) // prettier-ignore
  await withTeam(team, async ({ begin, say, events, parley }) => {
    const root = await begin('1')
    for (let message = 2; message <= 7; message += 1) await say(root, `${message}`)
    assert.deepEqual(courses, [1, 1, 1, 1, 1, 1, 2])
    const prompts = (await events(root, 'prompt.added')).map((each) => each.text)
    assert.equal(prompts.length, 5)
    assert.match(prompts[0] ?? '', /after 5 more times/)
    assert.match(prompts[4] ?? '', /after 1 more time it/)
    assert.deepEqual(
      (await events(root, 'course.started')).map(({ why }) => why),
      ['forced'],
    )
    assert.equal((await parley.inbox()).count, 0)
  })
})

test('a try that failed or was cut is not counted, and not told twice [health:retry]', async () => {
  let tries = 0
  const team = teamWith(
    {
      *ada() {
        tries += 1
        if (tries > 1 && tries < 5) throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
        yield used(950)
        yield text('ok')
      },
    },
    { ada: { context: limits } },
  )
  await withTeam(team, async ({ begin, say, clock, events, restart }) => {
    const root = await begin('1')
    await say(root, '2')
    await restart()
    await clock.advance(60_000)
    assert.equal((await events(root, 'prompt.added')).length, 1)
    assert.equal((await events(root, 'message.said')).length, 4)
  })
})

test('a healthy agent after its own clear is not told again; health starts unknown in a new course [health:reset] [course:clear:health]', async () => {
  let tokens = 950
  const team = teamWith(
    {
      *ada(input) {
        yield used(tokens)
        if (last(input)?.kind === 'prompt' && input.course === 1) {
          tokens = 10
          return yield call('clear_mind', { reminder_content: 'go on' })
        }
        yield text('ok')
      },
    },
    { ada: { context: limits } },
  )
  await withTeam(team, async ({ begin, say, events }) => {
    const root = await begin('1')
    for (const words of ['2', '3', '4']) await say(root, words)
    assert.equal((await events(root, 'prompt.added')).length, 1)
    assert.deepEqual(
      (await events(root, 'course.started')).map(({ why }) => why),
      ['asked'],
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
      const team = teamWith(
        {
          async *ada(input, signal) {
            generations += 1
            const isMoment = generations === meets && moment !== 'at rest'
            if (isMoment) await speak()
            if (isMoment && moment === 'before it fails for good') throw new ParleyError('model_refused', { status: 400, why: 'full' })
            if (isMoment && moment === 'before a retry') throw new ParleyError('model_overloaded', { status: 500 }, { retryable: true })
            if (isMoment && moment === 'before it is stopped')
              return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
            if (isMoment && moment === 'over a crash') return await new Promise(() => {})
            if (readBy(input).includes('the important thing')) matches.push(`course ${input.course}`)
            yield used(950)
            yield text('ok')
          },
        },
        { ada: { context: limits } },
      )
      await withTeam(team, async (scene) => {
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
        assert.equal((await scene.events(root, 'course.started')).length > 0, true)
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
  const team = teamWith(
    {
      *ada(input) {
        yield used(950)
        if (input.course === 2) {
          read = readBy(input)
          return yield text('ok')
        }
        if (input.turn === 6) return yield call('buy', {})
        yield text('ok')
      },
    },
    { ada: { context: limits } },
    [tool],
  )
  await withTeam(team, async ({ begin, say }) => {
    const root = await begin('1')
    for (let message = 2; message <= 6; message += 1) await say(root, `${message}`)
    assert.match(read, /bought for 5/)
  })
})

test('an answer that comes in the countdown is read in the new course [health:no-lost-answer]', async () => {
  let read = ''
  const team = teamWith(
    {
      *ada(input) {
        yield used(950)
        if (input.course === 2) read = readBy(input)
        if (input.turn === 6) return yield ask('Which?')
        yield text('ok')
      },
    },
    { ada: { context: limits } },
  )
  await withTeam(team, async ({ begin, say, answer }) => {
    const root = await begin('1')
    for (let message = 2; message <= 6; message += 1) await say(root, `${message}`)
    await answer('the red one')
    assert.match(read, /the red one/)
  })
})
