import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../src/app/config/load.ts'
import type { GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import { readChat, modelTeam, wholeText } from './model-scene.ts'
import { ask, call, last, readBy, teamWith, text, used, withTeam, you } from './team-scene.ts'

const isFresh = (input: GenerationInput): boolean => input.context[0]?.kind === 'prompt' && input.context[0].text.includes('FBR')

test('N fresh minds think side by side, the caller waits for all and gets one result [fbr:parallel] [fbr:wait-all] [fbr:marker]', async () => {
  let together = 0
  let most = 0
  const team = teamWith(
    {
      async *ada(input) {
        const now = last(input)
        if (now?.kind === 'human') return yield call('freshBootsReasoning', { tellaskContent: 'is it safe?' })
        if (now?.kind === 'call') return yield text(String(now.result?.output))
        together += 1
        most = Math.max(most, together)
        for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
        together -= 1
        yield text(`thought ${input.dialog}`)
      },
    },
    { ada: { reasoningEffort: 4 } },
  )
  await withTeam(team, async ({ begin, rest, said, children }) => {
    const root = await begin('go')
    await rest()
    assert.equal((await children(root)).length, 4)
    assert.equal(most, 4)
    assert.equal((await said(root)).at(-1)?.match(/#\d\n【FBR-直接回复】\nthought/g)?.length, 4)
  })
})

test('a fresh mind has nothing but the text: no history, tools, task document, reminders or notes [fbr:isolation] [fbr:zero-tools]', async () => {
  const inputs: GenerationInput[] = []
  const tool: Tool = {
    name: 'look',
    description: '',
    inputSchema: {},
    afterCrash: 'repeat',
    gate: { kind: 'code', declared: 'allow-guests' },
    check: (input) => ({ input }),
    run: async () => 'x',
  }
  const team = teamWith(
    {
      *ada(input) {
        if (isFresh(input)) {
          inputs.push(input)
          return yield text('so')
        }
        const now = last(input)
        if (now?.kind === 'human') {
          yield call('add_reminder', { content: 'a secret note' })
          return yield call('freshBootsReasoning', { tellaskContent: 'the body' })
        }
        yield text('done')
      },
    },
    { ada: { reasoningEffort: 1 } },
    [tool],
  )
  await withTeam(team, async ({ parley, rest }) => {
    await parley.streams.handle('dlg_t', [
      { type: 'open-dialog', at: 1, agent: 'ada', by: you.by, language: 'en', taskdoc: 'secret.tsk' },
      { type: 'say', at: 1, message: 'm', text: 'secret words', by: you.by },
    ])
    await rest()
    const [input] = inputs
    assert.ok(input)
    assert.deepEqual([input.tools, input.reminders, input.taskdoc, input.context.length], [[], [], null, 1])
    assert.match(readBy(input), /the body/)
    assert.doesNotMatch(readBy(input), /secret/)
    assert.doesNotMatch(readBy(input), /\btool/, 'the notice is the system prompt alone')
  })
})

test('one that calls or asks something has broken the rule: the reply says so, it is logged, nothing is done [fbr:breach]', async () => {
  let minds = 0
  const team = teamWith(
    {
      *ada(input) {
        const now = last(input)
        if (!isFresh(input))
          return yield now?.kind === 'human'
            ? call('freshBootsReasoning', { tellaskContent: 'x' })
            : text(String(now?.kind === 'call' && now.result?.output))
        minds += 1
        yield text('half a thought')
        yield minds === 1
          ? call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'help' })
          : minds === 2
            ? call('rm', {})
            : ask('really?')
      },
      *bob() {
        yield text('never')
      },
    },
    { ada: { reasoningEffort: 3 } },
  )
  await withTeam(team, async ({ parley, begin, said, logged }) => {
    const root = await begin('go')
    const words = (await said(root)).at(-1) ?? ''
    assert.equal(words.match(/【FBR-仅推理】\nThis mind broke a rule: it tried to call (tellaskSessionless|rm|a question)/g)?.length, 3)
    assert.equal((await parley.dialogs.tree(root)).length, 4)
    assert.equal((await parley.inbox()).count, 0)
    assert.equal(logged.filter((line) => line.startsWith('warn a fresh mind called something')).length, 3)
  })
})

test('an effort of 0 switches it off, loudly; the default is 3 [fbr:off] [fbr:default]', async () => {
  const minds = (effort?: number) =>
    teamWith(
      {
        *ada(input) {
          const now = last(input)
          if (isFresh(input)) return yield text('so')
          if (now?.kind === 'human') return yield call('freshBootsReasoning', { tellaskContent: 'x' })
          yield text(
            `${now?.kind === 'call' && now.result?.ok} ${String(now?.kind === 'call' && now.result?.output)} ${input.tools.some(({ name }) => name === 'freshBootsReasoning')}`,
          )
        },
      },
      effort === undefined ? {} : { ada: { reasoningEffort: effort } },
    )
  await withTeam(minds(0), async ({ begin, said, children, status }) => {
    const root = await begin('go')
    assert.match((await said(root)).at(-1) ?? '', /^false Fresh-boots reasoning is switched off.*fbr-effort is 0.* false$/)
    assert.deepEqual([(await children(root)).length, await status(root)], [0, 'ready'])
  })
  await withTeam(minds(), async ({ begin, children }) => assert.equal((await children(await begin('go'))).length, 3))
})

test('an effort is a whole number from 0 to 100; anything else is a problem and never clamped [fbr:effort]', () => {
  const getEffort = (value: string) => {
    const { config, problems } = readConfig(`team:\n  members:\n    ada: { runtime: scripted, fbr-effort: ${value} }\n`, 'parley.yaml', {})
    return { effort: config.team.members['ada']?.['fbr-effort'], problems: problems.length }
  }
  for (const good of ['0', '1', '100']) assert.deepEqual(getEffort(good), { effort: Number(good), problems: 0 })
  for (const bad of ['101', '-1', '2.5', 'many']) {
    const { effort, problems } = getEffort(bad)
    assert.deepEqual([effort, problems], [undefined, 1], bad)
  }
})

test('what leaked into a fresh mind stops it before it thinks [fbr:checked]', async () => {
  let generations = 0
  const team = teamWith({ *ada() { generations += 1; yield text('so') } }) // prettier-ignore
  await withTeam(team, async ({ parley, rest }) => {
    await parley.streams.handle('dlg_r', [
      {
        type: 'open-dialog',
        at: 1,
        agent: 'ada',
        by: you.by,
        language: 'en',
        taskdoc: 'leak.tsk',
        origin: { root: 'dlg_x', parent: 'dlg_x', mode: 'reasoning', session: null },
      },
      { type: 'say', at: 1, message: 'm', text: 'x', by: you.by },
    ])
    await rest()
    const { status, failure } = await parley.dialogs.get('dlg_r')
    assert.deepEqual([status, generations], ['failed', 0])
    assert.match(failure?.message ?? '', /task document/)
  })
})

test('a fresh mind in a side dialog belongs to it, and a full one is not told of tools it does not have [fbr:in-side] [fbr:no-health-prompts]', async () => {
  const minds: string[] = []
  const model = modelTeam(
    {
      *ada(input) {
        if (readChat(input).length === 1) yield call('tellaskSessionless', { targetAgentId: 'bob', tellaskContent: 'x' })
        else yield text('done')
      },
      *bob(input) {
        if (input.prompt?.tools.length === 0) {
          minds.push(wholeText(input))
          yield used(155_000)
          if (minds.length === 1) return yield { type: 'again' }
          return yield text('so')
        }
        if (readChat(input).length === 1) yield call('freshBootsReasoning', { tellaskContent: 'x' })
        else yield call('reply', { text: 'done', status: 'done' })
      },
    },
    { bob: { reasoningEffort: 1 } },
  )
  await withTeam(model.team, async ({ parley, begin, children }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    const tree = await parley.dialogs.tree(root)
    assert.deepEqual([tree.at(-1)?.origin?.root, tree.at(-1)?.origin?.parent], [root, bob])
    assert.equal(minds.length, 2)
    for (const read of minds) assert.ok(!/clear_mind|almost full|reminders/.test(read), read)
  })
})
