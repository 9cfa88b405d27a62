import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellaskLimits } from '../../src/dialogs/rules/tellask.ts'
import { foldViews } from '../../src/app/stream-kinds.ts'
import { call, gate, last, readBy, requestIn, teamWith, text, withTeam, you } from './team-scene.ts'

test('a tree: any depth, kept flat, one parent each, the root known to all [tree:depth] [tree:flat] [tree:titles]', async () => {
  const deeper = (to: string) =>
    function* ({ context }: { context: readonly { kind: string }[] }) {
      if (context.at(-1)?.kind !== 'call') yield call('tellaskSessionless', { targetAgentId: to, tellaskContent: `go on to ${to}` })
      else yield text('back')
    }
  const team = teamWith({ ada: deeper('bob'), bob: deeper('cy'), cy: deeper('dee'), *dee() { yield text('deep') } }) // prettier-ignore
  await withTeam(team, async ({ parley, begin, children }) => {
    const root = await begin('start')
    const tree = await parley.dialogs.tree(root)
    assert.deepEqual(
      tree.map(({ agent }) => agent),
      ['ada', 'bob', 'cy', 'dee'],
    )
    for (const [index, each] of tree.slice(1).entries()) {
      assert.deepEqual([each.origin?.root, each.origin?.parent], [root, tree[index]?.id])
      assert.equal(each.title, `go on to ${each.agent}`)
      assert.deepEqual(await children(tree[index]?.id ?? ''), [each.id])
    }
  })
})

test('the path of the task document goes down the tree and never changes [tree:taskdoc:shared]', async () => {
  const items: (string | null)[] = []
  const team = teamWith({
    *ada(input) {
      items.push(input.taskdoc)
      if (last(input)?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'x' })
      else yield text('done')
    },
    *bob(input) {
      items.push(input.taskdoc)
      yield text('done')
    },
  })
  await withTeam(team, async ({ parley, rest }) => {
    const by = you.by
    await parley.streams.handle('dlg_t', [
      { type: 'open-dialog', at: 1, agent: 'ada', by, language: 'en', taskdoc: 'work/a.tsk' },
      { type: 'say', at: 1, message: 'm', text: 'go', by },
    ])
    await rest()
    assert.deepEqual(items, ['work/a.tsk', 'work/a.tsk', 'work/a.tsk'])
  })
})

test('the caller rests until every one of its calls is settled, then goes on once [tellask:suspend:all] [drive:revive:last-reply]', async () => {
  const slow = gate()
  let generations = 0
  const team = teamWith({
    *ada(input) {
      generations += 1
      if (last(input)?.kind !== 'human') return yield text('both are here')
      yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'quick' })
      yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'slow' })
    },
    *bob() {
      yield text('quick one')
    },
    async *cy() {
      await slow.passed
      yield text('slow one')
    },
  })
  await withTeam(team, async ({ begin, status, rest, said, events }) => {
    const root = await begin('go')
    assert.equal((await events(root, 'reply.received')).length, 1)
    assert.deepEqual([await status(root), generations], ['delegated', 1])
    slow.open()
    await rest()
    assert.deepEqual([await status(root), generations], ['ready', 2])
    assert.deepEqual(await said(root), ['go', 'both are here'])
  })
})

test('asking back goes to the current caller, quotes the request, and its answer is the result of the call [tellask:back:current-caller] [tellask:back:quotes] [tellask:back:result]', async () => {
  const prompts: string[] = []
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'first job' })
      else if (now?.kind === 'call' && now.name === 'tellask')
        yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'see to it' })
      else if (now?.kind === 'prompt') yield text('ada must not be asked')
    },
    *bob(input) {
      if (requestIn(input) === 'first job') return yield text('did it')
      if (last(input)?.kind === 'prompt') return yield call('tellaskBack', { tellaskContent: 'Which colour?' })
      const now = last(input)
      yield text(`colour: ${now?.kind === 'call' ? String(now.result?.output) : '?'}`)
    },
    *cy(input) {
      const now = last(input)
      if (now?.kind === 'prompt' && now.text.includes('asks you back')) {
        prompts.push(now.text)
        return yield text('green')
      }
      if (now?.kind === 'prompt') return yield call('tellask', { targetAgentId: '@bob', sessionSlug: 's', tellaskContent: 'second job' })
      yield text(now?.kind === 'call' ? String(now.result?.output) : '?')
    },
  })
  await withTeam(team, async ({ begin, children, said }) => {
    const root = await begin('go')
    const [, cy = ''] = await children(root)
    assert.equal(prompts.length, 1)
    assert.match(prompts[0] ?? '', /> second job/)
    assert.match(prompts[0] ?? '', /> 【tellaskBack】\n> Which colour\?/)
    assert.deepEqual((await said(cy)).at(-1), '【未声明完成】\ncolour: green')
  })
})

test('a call that cannot be made is a clear failed result; nothing is suspended and nothing is left behind [tellask:fail:unknown-member] [tellask:fail:self] [tellask:fail:empty] [tellask:fail:slug] [tellask:fail:back-in-root] [tellask:fail:back-slug] [tellask:fail:arguments]', async () => {
  const tries: [string, unknown, RegExp][] = [
    ['tellask', { targetAgentId: 'nobody', sessionSlug: 's', tellaskContent: 'x' }, /^There is no @nobody\. Teammates: @bob\.$/],
    ['tellask', { targetAgentId: ' @ada ', sessionSlug: 's', tellaskContent: 'x' }, /freshBootsReasoning/],
    ['tellaskSessionless', { targetAgentId: 'ada', tellaskContent: 'x' }, /freshBootsReasoning/],
    ...['', '9', 'a b', 'a.', '-a', 'a'.repeat(81)].map((slug): [string, unknown, RegExp] => [
      'tellask',
      { targetAgentId: 'bob', sessionSlug: slug, tellaskContent: 'x' },
      /sessionSlug/,
    ]),
    ['tellask', { targetAgentId: 'bob', tellaskContent: 'x' }, /sessionSlug/],
    ['tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: ' \n ' }, /empty/],
    ['tellaskSessionless', { targetAgentId: 'bob' }, /empty/],
    ['freshBootsReasoning', { tellaskContent: '' }, /empty/],
    ['tellaskBack', { tellaskContent: 'x' }, /no tool called tellaskBack/],
    ['tellask', 'not an object', /JSON object/],
    ['tellask', ['x'], /JSON object/],
    ['tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x'.repeat(tellaskLimits.contentChars + 1) }, /characters/],
  ]
  for (const [name, input, expected] of tries) {
    const team = teamWith({
      *ada(given) {
        const now = last(given)
        if (now?.kind === 'human') yield { type: 'call', call: 'c', name, input }
        else if (now?.kind === 'call') yield text(String(now.result?.output))
      },
      *bob() {
        yield text('never')
      },
    })
    await withTeam(team, async ({ begin, parley, store, events }) => {
      const root = await begin('go')
      assert.match((await parley.dialogs.get(root)).preview, expected)
      assert.deepEqual(
        (await events(root, 'tool.returned')).map(({ ok }) => ok),
        [false],
      )
      assert.equal((await parley.dialogs.get(root)).status, 'ready')
      assert.ok((await store.readAll(0, 100)).every(({ stream }) => stream === root))
    })
  }
  const back = teamWith({
    *ada(input) {
      if (last(input)?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else yield text('done')
    },
    *bob(input) {
      const now = last(input)
      if (now?.kind === 'prompt') yield call('tellaskBack', { tellaskContent: 'x', sessionSlug: 's' })
      else yield text(now?.kind === 'call' ? String(now.result?.output) : '')
    },
  })
  await withTeam(back, async ({ begin, children, said }) => {
    const [bob = ''] = await children(await begin('go'))
    assert.match((await said(bob))[0] ?? '', /takes no sessionSlug/)
  })
})

test('one bad call beside a good one: the good one is made, the bad one is told afterwards [tellask:fail:beside-good]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') {
        const failed = input.context.flatMap((item) =>
          item.kind === 'call' && item.result?.ok === false ? [String(item.result.output)] : [],
        )
        return yield text(`${failed.length} failed: ${failed.join()}`)
      }
      yield call('tellaskSessionless', { targetAgentId: 'nobody', tellaskContent: 'x' })
      yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
    },
    *bob() {
      yield text('done')
    },
  })
  await withTeam(team, async ({ begin, said, children }) => {
    const root = await begin('go')
    assert.equal((await children(root)).length, 1)
    assert.match((await said(root)).at(-1) ?? '', /^1 failed: There is no @nobody/)
  })
})

test('calls go out in the order they were made, with ids of their own even where the agent repeats one [drive:calls:order] [drive:calls:ids]', async () => {
  const team = teamWith({
    *ada(input) {
      if (last(input)?.kind !== 'human') return yield text('done')
      for (const content of ['one', 'two', 'three'])
        yield { type: 'call', call: 'same', name: 'tellaskSessionless', input: { targetAgentId: 'bob', tellaskContent: content } }
    },
    *bob() {
      yield text('ok')
    },
  })
  await withTeam(team, async ({ begin, events }) => {
    const root = await begin('go')
    const tellasks = await events(root, 'tellask.made')
    assert.deepEqual(
      tellasks.map(({ content }) => content),
      ['one', 'two', 'three'],
    )
    assert.equal(new Set(tellasks.map((each) => each.call)).size, 3)
    assert.equal((await events(root, 'reply.received')).length, 3)
  })
})

test('a tool of a team may not take a name that belongs to dialogs [drive:tools:reserved]', async () => {
  const tool = {
    name: 'tellask',
    description: '',
    inputSchema: {},
    afterCrash: 'repeat' as const,
    gate: { kind: 'code' as const, declared: 'allow-guests' as const },
    check: (input: unknown) => ({ input }),
    run: async () => 'x',
  }
  const team = teamWith({ *ada() { yield text('never') } }, {}, [tool]) // prettier-ignore
  await withTeam(team, async ({ begin, parley }) => {
    const { status, failure } = await parley.dialogs.get(await begin('go'))
    assert.deepEqual([status, failure?.code], ['failed', 'agent_failed'])
    assert.match(failure?.message ?? '', /tellask/)
  })
})

test('which calls are offered where: asking back only in a side dialog, teammates only where there are some [drive:tools:offered]', async () => {
  const offered = new Map<string, string[]>()
  const team = teamWith({
    *ada(input) {
      offered.set(
        'root',
        input.tools.map(({ name }) => name),
      )
      if (last(input)?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else yield text('done')
    },
    *bob(input) {
      offered.set(
        'side',
        input.tools.map(({ name }) => name),
      )
      yield text('done')
    },
  })
  const own = ['clear_mind', 'add_reminder', 'update_reminder', 'delete_reminder', 'recall_output']
  await withTeam(team, async ({ begin }) => {
    await begin('go')
    assert.deepEqual(offered.get('root'), ['reply', 'tellask', 'tellaskSessionless', 'freshBootsReasoning', ...own])
    assert.deepEqual(offered.get('side'), ['reply', 'tellask', 'tellaskSessionless', 'freshBootsReasoning', ...own, 'tellaskBack'])
  })
  await withTeam(
    teamWith({
      *ada(input) {
        offered.set(
          'alone',
          input.tools.map(({ name }) => name),
        )
        yield text('')
      },
    }),
    async ({ begin }) => {
      // prettier-ignore
      await begin('go')
      assert.deepEqual(offered.get('alone'), ['freshBootsReasoning', ...own])
    },
  )
})

test('without the tool, a reply is all that was said since the request, in order [tellask:reply:all-words]', async () => {
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else if (now?.kind === 'call') yield text(String(now.result?.output))
    },
    *bob(input) {
      if (last(input)?.kind !== 'prompt') return yield text('the end')
      yield text('on my way')
      yield call('add_reminder', { content: 'note' })
    },
  })
  await withTeam(team, async ({ begin, said }) => {
    assert.deepEqual((await said(await begin('go'))).at(-1), '【未声明完成】\non my way\n\nthe end')
  })
})

test('a person who speaks into a side dialog while it writes its reply is answered before it replies, and the answer is no part of the reply [tellask:reply:follow-up-first] [drive:prompt:fresh]', async () => {
  const writing = gate()
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      else if (now?.kind === 'call') yield text(String(now.result?.output))
    },
    async *bob(input) {
      const messages = input.context.filter((item) => item.kind === 'human').length
      if (messages === 0) await writing.passed
      yield text(`heard ${messages}`)
    },
  })
  await withTeam(team, async ({ begin, children, say, rest, said, events }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'mind the budget')
    writing.open()
    await rest()
    assert.deepEqual(await said(bob), ['mind the budget', 'heard 0', 'heard 1'])
    assert.equal((await said(root)).at(-1), '【未声明完成】\nheard 0')
    assert.equal((await events(bob, 'reply.given')).length, 1)
  })
})

test('words said before a question was asked back are not its answer [tellask:back:seen]', async () => {
  const writing = gate()
  const asking = gate()
  const team = teamWith({
    async *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go') return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      if (now?.kind === 'human') {
        await writing.passed
        return yield text('to the human')
      }
      if (now?.kind === 'prompt') return yield text('to bob')
      yield text('done')
    },
    async *bob(input) {
      const now = last(input)
      if (now?.kind === 'call') return yield text(`got: ${String(now.result?.output)}`)
      await asking.passed
      yield call('tellaskBack', { tellaskContent: 'Which?' })
    },
  })
  await withTeam(team, async ({ begin, say, rest, children, said }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(root, 'how is it going?')
    asking.open()
    await rest()
    writing.open()
    await rest()
    assert.deepEqual(await said(root), ['go', 'how is it going?', 'to the human', 'to bob', 'done'])
    assert.deepEqual(await said(bob), ['got: to bob'])
  })
})

test('a person may speak to a dialog that waits for others; it answers and goes on waiting [drive:prompt:while-blocked] [drive:projected:pending]', async () => {
  const slow = gate()
  const pending: unknown[] = []
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human' && now.text === 'go') return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
      pending.push(...input.context.flatMap((item) => (item.kind === 'call' ? [item.result] : [])))
      yield text(now?.kind === 'call' ? 'the reply is here' : 'still waiting')
    },
    async *bob() {
      await slow.passed
      yield text('ok')
    },
  })
  await withTeam(team, async ({ begin, say, status, rest, said }) => {
    const root = await begin('go')
    await say(root, 'and?')
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['delegated', 'still waiting'])
    assert.deepEqual(pending, [null])
    slow.open()
    await rest()
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['ready', 'the reply is here'])
  })
})

test('a crash between any of it changes nothing: each request one reply, routed to who made it [recovery:calls] [tellask:reply:after-restart] [views:fold]', async () => {
  const waiting = gate()
  const team = teamWith({
    *ada(input) {
      const now = last(input)
      if (now?.kind === 'human') {
        yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'for ada' })
        yield call('tellaskSessionless', { targetAgentId: 'cy', tellaskContent: 'ask bob as well' })
      } else yield text(readBy(input).includes('reply to for ada') ? 'mine' : 'not mine')
    },
    async *bob(input) {
      await waiting.passed
      yield text(`reply to ${requestIn(input)}`)
    },
    *cy(input) {
      const now = last(input)
      if (now?.kind === 'prompt') yield call('tellask', { targetAgentId: 'bob', sessionSlug: 's', tellaskContent: 'for cy' })
      else yield text(now?.kind === 'call' ? String(now.result?.output) : '')
    },
  })
  await withTeam(team, async (scene) => {
    const root = await scene.begin('go')
    await scene.restart()
    waiting.open()
    await scene.restart()
    await scene.clock.advance(60_000)
    const [bob = '', cy = ''] = await scene.children(root)
    assert.deepEqual(await scene.said(root), ['go', 'mine'])
    assert.deepEqual(await scene.said(cy), ['【未声明完成】\nreply to for cy'])
    assert.deepEqual(
      (await scene.events(bob, 'reply.given')).map((each) => each.tellask).toSorted(),
      [...(await scene.events(root, 'tellask.made')), ...(await scene.events(cy, 'tellask.made'))]
        .filter(({ to }) => to === bob)
        .map((each) => each.tellask)
        .toSorted(),
    )
    for (const row of (await foldViews(scene.store)).values()) assert.deepEqual(await scene.store.row(row.view, row.key), row)
  })
})
