import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Brain, ask, askedByCall, call, gate, last, teamWith, text, withTeam, you } from './team-scene.ts'

const answered: Brain = function* (input) {
  const now = last(input)
  yield text(now?.kind === 'question' ? `${now.outcome?.outcome}: ${now.outcome?.answers?.['a'] ?? now.outcome?.reason ?? ''}` : 'nothing')
}

test('a question from any depth is in the inbox; only the one who asked goes on, and its reply wakes the caller [q4h:any-depth] [q4h:never-upward] [q4h:side-resumes-alone]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else yield text('ada done')
    },
    *bob(input) {
      if (last(input)?.kind === 'prompt') yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'y' })
      else yield text('bob done')
    },
    *cy(input) {
      const now = last(input)
      if (now?.kind === 'prompt') yield ask('Which?')
      else yield text(now?.kind === 'question' ? `chose ${now.outcome?.answers?.['a']}` : '?')
    },
  })
  await withTeam(team, async ({ parley, begin, answer, children, status, said }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    const [cy = ''] = await children(bob)
    const { items, count } = await parley.inbox()
    assert.deepEqual([count, items[0]?.question.dialog, items[0]?.question.agent], [1, cy, 'cy'])
    assert.deepEqual([await status(root), await status(bob), await status(cy)], ['delegated', 'delegated', 'waiting'])
    await answer('red')
    assert.deepEqual([await said(cy), await said(bob), await said(root)], [['chose red'], ['bob done'], ['go', 'ada done']])
  })
})

test('an agent that is no model withdraws its question by the id that it reads', async () => {
  const team = teamWith({
    *ada(input) {
      const asked = input.context.find((item) => item.kind === 'question')
      if (asked?.kind !== 'question') yield* askedByCall('Which colour?')
      else if (asked.outcome) yield text(asked.outcome.outcome)
      else yield call('withdraw_question', { question: asked.question, reason: 'You said it.' })
    },
  })
  await withTeam(team, async ({ parley, begin, say, said }) => {
    const root = await begin('go')
    assert.equal((await parley.inbox()).count, 1)
    await say(root, 'Red, by the way.')
    assert.equal((await parley.inbox()).count, 0)
    assert.equal((await said(root)).at(-1), 'cancelled')
  })
})

test('asked once, answered once: a second answer is told who was first [q4h:once]', async () => {
  const team = teamWith({ *ada(input, signal) { yield* last(input)?.kind === 'human' ? [ask('Which?')] : (answered(input, signal) as Iterable<never>) } }) // prettier-ignore
  await withTeam(team, async (scene) => {
    const { begin, answer, restart, said, events } = scene
    const root = await begin('go')
    await restart()
    const { parley } = scene
    assert.equal((await events(root, 'question.asked')).length, 1)
    const id = (await parley.inbox()).items[0]?.question.id ?? ''
    await answer('red')
    await assert.rejects(parley.questions.answer(id, { text: 'blue' }, { ...you, by: { kind: 'human', name: 'eve' } }), {
      code: 'already_answered',
    })
    assert.deepEqual(await said(root), ['go', 'answered: red'])
    await assert.rejects(parley.questions.answer('q_unknown', { text: 'x' }, you), { code: 'question_not_found' })
  })
})

test('several asked in one generation are one numbered question; every call has its result [q4h:merged]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') {
        yield* askedByCall('Which colour?')
        yield* askedByCall('Which size?')
      } else {
        const questionItem = input.context.find((item) => item.kind === 'question')
        const results = input.context.flatMap((item) => (item.kind === 'call' ? [item.result?.ok ?? 'asked'] : []))
        yield text(`${JSON.stringify(questionItem?.kind === 'question' && questionItem.outcome?.answers)} ${results.join()}`)
      }
    },
  })
  await withTeam(team, async ({ parley, begin, rest, said, status, events }) => {
    const root = await begin('go')
    const { items, count } = await parley.inbox()
    const question = items[0]?.question
    assert.deepEqual([count, question?.ask.text], [1, '1. Which colour?\n2. Which size?'])
    assert.deepEqual(
      question?.ask.items.map((item) => item.id),
      ['1.a', '2.a'],
    )
    await parley.questions.answer(question?.id ?? '', { answers: { '1.a': 'red', '2.a': 'XL' } }, you)
    await rest()
    assert.deepEqual(await said(root), ['go', '{"1.a":"red","2.a":"XL"} true,asked'])
    assert.equal(await status(root), 'ready')
    assert.equal((await events(root, 'question.asked')).length, 1)
  })
})

test('an answer while a reply is awaited is kept and used when it comes; also two answers, also over a crash [q4h:answer:while-pending] [q4h:answer:queued]', async () => {
  const slow = gate()
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') {
        yield ask('First?')
        yield ask('Second?')
        return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      }
      const answers = input.context.flatMap((item) => (item.kind === 'question' ? [item.outcome?.answers?.['a'] ?? 'open'] : []))
      yield text(answers.join())
    },
    async *bob() {
      await slow.passed
      yield text('ok')
    },
  })
  await withTeam(team, async ({ parley, begin, rest, restart, said, status }) => {
    const root = await begin('go')
    for (const { question } of (await parley.inbox()).items)
      await parley.questions.answer(question.id, { text: `to ${question.ask.text}` }, you)
    await rest()
    await restart()
    assert.deepEqual([await status(root), await said(root)], ['delegated', ['go']])
    slow.open()
    await restart()
    assert.deepEqual(await said(root), ['go', 'to First?,to Second?'])
  })
})

test('a message does not close a question [q4h:message-keeps]', async () => {
  const team = teamWith({ *ada(input) { yield last(input)?.kind === 'human' && input.turn === 1 ? ask('Which?') : text('heard') } }) // prettier-ignore
  await withTeam(team, async ({ parley, begin, say, status, said }) => {
    const root = await begin('go')
    await say(root, 'by the way')
    assert.deepEqual([(await parley.inbox()).count, await status(root), (await said(root)).at(-1)], [1, 'waiting', 'heard'])
  })
})

test('clearing the mind drops open questions, and the person sees that and why [q4h:clear-mind]', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind !== 'human') return yield text('fresh')
      yield now.text === 'go' ? ask('Which?') : call('clear_mind', {})
    },
  })
  await withTeam(team, async ({ parley, begin, say, status }) => {
    const root = await begin('go')
    const id = (await parley.inbox()).items[0]?.question.id ?? ''
    await say(root, 'forget it')
    const question = await parley.questions.get(id)
    assert.deepEqual([(await parley.inbox()).count, question.state, question.closed?.why], [0, 'cancelled', 'mind-cleared'])
    await assert.rejects(parley.questions.answer(id, { text: 'late' }, you), { code: 'question_closed' })
    assert.equal(await status(root), 'ready')
  })
})

test('declined, cancelled and expired are told apart; a clock does not revive what a person has stopped [q4h:outcomes] [run:expiry-keeps-stopped]', async () => {
  const team = teamWith({
    async *ada(input, signal) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go')
        yield { type: 'question', ask: { text: 'Which?', items: [{ id: 'a', text: '', kind: 'text' }] }, expiresInMs: 5_000 }
      else if (now?.kind === 'human') await new Promise((_, reject) => signal.addEventListener('abort', reject))
      else yield* answered(input, signal)
    },
  })
  for (const [act, expected] of [
    ['decline', 'declined: no'],
    ['cancel', 'cancelled: no'],
    ['expire', 'expired: '],
  ] as const) {
    await withTeam(team, async ({ parley, begin, rest, clock, said }) => {
      const root = await begin('go')
      const id = (await parley.inbox()).items[0]?.question.id ?? ''
      if (act === 'expire') await clock.advance(6_000)
      else await parley.questions[act](id, 'no', you)
      await rest()
      assert.equal((await said(root)).at(-1), expected)
    })
  }
  await withTeam(team, async ({ parley, begin, say, clock, status, rest }) => {
    const root = await begin('go')
    await say(root, 'think for ever')
    await parley.dialogs.stop(root, you)
    await rest()
    await clock.advance(10_000)
    assert.equal(await status(root), 'stopped')
  })
})

test('a question that is not well formed fails the call, suspends no dialog and asks no person [q4h:bad]', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('askHuman', {})
      else yield text(now?.kind === 'call' ? `${now.result?.ok}` : '')
    },
  })
  await withTeam(team, async ({ parley, begin, said }) => {
    const root = await begin('go')
    assert.deepEqual([(await parley.inbox()).count, await said(root)], [0, ['go', 'false']])
  })
})
