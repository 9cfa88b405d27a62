import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ParleyError } from '../../src/errors.ts'
import type { Tool } from '../../src/ports/agent-runtime.ts'
import { measureRoom } from '../../src/dialogs/rules/prompt/context-levels.ts'
import { measureItems } from '../../src/dialogs/rules/prompt/prompt-size.ts'
import { readChat, lastText, modelTeam, wholeText } from './model-scene.ts'
import { treeLimits } from '../../src/dialogs/rules/tellask.ts'
import { call, gate, text, used, withTeam, you } from './team-scene.ts'

const look: Tool = {
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  afterCrash: 'repeat',
  gate: { kind: 'code', declared: 'allow-guests' },
  check: (input) => ({ input }),
  run: async () => `first\n${'line\n'.repeat(4_000)}last`,
}

const tick: Tool = { ...look, name: 'tick', run: async () => 'ok' }

test('a reply with a status closes the request; done is refused while something is out [P10] [P12]', async () => {
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield call('tellaskSessionless', { targetAgentId: '@bob', tellaskContent: 'Find it.' })
      yield text('Thanks.')
    },
    *bob(input) {
      const read = wholeText(input)
      if (!read.includes('q1 is with a person')) {
        if (readChat(input).length === 1) return yield call('askHuman', { tellaskContent: 'Which printer?' })
      }
      if (!read.includes('Not delivered')) return yield call('reply', { text: 'The number is 42.', status: 'done' })
      yield call('reply', { text: 'Without the printer.', status: 'partial' })
    },
  })
  await withTeam(model.team, async ({ begin, children, say, events, parley }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'How is it going?')
    const [reply] = await events(root, 'reply.received')
    assert.deepEqual([reply?.status, reply?.text], ['partial', '【部分完成】\nWithout the printer.'])
    assert.match(model.requests.map(wholeText).join('\n'), /Not delivered: q1 still out\. Wait, or use partial or could_not\./)
    assert.equal((await parley.inbox()).count, 0, 'its own question is withdrawn')
  })
})

test('two ask-backs in one step each get their own answer [P10]', async () => {
  const model = modelTeam({
    *ada(input) {
      const read = wholeText(input)
      if (read.includes('id="b2"') && !read.includes('Delivered')) {
        yield call('reply', { to: 'b1', text: 'Europe.', status: 'done' })
        return yield call('reply', { to: 'b2', text: '2026.', status: 'done' })
      }
      if (read.includes('<ask-back')) return yield call('look', {})
      if (readChat(input).length > 1) return yield text('Thanks.')
      for (const name of ['bob', 'cy']) yield call('tellaskSessionless', { targetAgentId: name, tellaskContent: `For ${name}.` })
    },
    *bob(input) {
      if (readChat(input).length === 1) return yield call('tellaskBack', { tellaskContent: 'Where?' })
      yield call('reply', { text: `Got ${lastText(input)}`, status: 'done' })
    },
    *cy(input) {
      if (readChat(input).length === 1) return yield call('tellaskBack', { tellaskContent: 'When?' })
      yield call('reply', { text: `Got ${lastText(input)}`, status: 'done' })
    },
  }, {}, [look]) // prettier-ignore
  await withTeam(model.team, async ({ begin, events }) => {
    const root = await begin('go')
    const replies = (await events(root, 'reply.received')).map((each) => each.text.split('\n')[1])
    assert.equal(replies.length, 2)
    assert.deepEqual(new Set(replies), new Set(['Got Europe.', 'Got 2026.']))
  })
})

test('words to a person are in no reply; without the tool the agent is asked once, then its work words are the reply [P11]', async () => {
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'Find it.' })
      yield text('Thanks.')
    },
    *bob(input) {
      const read = wholeText(input)
      if (!read.includes('SECRET?')) {
        yield text('The number is 42.')
        return yield call('askHuman', { tellaskContent: 'Is that all?' })
      }
      if (!read.includes('<answer')) return yield text('Fine, thanks. SECRET.')
      yield text('That is all.')
    },
  })
  await withTeam(model.team, async ({ begin, children, say, answer, events }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'SECRET?')
    await answer('yes')
    const [reply] = await events(root, 'reply.received')
    assert.equal(reply?.status, 'unstated')
    assert.equal(reply?.text, '【未声明完成】\nThe number is 42.\n\nThat is all.')
    assert.equal((await events(bob, 'prompt.noted')).length, 1)
  })
})

test('words to a person stay out of the reply although the person writes again before they are said [P11]', async () => {
  const working = gate()
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'Find it.' })
      yield text('Thanks.')
    },
    async *bob(input) {
      const read = wholeText(input)
      if (!read.includes('First?')) return yield call('askHuman', { tellaskContent: 'Is that all?' })
      if (!read.includes('Second?')) {
        await working.passed
        return yield text('SECRET one.')
      }
      if (read.includes('<answer')) return yield text('The number is 42.')
      yield text('SECRET two.')
    },
  })
  await withTeam(model.team, async ({ begin, children, say, answer, events, rest }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'First?')
    await say(bob, 'Second?')
    working.open()
    await rest()
    await answer('yes')
    const [reply] = await events(root, 'reply.received')
    assert.equal(reply?.text, '【未声明完成】\nThe number is 42.')
  })
})

test('a forced course keeps request, reminders, waiting and open questions; overflow leads to one, never to a dialog that fails for ever [P9] [P14]', async () => {
  let overflows = 0
  const model = modelTeam({
    *ada(input) {
      const read = wholeText(input)
      if (!read.includes('1. Ship it.') && readChat(input).length === 1) {
        yield call('add_reminder', { content: 'Ship it.' })
        return yield call('askHuman', { tellaskContent: 'Which printer do we use?' })
      }
      if (lastText(input).includes('again') && overflows === 0) {
        overflows += 1
        throw new ParleyError('context_overflow', { limit: 9_000, window: 9_000 })
      }
      yield text('Fine.')
    },
  })
  await withTeam(model.team, async ({ begin, say, events, status, parley }) => {
    const root = await begin('The goal is a bridge.')
    await say(root, 'and again')
    const last = wholeText(model.requests.at(-1) ?? {})
    for (const kept of [
      'The goal is a bridge.',
      'and again',
      '1. Ship it.',
      '- q1 to a person, 0 min: Which printer do we use?',
      'Course 2: the context was full',
    ])
      assert.ok(last.includes(kept), `${kept} in ${last}`)
    assert.deepEqual(
      (await events(root, 'course.started')).map(({ why }) => why),
      ['first', 'forced'],
    )
    assert.deepEqual([(await parley.inbox()).count, await status(root)], [1, 'waiting'])
    await parley.dialogs.freshStart(root, you)
    await say(root, 'once more')
    assert.deepEqual((await events(root, 'course.started')).length, 3)
  })
})

test('a call without an end is never shown as one that has ended; its end is an item of its own [P12] [P13]', async () => {
  const working = gate()
  const pay: Tool = { ...look, name: 'pay', gate: { kind: 'code', declared: 'ask' }, run: async () => 'paid' }
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length > 1) return yield text('Still waiting.')
      yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'Find it.' })
      yield call('askHuman', { tellaskContent: 'Which printer?' })
      yield call('pay', {})
    },
    async *bob() {
      await working.passed
      yield call('reply', { text: 'Found.', status: 'done' })
    },
  }, {}, [pay]) // prettier-ignore
  await withTeam(model.team, async ({ begin, say, parley, rest }) => {
    const root = await begin('go')
    await say(root, 'How is it going?')
    const results = (): (string | null)[] =>
      readChat(model.requests.findLast(({ agent }) => agent === 'ada') ?? {})
        .filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
    const waiting = [
      't1 is with @bob. No reply yet; it will arrive as a <reply> block.',
      'q1 is with a person. No answer yet; it will arrive as an <answer> block.',
      "o1 waits for a person's approval. It has not run. The outcome will arrive as an <outcome> block; do not repeat the call.",
    ]
    assert.deepEqual(results(), waiting)
    working.open()
    for (const { question } of (await parley.inbox()).items)
      await parley.questions.answer(question.id, question.approval ? { answers: { decision: 'deny' } } : { text: 'The big one.' }, you)
    await rest()
    await say(root, 'And now?')
    assert.deepEqual(results(), waiting, 'the results stay as they were')
    const read = wholeText(model.requests.findLast(({ agent }) => agent === 'ada') ?? {})
    assert.match(read, /<reply to="t1" from="@bob" status="done"[^]*【最终完成】\nFound\./)
    assert.match(read, /<answer to="q1"[^>]*outcome="answered"[^>]*>The big one\.<\/answer>/)
    assert.match(read, /<outcome of="o1" tool="pay"[^>]*>owner denied this call\. It has not run\./)
  })
})

test('a model that makes request after request pauses at the bound until a person decides', async () => {
  let generations = 0
  const model = modelTeam({
    *ada() {
      generations += 1
      yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'Find it.' })
    },
    *bob() {
      yield call('reply', { text: 'Found.', status: 'done' })
    },
  })
  await withTeam(model.team, async ({ begin, clock, events, status, parley }) => {
    const root = await begin('go')
    await clock.advance(60_000)
    const { requestsInARow } = treeLimits
    assert.deepEqual([generations, await status(root)], [requestsInARow + 1, 'waiting'])
    const results = await events(root, 'tool.returned')
    assert.match(String(results.at(-1)?.output), /^Paused: 100 requests without a word from a person\./)
    assert.equal((await parley.inbox()).count, 1)
  })
})

test('a long output is shortened with a handle, and recall_output reads the rest', async () => {
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield call('look', {})
      if (readChat(input).length === 3) return yield call('recall_output', { handle: 'o1', from: 4_000, lines: 5 })
      yield text('Done')
    },
  }, {}, [look]) // prettier-ignore
  model.around.window = 40_000
  await withTeam(model.team, async ({ begin }) => {
    await begin('go')
    const [, second, third] = model.requests
    assert.match(lastText(second ?? {}), /^first\n[^]*\[… \d+ lines left out; recall_output o1\][^]*last$/)
    assert.match(lastText(third ?? {}), /^\[lines 4000 to 4002 of 4002\]\nline\nline\nlast$/)
  })
})

test('an unknown tool lists the tools of this request, bad arguments and too many calls say so [P12] [P15]', async () => {
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length > 1) return yield text('ok')
      yield call('tock', {})
      for (let count = 0; count < 33; count += 1) yield call('tick', { count })
    },
  }, {}, [tick]) // prettier-ignore
  await withTeam(model.team, async ({ begin }) => {
    await begin('go')
    const results = readChat(model.requests[1] ?? {})
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => content ?? '')
    const names = model.requests[1]?.prompt.tools.map(({ name }) => name).join(', ')
    assert.equal(results[0], `There is no tool tock. Tools: ${names}.`)
    assert.equal(results.length, 34)
    assert.equal(
      results.filter((each) => each === 'Not run: more than 32 calls in one step. Call it again if you still need it.').length,
      2,
    )
  })
})

test('a stop leaves the words so far and a note, Continue says how long it took, and nothing before it changes [P1] [P13]', async () => {
  const writing = gate()
  const model = modelTeam({
    async *ada(input, signal) {
      if (wholeText(input).includes('lets you continue')) return yield text('Done.')
      yield { type: 'delta', text: 'I had begun' }
      await Promise.race([writing.passed, new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))])
    },
  })
  await withTeam(model.team, async ({ begin, parley, clock, said }) => {
    const root = await begin('go')
    await parley.dialogs.stop(root, you)
    await clock.advance(7_200_000)
    await parley.dialogs.resume(root, you)
    await clock.advance(500)
    const [first, second] = model.requests
    assert.ok(first && second && second.wires.anthropic.startsWith(first.wires.anthropic))
    assert.deepEqual(
      readChat(second)
        .slice(1)
        .map(({ content }) => content),
      ['I had begun', '<runtime>\nowner stopped you here.\nowner lets you continue after 2 h.\n</runtime>'],
    )
    assert.equal((await said(root)).at(-1), 'Done.')
  })
})

test('an epoch starts for persona and tools at the start of a turn, never inside a tool loop; what is gone is a note [P5]', async () => {
  const tools = [look]
  const model = modelTeam({
    *ada(input) {
      if (lastText(input).includes('>work<')) {
        model.around.persona = 'Be brief.'
        return yield call('look', {})
      }
      if (lastText(input).includes('is no longer available')) return yield call('look', {})
      yield text('ok')
    },
    *bob() {},
  }, {}, tools) // prettier-ignore
  await withTeam(model.team, async ({ begin, say, events }) => {
    const root = await begin('work')
    assert.equal(new Set(model.requests.map(({ prompt }) => prompt.epoch)).size, 1, 'not inside the loop')
    await say(root, 'next')
    tools.pop()
    await say(root, 'and next')
    assert.deepEqual(
      (await events(root, 'epoch.started')).map(({ why }) => why),
      ['course', 'persona'],
    )
    assert.match(lastText(model.requests.at(-2) ?? {}), /look is no longer available/)
    assert.equal(lastText(model.requests.at(-1) ?? {}), 'look is not available now.')
  })
})

test('teammates who join are named with the epoch that has them, and those who leave or come back without one [P5]', async () => {
  const model = modelTeam({ *ada() { yield text('ok') }, *bob() {}, *cy() {}, *dan() {} }) // prettier-ignore
  model.around.absent = ['cy', 'dan']
  await withTeam(model.team, async ({ begin, say, events }) => {
    const root = await begin('go')
    const sayWithout = async (words: string, absent: readonly string[]): Promise<string> => {
      model.around.absent = absent
      await say(root, words)
      return lastText(model.requests.at(-1) ?? {})
    }
    assert.equal(await sayWithout('1', []), '<runtime>\n@cy joined: is cy.\n@dan joined: is dan.\n</runtime>')
    assert.match(model.requests.at(-1)?.prompt.system ?? '', /- @dan: is dan/)
    assert.equal(await sayWithout('2', ['bob', 'cy']), '<runtime>\n@bob left.\n@cy left.\n</runtime>')
    assert.equal(await sayWithout('3', ['cy']), '<runtime>@bob joined: is bob.</runtime>')
    assert.match(await sayWithout('4', ['cy']), /^<message/)
    assert.deepEqual(
      (await events(root, 'epoch.started')).map(({ why }) => why),
      ['course', 'team'],
    )
  })
})

test('a request over 20 % of the window is shortened with a handle, and recall_output reads all of it', async () => {
  const whole = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} of the request`).join('\n')
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: whole })
      else yield text('Thanks.')
    },
    *bob(input) {
      const read = wholeText(input)
      if (!read.includes('[lines ')) return yield call('recall_output', { handle: 'r1', from: 1_500, lines: 2 })
      yield call('reply', { text: lastText(input), status: 'done' })
    },
  })
  await withTeam(model.team, async ({ begin, events }) => {
    model.around.window = 60_000
    const root = await begin('go')
    const first = model.requests.find(({ agent }) => agent === 'bob')
    assert.match(
      wholeText(first ?? {}),
      /^<request id="r1"[^]*> line 1 of the request\n[^]*> \[… \d+ lines left out; recall_output r1\]\n[^]*> line 3000 of the request\n/,
    )
    const [reply] = await events(root, 'reply.received')
    assert.equal(reply?.text, '【最终完成】\n[lines 1500 to 1501 of 3000]\nline 1500 of the request\nline 1501 of the request')
  })
})

test('recall_output: a line too long for one result is read in parts', async () => {
  const wide: Tool = { ...look, run: async () => `${'a'.repeat(9_000)}${'b'.repeat(9_000)}` }
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield call('look', {})
      if (readChat(input).length === 3) return yield call('recall_output', { handle: 'o1', from: 2 })
      yield text('Done')
    },
  }, {}, [wide]) // prettier-ignore
  model.around.window = 40_000
  await withTeam(model.team, async ({ begin }) => {
    await begin('go')
    assert.match(lastText(model.requests[2] ?? {}), /^\[lines 2 to 2 of 3\]\na+b+$/)
  })
})

test('a dialog without a list starts with a course that has what a person said and what is out [P9]', async () => {
  const model = modelTeam({ *ada() { yield text('ok') } }) // prettier-ignore
  const agent = model.team.agent('ada')
  let isModel = false
  const { prompt: _, ...plain } = agent ?? {}
  const scripted = { ...plain, runtime: { async *generate() { yield text('from before') } } } as never // prettier-ignore
  const team = { ...model.team, agent: () => (isModel ? agent : scripted) }
  await withTeam(team, async ({ begin, say, events }) => {
    const root = await begin('The goal.')
    isModel = true
    await say(root, 'go on')
    assert.deepEqual(
      (await events(root, 'course.started')).map(({ why }) => why),
      ['upgrade'],
    )
    const read = wholeText(model.requests[0] ?? {})
    for (const kept of ['The goal.', 'go on', 'Course 2.']) assert.ok(read.includes(kept), kept)
  })
})

/** Estimates of the requests of one dialog, by what the model counted before and the bytes since; with what a request may have. */
function overfullRequests({ requests, around }: ReturnType<typeof modelTeam>, tokensOf: (at: number) => number): number[] {
  const { usableTokens } = measureRoom({ windowTokens: around.window, inputLimitTokens: around.window, maxOutputTokens: null })
  return requests.flatMap(({ prompt }, at) => {
    const before = requests[at - 1]?.prompt
    if (before?.epoch !== prompt.epoch) return []
    const added = measureItems(prompt.items.slice(before.items.length), 'en')
    return tokensOf(at - 1) + Math.ceil(added / 3) > usableTokens ? [at] : []
  })
}

test('compaction shortens outputs of earlier turns, oldest first, and says so [P14]', async () => {
  let tokens = 1_000
  const model = modelTeam({
    *ada(input) {
      yield used((tokens += 600))
      if (readChat(input).at(-1)?.role === 'tool') return yield text('rest')
      yield call('look', { at: tokens })
    },
  }, {}, [look]) // prettier-ignore
  model.around.window = 24_000
  await withTeam(model.team, async ({ begin, say, events, store }) => {
    const root = await begin('go')
    for (let turn = 2; turn <= 12; turn += 1) await say(root, `turn ${turn}`)
    const types = (await store.read(root, 0, 2_000)).map(({ type }) => type)
    assert.ok(types.includes('prompt.compacted'), 'compacted')
    const notes = (await events(root, 'prompt.noted')).flatMap(({ notes: all }) => all.map(({ kind }) => kind))
    assert.ok(notes.includes('caution') && notes.includes('compacted'), notes.join())
    assert.match(model.requests.map(wholeText).join('\n'), /\[look: \d+ characters, ok; recall_output o1\]/)
  })
})

for (const [fill, tokens] of [
  ['nearly all', 18_500],
  ['more than all', 20_000],
] as const)
  test(`a step that fills ${fill} of the window at once shortens old outputs before a course begins [P14]`, async () => {
    const model = modelTeam({
      *ada(input) {
        yield used(input.turn === 13 && input.generation === 1 ? tokens : 5_000)
        if (input.generation === 2) return yield text('rest')
        yield call('look', { turn: input.turn })
      },
    }, {}, [look]) // prettier-ignore
    model.around.window = 24_000
    await withTeam(model.team, async ({ begin, say, events }) => {
      const root = await begin('go')
      for (let turn = 2; turn <= 14; turn += 1) await say(root, `turn ${turn}`)
      const notes = (await events(root, 'prompt.noted')).flatMap(({ notes: all }) => all.map(({ kind }) => kind))
      assert.deepEqual(notes, ['compacted'])
      assert.deepEqual(
        (await events(root, 'course.started')).map(({ why }) => why),
        ['first'],
      )
    })
  })

test('reminders of one step are in the course that its clear_mind begins, in any order; beside a question nothing is cleared [P9]', async () => {
  const model = modelTeam({
    *ada(input) {
      if (lastText(input).includes('>clear<')) {
        yield call('add_reminder', { content: 'Before.' })
        yield call('clear_mind', { reminder_content: 'With it.' })
        return yield call('add_reminder', { content: 'After.' })
      }
      if (lastText(input).includes('>ask<')) {
        yield call('clear_mind', {})
        return yield call('askHuman', { tellaskContent: 'Which one?' })
      }
      yield text('Fine.')
    },
  })
  await withTeam(model.team, async ({ begin, say }) => {
    const root = await begin('one')
    for (const words of ['two', 'three', 'clear']) await say(root, words)
    const last = (): string => wholeText(model.requests.at(-1) ?? {})
    assert.match(last(), /<reminders>\n1\. Before\.\n2\. With it\.\n3\. After\.\n<\/reminders>/)
    for (const words of ['four', 'five', 'ask', 'six']) await say(root, words)
    assert.match(last(), /Not cleared: you have just asked a person\. Clear after the answer\./)
    assert.match(last(), /Course 2\./)
  })
})

test('a section of the task document that others have changed is not added to a request that it makes too large [P14]', async () => {
  const model = modelTeam({
    *ada() {
      yield used(27_000)
      yield text('Fine.')
    },
  })
  model.around.window = 40_000
  const change = (chars: number): void => {
    model.around.sections = [{ name: 'goals', hash: `h${chars}`, text: 'g'.repeat(chars) }]
    model.around.taskdoc = `## Goals\n${'g'.repeat(chars)}`
  }
  change(10)
  await withTeam(model.team, async ({ parley, rest, say, events }) => {
    const { id } = await parley.dialogs.open({ text: 'The goal.', language: 'en', taskdoc: 'plan.tsk' }, you)
    await rest()
    change(3_000)
    await say(id, 'two')
    assert.match(wholeText(model.requests.at(-1) ?? {}), /<task-document name="goals">\ng{3000}\n/)
    change(20_000)
    await say(id, 'three')
    assert.deepEqual(
      overfullRequests(model, () => 27_000),
      [],
    )
    assert.deepEqual(
      (await events(id, 'course.started')).map(({ why }) => why),
      ['first', 'forced'],
    )
    assert.match(wholeText(model.requests.at(-1) ?? {}), /^<task-document>\n## Goals\ng{20000}\n<\/task-document>[^]*three/)
  })
})

test('a tool loop longer than the window: nothing of it is shortened, no request is too large, and courses begin until it ends [P14]', async () => {
  const steps = 60
  const counts: number[] = []
  let calls = 0
  const model = modelTeam({
    *ada(input) {
      const bytes = Buffer.byteLength(wholeText(input)) + JSON.stringify(input.prompt?.tools).length + (input.prompt?.system.length ?? 0)
      counts.push(Math.ceil(bytes / 4))
      yield used(counts.at(-1) ?? 0)
      if ((calls += 1) > steps) return yield text('The end.')
      yield call('look', { calls })
    },
  }, {}, [look]) // prettier-ignore
  model.around.window = 40_000
  await withTeam(model.team, async ({ begin, clock, events, status, said }) => {
    const root = await begin('The goal is a bridge.')
    await clock.advance(60_000)
    assert.deepEqual([await status(root), (await said(root)).at(-1)], ['ready', 'The end.'])
    assert.deepEqual(
      overfullRequests(model, (at) => counts[at] ?? 0),
      [],
    )
    assert.deepEqual(await events(root, 'prompt.compacted'), [])
    assert.doesNotMatch(model.requests.map(wholeText).join('\n'), /\[look: \d+ characters/)
    const courses = await events(root, 'course.started')
    assert.ok(courses.length > 3 && courses.slice(1).every(({ why }) => why === 'forced'), `${courses.length} courses`)
    for (const request of model.requests) assert.match(wholeText(request), /The goal is a bridge\./)
  })
})

test('outputs of one step that are larger than the window are shown shortened in a new course; again and again, the turn fails, and Continue tries once more [P14]', async () => {
  let isAgain = true
  const model = modelTeam({
    *ada() {
      if (!isAgain) return yield text('Read them all.')
      for (let file = 0; file < 32; file += 1) yield call('look', { file })
    },
  }, {}, [look]) // prettier-ignore
  model.around.window = 40_000
  model.around.memories = 'Be kind.'
  await withTeam(model.team, async ({ begin, clock, events, status, parley }) => {
    const root = await begin('Read them.')
    await clock.advance(60_000)
    const read = wholeText(model.requests[1] ?? {})
    assert.match(read, /Read them\.[^]*<outcome of="o32" tool="look"[^>]*>\nfirst\n[^]*lines left out; recall_output o32\]/)
    assert.doesNotMatch(read, /Be kind/, 'memories are left out first')
    const failures = async (): Promise<string[]> => (await events(root, 'turn.failed')).map(({ code }) => code)
    assert.deepEqual([await status(root), model.requests.length, await failures()], ['failed', 2, ['context_full']])
    isAgain = false
    await parley.dialogs.resume(root, you)
    await clock.advance(60_000)
    assert.deepEqual([await status(root), await failures()], ['ready', ['context_full']])
  })
})

for (const end of ['failure', 'crash', 'stop'] as const)
  test(`a request that changed nothing is written into the log by its ${end}, and not by an output; later messages wait [P1] [P3]`, async () => {
    const running = gate()
    let asked = 0
    const model = modelTeam({
      async *ada(_input, signal) {
        asked += 1
        if (asked !== 3) return yield text(`Reply ${asked}.`)
        const cut = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(new Error('cut'))))
        await Promise.race([running.passed, cut])
        throw new ParleyError('model_overloaded', {}, { retryable: true })
      },
    })
    await withTeam(model.team, async ({ begin, say, parley, events, restart, clock }) => {
      const root = await begin('one')
      await say(root, 'two')
      assert.equal((await events(root, 'generation.finished')).length, 2)
      assert.equal((await events(root, 'generation.started')).length, 1, 'only the first request began a course')
      await say(root, 'three')
      await say(root, 'meanwhile')
      assert.equal((await events(root, 'generation.started')).length, 1)
      if (end === 'failure') running.open()
      else if (end === 'crash') await restart()
      else {
        await parley.dialogs.stop(root, you)
        await clock.advance(500)
        await parley.dialogs.resume(root, you)
      }
      await clock.advance(60_000)
      const [, , cutRequest, next] = model.requests
      assert.ok(cutRequest && next)
      const [, started] = await events(root, 'generation.started')
      assert.ok(started?.seen !== undefined, 'the start was written with its end')
      assert.ok(!wholeText(cutRequest).includes('meanwhile'))
      for (const wire of ['chat', 'responses', 'anthropic'] as const) {
        if (end === 'stop') assert.ok(next.wires[wire].startsWith(cutRequest.wires[wire]))
        else assert.equal(next.wires[wire], cutRequest.wires[wire])
      }
      assert.match(wholeText(model.requests.at(-1) ?? next), /meanwhile/)
    })
  })
