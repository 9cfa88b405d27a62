import { treeLimits } from '../rules/tellask.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { call, last, teamWith, text, withTeam, you } from '../../../test/dialogs/team-scene.ts'

test('a session: the parent rests, the child asks back and asks the human, one reply closes the call', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human')
        yield call('tellask', { targetAgentId: '@researcher', sessionSlug: 'sources', tellaskContent: 'find three hosts' })
      else if (now?.kind === 'prompt') yield text('In Europe.')
      else if (now?.kind === 'call') yield text(`Got: ${String(now.result?.output)}`)
    },
    *researcher(input) {
      const now = last(input)
      if (now?.kind === 'prompt') yield call('tellaskBack', { tellaskContent: 'In which region?' })
      else if (now?.kind === 'call') yield { type: 'question', ask: { text: 'How many?', items: [{ id: 'n', text: 'N', kind: 'text' }] } }
      else if (now?.kind === 'question') yield text(`${now.outcome?.answers?.['n']} hosts`)
    },
  })
  await withTeam(team, async ({ parley, clock, said, children, events }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(200)
    assert.equal((await parley.dialogs.get(id)).status, 'delegated')
    const [child = ''] = await children(id)
    assert.equal((await parley.dialogs.get(child)).status, 'waiting')
    const [asked] = await events(child, 'tellask.received')
    assert.equal(asked?.content, 'find three hosts')
    const { items } = await parley.inbox()
    await parley.questions.answer(items[0]?.question.id ?? '', { text: '3' }, you)
    await clock.advance(200)
    assert.deepEqual(await said(id), ['go', 'In Europe.', 'Got: 【未声明完成】\n3 hosts'])
    assert.equal((await parley.dialogs.get(id)).status, 'ready')
    assert.equal((await parley.dialogs.get(child)).status, 'ready')
  })
})

test('a session is found again, also by another caller, and requests wait in line', async () => {
  const seen: string[] = []
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind !== 'human') return yield text('done')
      yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'one' })
      yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'two' })
      yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'three' })
    },
    *bob(input) {
      const now = last(input)
      const asked = now?.kind === 'prompt' ? (/> (.*)/.exec(now.text)?.[1] ?? '') : ''
      seen.push(`${input.dialog} ${asked}`)
      yield text(`reply to ${asked}`)
    },
    *cy(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'four' })
      else yield text('cy is done')
    },
  })
  await withTeam(team, async ({ parley, clock, said, store }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(1_000)
    assert.deepEqual(await said(id), ['go', 'done'])
    assert.equal(new Set(seen.map((each) => each.split(' ')[0])).size, 1, 'one dialog for one session')
    assert.deepEqual(
      seen.map((each) => each.split(' ')[1]),
      ['one', 'two', 'four'],
    )
    const replies = (await store.read(id, 0, 100)).filter(({ type }) => type === 'reply.received')
    assert.equal(replies.length, 3)
  })
})

test('an invalid question is a failed result, suspends no dialog and leaves nothing behind', async () => {
  const tries: [string, object, RegExp][] = [
    ['tellask', { targetAgentId: 'nobody', sessionSlug: 's', tellaskContent: 'x' }, /no @nobody\. Teammates: @bob\./],
    ['tellask', { targetAgentId: 'ada', sessionSlug: 's', tellaskContent: 'x' }, /freshBootsReasoning/],
    ['tellask', { targetAgentId: 'bob', sessionSlug: '9 bad', tellaskContent: 'x' }, /sessionSlug/],
    ['tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: '  ' }, /empty/],
    ['tellaskSessionless', { tellaskContent: 'x' }, /targetAgentId/],
    ['tellaskBack', { tellaskContent: 'x' }, /no agent asked you/],
  ]
  for (const [name, input, expected] of tries) {
    const team = teamWith({
      *ada(given) {
        const now = last(given)
        if (now?.kind === 'human') yield call(name, input)
        else if (now?.kind === 'call') yield text(String(now.result?.output))
      },
      *bob() {
        yield text('never')
      },
    })
    await withTeam(team, async ({ parley, clock, store }) => {
      const { id } = await parley.dialogs.open({ text: 'go' }, you)
      await clock.advance(200)
      const detail = await parley.dialogs.get(id)
      assert.match(detail.preview, expected)
      assert.equal(detail.status, 'ready')
      assert.equal(
        (await store.readAll(0, 100)).every(({ stream }) => stream === id),
        true,
      )
    })
  }
})

test('two sessions that would wait for each other for ever are refused instead', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'start' })
      else yield text('done')
    },
    *bob(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'cy', sessionSlug: 't', tellaskContent: 'help' })
      else yield text('bob is done')
    },
    *cy(input) {
      const now = last(input)
      if (now?.kind === 'prompt') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'no, you help' })
      else if (now?.kind === 'call') yield text(String(now.result?.output))
    },
  })
  await withTeam(team, async ({ parley, clock, said }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(500)
    assert.deepEqual(await said(id), ['go', 'done'])
  })
})

test('fresh minds: N side by side, no tools, one result for the call; calling something is a visible breach', async () => {
  const offered: number[] = []
  const team = teamWith(
    {
      *ada(input) {
        const now = last(input)
        if (now?.kind === 'human') yield call('freshBootsReasoning', { tellaskContent: 'is it safe?' })
        else if (now?.kind === 'call') yield text(String(now.result?.output))
        else {
          offered.push(input.tools.length)
          if (offered.length === 2) yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'x' })
          else yield text('yes')
        }
      },
      *bob() {
        yield text('never')
      },
    },
    { ada: { reasoningEffort: 3 } },
  )
  await withTeam(team, async ({ parley, clock, said }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(500)
    assert.deepEqual(offered, [0, 0, 0])
    const words = (await said(id)).at(-1) ?? ''
    assert.equal(words.match(/【FBR-直接回复】\nyes/g)?.length, 2)
    assert.match(words, /【FBR-仅推理】\nThis mind broke a rule/)
  })
})

test('a cleared mind keeps reminders and its request, and a late reply brings along what it answers', async () => {
  const contexts: string[][] = []
  const team = teamWith({
    *ada(input) {
      contexts.push(input.context.map((item) => (item.kind === 'prompt' || item.kind === 'human' ? item.text : item.kind)))
      const now = last(input)
      if (now?.kind === 'human') {
        yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'dig deep' })
        yield call('clear_mind', { reminder_content: 'bob digs' })
      } else if (now?.kind === 'prompt')
        yield text(`${input.reminders.join()} | ${now.text.includes('dig deep') ? 'reply came' : 'fresh course'}`)
    },
    *bob() {
      yield text('found')
    },
  })
  await withTeam(team, async ({ parley, clock, said }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(500)
    assert.deepEqual(await said(id), ['go', 'bob digs | fresh course', 'bob digs | reply came'])
    assert.equal(
      contexts[1]?.some((each) => each === 'go'),
      false,
    )
  })
})

test('diligence: a root is told to look once more within its budget, and a message refills it', async () => {
  const team = teamWith(
    {
      *ada(input) {
        yield text(`look ${input.context.filter((item) => item.kind === 'prompt').length}`)
      },
    },
    { ada: { diligence: { text: 'Is it really done?', most: 2 } } },
  )
  await withTeam(team, async ({ parley, clock, said }) => {
    const { id } = await parley.dialogs.open({ text: 'go' }, you)
    await clock.advance(200)
    assert.deepEqual(await said(id), ['go', 'look 0', 'look 1', 'look 2'])
    await parley.dialogs.say(id, 'more', you)
    await clock.advance(200)
    assert.equal((await said(id)).length, 8)
  })
})

test('two who only ask each other pause at the bound, and continue when the owner lets them', async () => {
  let asked = 0
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'go' })
      else yield text('what do you mean?')
    },
    *bob() {
      asked += 1
      yield call('tellaskBack', { tellaskContent: 'what do you mean?' })
    },
  })
  await withTeam(team, async ({ parley, clock }) => {
    await parley.dialogs.open({ text: 'go' }, you)
    const untilAsked = async () => {
      for (let waits = 0; waits < 400 && (await parley.inbox()).count === 0; waits += 1) await clock.advance(1_000)
      await clock.advance(1_000)
      return (await parley.inbox()).items[0]?.question ?? assert.fail('the owner was not asked')
    }
    const question = await untilAsked()
    assert.equal(asked, treeLimits.requestsInARow + 1)
    assert.equal(question.ask.text, '@bob has made 100 requests to other agents without a message from a person. Should it continue?')
    await parley.questions.answer(question.id, { answers: { decision: 'continue' } }, you)
    const again = await untilAsked()
    assert.notEqual(again.id, question.id)
    assert.equal(asked, 2 * treeLimits.requestsInARow + 2)
    await parley.questions.answer(again.id, { answers: { decision: 'leave' } }, you)
    const side = await parley.dialogs.get(again.dialog)
    assert.deepEqual([side.status, side.failure?.code], ['failed', 'too_many_requests_in_a_row'])
  })
})
