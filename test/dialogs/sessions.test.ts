import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellaskLimits } from '../../src/dialogs/rules/tellask.ts'
import { type Brain, call, gate, last, requestIn, teamWith, text, withTeam, you } from './team-scene.ts'

const echo: Brain = function* (input) {
  yield text(`${input.dialog}: ${requestIn(input)}`)
}

const sayResult: Brain = function* (input) {
  const now = last(input)
  yield text(now?.kind === 'call' ? String(now.result?.output) : 'nothing')
}

test('a name finds the same side dialog again with its memory; asking once never does [tellask:session:reuse] [tellask:fresh:always-new]', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind !== 'human') return yield text('done')
      const name = now.text.startsWith('keep') ? 'tellask' : 'tellaskSessionless'
      yield call(name, { targetAgentId: 'bob', ...(name === 'tellask' ? { sessionSlug: 'work.part-1' } : {}), tellaskContent: now.text })
    },
    *bob(input) {
      yield text(`I remember ${input.context.filter((item) => item.kind === 'agent').length}`)
    },
  })
  await withTeam(team, async ({ begin, say, children, said }) => {
    const root = await begin('keep 1')
    for (const words of ['keep 2', 'once 1', 'once 2']) await say(root, words)
    const all = await children(root)
    assert.deepEqual([all[0] === all[1], new Set(all).size], [true, 3])
    assert.deepEqual(await said(all[0] ?? ''), ['I remember 0', 'I remember 1'])
    assert.deepEqual(await said(all[3] ?? ''), ['I remember 0'])
  })
})

test('the same name with several members is several side dialogs, each with its own memory [tellask:session:several-members]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      for (const member of ['bob', 'cy'])
        yield call('tellask', { targetAgentId: member, sessionSlug: 'plan', tellaskContent: `for ${member}` })
    },
    bob: echo,
    cy: echo,
  })
  await withTeam(team, async ({ begin, children, said }) => {
    const [bob = '', cy = ''] = await children(await begin('go'))
    assert.notEqual(bob, cy)
    assert.deepEqual([await said(bob), await said(cy)], [[`${bob}: for bob`], [`${cy}: for cy`]])
  })
})

test('several requests to one name wait in line, one reply each, to the one who made it [tellask:queue:fifo] [tellask:reply:one-per-call] [tellask:reply:to-its-caller]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') {
        const results = input.context.flatMap((item) => (item.kind === 'call' ? [String(item.result?.output)] : []))
        return yield text(results.join(' & '))
      }
      yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'one' })
      yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'two' })
      yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'ask bob' })
    },
    *bob(input) {
      yield text(`re ${requestIn(input)}`)
    },
    *cy(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'three' })
      else yield* sayResult(input, new AbortController().signal) as Iterable<never>
    },
  })
  await withTeam(team, async ({ begin, children, said, events }) => {
    const root = await begin('go')
    const [bob = '', again, cy = ''] = await children(root)
    assert.equal(bob, again)
    assert.deepEqual(await said(bob), ['re one', 're two', 're three'])
    assert.deepEqual(await said(cy), ['【未声明完成】\nre three'])
    assert.equal((await said(root)).at(-1), '【未声明完成】\nre one & 【未声明完成】\nre two & 【未声明完成】\nre three')
    for (const dialog of [root, cy]) {
      const [made, got] = [await events(dialog, 'tellask.made'), await events(dialog, 'reply.received')]
      assert.deepEqual(got.map(({ tellask }) => tellask).toSorted(), made.map(({ tellask }) => tellask).toSorted())
    }
  })
})

test('a request that waits in line is not seen before its time [tellask:queue:hidden]', async () => {
  const working = gate()
  const texts: string[] = []
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      for (const content of ['one', 'two']) yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: content })
    },
    async *bob(input) {
      texts.push(input.context.flatMap((item) => (item.kind === 'prompt' ? [/> (.*)/.exec(item.text)?.[1]] : [])).join())
      await working.passed
      yield text('ok')
    },
  })
  await withTeam(team, async ({ begin, rest }) => {
    await begin('go')
    assert.deepEqual(texts, ['one'])
    working.open()
    await rest()
    assert.deepEqual(texts, ['one', 'one,two'])
  })
})

test('two who use a new name in the same moment share one side dialog [tellask:session:race]', async () => {
  const both = gate()
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      for (const member of ['bob', 'cy']) yield call('tellaskSessionless', { targetAgentId: member, tellaskContent: 'race' })
    },
    async *bob(input) {
      if (last(input)?.kind !== 'prompt') return yield text('bob done')
      await both.passed
      yield call('tellask', { targetAgentId: 'dee', sessionSlug: 'new', tellaskContent: 'from bob' })
    },
    async *cy(input) {
      if (last(input)?.kind !== 'prompt') return yield text('cy done')
      await both.passed
      yield call('tellask', { targetAgentId: 'dee', sessionSlug: 'new', tellaskContent: 'from cy' })
    },
    dee: echo,
  })
  await withTeam(team, async ({ begin, rest, children, said, events, status }) => {
    const root = await begin('go')
    both.open()
    await rest()
    const [bob = '', cy = ''] = await children(root)
    const [[one = ''], [two]] = [await children(bob), await children(cy)]
    assert.equal(one, two)
    assert.equal((await said(one)).length, 2)
    assert.equal((await events(root, 'session.registered')).length, 1)
    assert.equal(await status(root), 'ready')
  })
})

test('the registry belongs to the root: a side dialog reaches the same one through it, another root does not [tellask:session:per-root]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'x' })
    },
    bob: echo,
  })
  await withTeam(team, async ({ begin, children }) => {
    const [one] = await children(await begin('go'))
    const [two] = await children(await begin('go'))
    assert.notEqual(one, two)
  })
})

test('the header names the caller of this request, not the root [header:caller] [tellask:back:header]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
    },
    *bob(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'cy', sessionSlug: 's', tellaskContent: 'y' })
      else yield text('done')
    },
    *cy(input) {
      const now = last(input)
      yield text(now?.kind === 'prompt' ? `I read: ${now.text.split('\n')[0]}` : '')
    },
  })
  await withTeam(team, async ({ begin, children, said }) => {
    const [bob = ''] = await children(await begin('go'))
    const [cy = ''] = await children(bob)
    assert.deepEqual(await said(cy), [
      'I read: You are the responder (tellaskee dialog) for this dialog; the tellasker dialog is @bob (the current caller).',
    ])
  })
})

test('a dead side dialog: waiting callers get a failed reply, its name is free, its context is gone, and it accepts nothing [dead:reply] [dead:prune] [dead:irreversible] [dead:side-only] [dead:refuses] [dead:idempotent]', async () => {
  const stuck = gate()
  let isFirst = true
  let wasCut = false
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'x' })
      else if (now?.kind === 'call') yield text(`${now.result?.ok} ${String(now.result?.output)}`)
    },
    async *bob(_input, signal) {
      if (!isFirst) return yield text('a new one')
      isFirst = false
      signal.addEventListener('abort', () => (wasCut = true))
      await stuck.passed
      yield text('too late')
    },
  })
  await withTeam(team, async ({ parley, begin, children, rest, said, say, status, store }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await assert.rejects(parley.dialogs.declareDead(root, undefined, you), { code: 'root_cannot_die' })
    await parley.dialogs.declareDead(bob, 'it hangs', you)
    await parley.dialogs.declareDead(bob, undefined, you)
    await rest()
    assert.equal(wasCut, true)
    assert.match(
      (await said(root)).at(-1) ?? '',
      /^false .*declared dead; it will not come back\. The name "s" may be used again, but its context is gone\.\nNote: it hangs/,
    )
    stuck.open()
    await rest()
    const head = await store.head(bob)
    for (const act of [
      () => parley.dialogs.say(bob, 'hi', you),
      () => parley.dialogs.resume(bob, you),
      () => parley.dialogs.stop(bob, you),
    ])
      await assert.rejects(act(), { code: 'dialog_dead' })
    assert.deepEqual([await status(bob), await store.head(bob)], ['dead', head])
    await say(root, 'again')
    const all = await children(root)
    assert.notEqual(all[1], bob)
    assert.match((await said(root)).at(-1) ?? '', /a new one/)
  })
})

test('two names that would wait for each other for ever are refused; limits are said in words and leave nothing half [tellask:fail:cycle] [tellask:limits]', async () => {
  const cycle = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'start' })
      else yield text('done')
    },
    *bob(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'cy', sessionSlug: 't', tellaskContent: 'help' })
      else yield* sayResult(input, new AbortController().signal) as Iterable<never>
    },
    *cy(input) {
      if (last(input)?.kind === 'prompt') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'no, you' })
      else yield* sayResult(input, new AbortController().signal) as Iterable<never>
    },
  })
  await withTeam(cycle, async ({ begin, children, said }) => {
    const [bob = ''] = await children(await begin('go'))
    assert.match((await said(bob))[0] ?? '', /@bob made the request you work on/)
  })
  const many = teamWith(
    {
      *ada(input) {
        if (last(input)?.kind !== 'human') {
          const failed = input.context.flatMap((item) =>
            item.kind === 'call' && item.result?.ok === false ? [String(item.result.output)] : [],
          )
          return yield text(`${failed.length} failed: ${failed[0]}`)
        }
        if (last(input)?.kind === 'human' && input.turn === 1) yield call('freshBootsReasoning', { tellaskContent: 'x' })
        yield call('freshBootsReasoning', { tellaskContent: 'y' })
      },
    },
    { ada: { reasoningEffort: 60 } },
  )
  await withTeam(many, async ({ begin, said, children, clock, status }) => {
    const root = await begin('go')
    await clock.advance(30_000)
    assert.equal((await children(root)).length, 60)
    assert.equal(await status(root), 'ready')
    assert.match((await said(root)).at(-1) ?? '', new RegExp(`^1 failed: 60 fresh minds .* more than ${tellaskLimits.pending} replies`))
  })
})
