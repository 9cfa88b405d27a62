import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { configSchema } from '../../app/config/schema.ts'
import { memoryBacking } from '../../store/memory/memory-backing.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { loadPlugins, type Plugins, type PluginsConfig, type PluginsParts } from './load-plugins.ts'
import { pluginLimits } from './plugin-limits.ts'

type Written = { enabled?: boolean; module?: string; config?: Record<string, unknown> }

const config = (plugins: Record<string, Written>): PluginsConfig => configSchema.parse({ plugins })

function project(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-plugins-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const clock = simulatedClock()
  const backing = memoryBacking()
  const logged: string[] = []
  let age = 1_000
  return {
    folder,
    clock,
    logged,
    write(file: string, text: string): void {
      mkdirSync(join(folder, file, '..'), { recursive: true })
      writeFileSync(join(folder, file), text)
      // Two changes within one tick of the file system's clock are still two.
      age += 10
      utimesSync(join(folder, file), age, age)
    },
    async load(plugins: Record<string, Written>, secret = 's'.repeat(32), chats: Partial<PluginsParts['chats']> = {}): Promise<Plugins> {
      const store = memoryStore({ clock, backing })
      const loaded = await loadPlugins({
        config: config(plugins),
        configFile: join(folder, 'parley.yaml'),
        dataDir: join(folder, '.parley'),
        store,
        committer: groupCommitter(store),
        clock,
        log: (_level, message) => void logged.push(message),
        secret,
        chats: { ...noChats, ...chats },
      })
      t.after(() => loaded.close())
      return loaded
    },
  }
}

const noChats: PluginsParts['chats'] = {
  stripControls: async () => {},
  ofPlugins: { send: async () => ({ delivery: 'dlv_1' }), edit: async () => {}, say: async () => {} },
}

/** A plugin that notes on every turn what `words` is, an expression over `host` and `config`. */
const noting = (words: string, more = ''): string =>
  `export default { name: 'notes', version: '1.2.3', api: 1, about: 'Notes.', ${more}
    setUp: (host, config) => ({ turnNotes: async () => ({ lines: [String(${words})], followUps: 'allowed' }) }) }`

const toLines = async ({ hooks }: Plugins): Promise<readonly string[]> =>
  (await hooks.turnNotes({ dialog: 'd', turn: 1, agent: 'ada' })).lines.map(({ text }) => text)

test('a file, a folder, an installed package and one that comes with Parley are found; order is that of the file', async (t) => {
  const { write, load } = project(t)
  write('own.js', noting("'file'"))
  write('folder/package.json', '{ "type": "module", "exports": { ".": { "import": "./lib/main.js" } } }')
  write('folder/lib/main.js', noting("'folder'"))
  write('node_modules/@me/beside/package.json', '{ "main": "main.js", "type": "module" }')
  write('node_modules/@me/beside/main.js', noting("'beside'"))
  write('.parley/plugins/d/node_modules/installed/package.json', '{ "exports": "./main.js", "type": "module" }')
  write('.parley/plugins/d/node_modules/installed/main.js', noting("'installed'"))
  const plugins = await load({
    d: { module: 'installed' },
    a: { module: './own.js' },
    'reply-end-controls': {},
    c: { module: '@me/beside' },
    b: { module: './folder' },
    off: { module: './missing.js', enabled: false },
  })
  assert.deepEqual(plugins.problems(), [])
  assert.deepEqual(await toLines(plugins), ['installed', 'file', 'beside', 'folder'])
  assert.deepEqual(
    plugins.list().map(({ name, from, state, version }) => [name, from, state, version]),
    [
      ['d', 'installed', 'on', '1.2.3'],
      ['a', './own.js', 'on', '1.2.3'],
      ['reply-end-controls', 'Parley', 'on', '1.0.0'],
      ['c', '@me/beside', 'on', '1.2.3'],
      ['b', './folder', 'on', '1.2.3'],
      ['off', './missing.js', 'off', null],
    ],
  )
})

test('whatever is wrong with one is said in words with what to do, and the others go on', async (t) => {
  const { write, load } = project(t)
  write('good.js', noting("'good'"))
  write('syntax.js', 'export default {')
  write('throws.js', 'throw new Error("at import")')
  write('nothing.js', 'export const x = 1')
  write('newer.js', noting("''").replace('api: 1', 'api: 2'))
  write('nameless.js', 'export default { api: 1, version: "1", about: "" }')
  write('config.js', noting("''", 'checkConfig: ({ city }) => (city ? { config: { city } } : { fault: "say which city" }),'))
  write('odd.js', 'export default { get api() { throw new Error("do not look") } }')
  write('symbol.js', noting("''", 'checkConfig: () => ({ fault: Symbol() }),'))
  write('set-up.js', 'export default { name: "x", version: "1", api: 1, about: "", setUp() { throw new Error("no luck") } }')
  write('typo.js', 'export default { name: "x", version: "1", api: 1, about: "", setUp: () => ({ prepareReplay() {} }) }')
  write('tool.js', 'export default { name: "x", version: "1", api: 1, about: "", setUp: () => ({ tools: [{ name: "look" }] }) }')
  const cases: Record<string, [module: string | undefined, problem: RegExp]> = {
    syntax: ['./syntax.js', /its module failed/],
    throws: ['./throws.js', /at import/],
    nothing: ['./nothing.js', /default export is not a plugin\. Write: export default/],
    newer: ['./newer.js', /plugin API 2, and this Parley has 1\. Update Parley/],
    nameless: ['./nameless.js', /has no usable name/],
    odd: ['./odd.js', /its module failed \(do not look\)/],
    symbol: ['./symbol.js', /its checkConfig failed/],
    config: ['./config.js', /say which city/],
    setup: ['./set-up.js', /no luck/],
    typo: ['./typo.js', /"prepareReplay", which is no part of the plugin API\. Did you mean "prepareReply"\?/],
    tool: ['./tool.js', /tool look needs name, description/],
    gone: ['./gone.js', /no module at \.\/gone\.js/],
    package: ['not-there', /npm install not-there/],
    'reply-end-control': [undefined, /Did you mean "reply-end-controls"/],
  }
  const entries = Object.entries(cases).map(([name, [module]]): [string, Written] => [name, module === undefined ? {} : { module }])
  const plugins = await load(Object.fromEntries([...entries, ['good', { module: './good.js' }]]))
  assert.deepEqual(await toLines(plugins), ['good'])
  const problems = plugins.problems()
  assert.equal(problems.length, Object.keys(cases).length)
  for (const [name, [, expected]] of Object.entries(cases)) {
    const problemText = problems.find((problem) => problem.includes(`plugins.${name}:`)) ?? ''
    assert.match(problemText, expected)
    assert.match(problemText, /skipped\.$/)
    assert.equal(plugins.list().find((one) => one.name === name)?.state, 'failed')
  }
})

test('one that never comes up is given up, and the next one is loaded', async (t) => {
  const { write, load, clock, logged } = project(t)
  write('good.js', noting("'good'"))
  write(
    'hangs.js',
    `export default { name: 'x', version: '1', api: 1, about: '',
      setUp: (host) => new Promise(() => host.log('info', 'coming')) }`,
  )
  const loading = load({ hangs: { module: './hangs.js' }, good: { module: './good.js' } })
  while (!logged.some((line) => line.endsWith('coming'))) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(pluginLimits.setUpMs)
  const plugins = await loading
  assert.deepEqual(await toLines(plugins), ['good'])
  assert.match(plugins.problems()[0] ?? '', /plugins\.hangs: its setUp failed \(it took longer than 10000 ms\)/)
})

test('config is the defaults with what is written on top; documents and secrets outlive the process', async (t) => {
  const { write, load } = project(t)
  write(
    'count.js',
    `export default { name: 'count', version: '1', api: 1, about: '', defaults: { from: 10, by: 1 },
      setUp: (host, { from, by }) => ({ async turnNotes() {
        const { value, rev } = (await host.storage.get('n')) ?? { value: from, rev: 0 }
        await host.storage.put('n', value + by, rev)
        return { lines: [String(value), host.secret('x'), host.secret('y')], followUps: 'allowed' }
      } }) }`,
  )
  const entry = { count: { module: './count.js', config: { by: 5 } }, again: { module: './count.js' } }
  const first = await load(entry)
  const [a, secret, other, b, foreign] = await toLines(first)
  assert.deepEqual([a, b], ['10', '10'])
  assert.equal(new Set([secret, other, foreign]).size, 3)
  await first.close()
  const second = await load(entry)
  const [c, sameSecret, , d] = await toLines(second)
  assert.deepEqual([c, d, sameSecret], ['15', '11', secret])
  const elsewhere = await load(entry, 'z'.repeat(32))
  assert.notEqual((await toLines(elsewhere))[1], secret)
})

test('a changed configuration or file exchanges that plugin alone; one that was set aside gets another chance', async (t) => {
  const { write, load, logged } = project(t)
  const counting = (name: string): string =>
    `export default { name: '${name}', version: '1', api: 1, about: '', setUp: (host, config) => { let n = 0; return {
      turnNotes: () => { if (config.broken) throw new Error('broken'); n += 1; return { lines: ['${name}' + n], followUps: 'allowed' } },
      close: () => host.log('info', 'closed') } } }`
  write('a.js', counting('a'))
  write('b.js', counting('b'))
  const both = { a: { module: './a.js' }, b: { module: './b.js' } }
  const plugins = await load(both)
  const { hooks } = plugins
  assert.deepEqual(await toLines(plugins), ['a1', 'b1'])
  await plugins.replace(config({ ...both, b: { module: './b.js', config: { broken: true } } }))
  for (let time = 0; time < pluginLimits.failuresInARow; time += 1) await toLines(plugins)
  assert.equal(plugins.list()[1]?.state, 'set-aside')
  assert.match(plugins.problems()[0] ?? '', /plugins\.b: it failed 5 times in a row/)
  await plugins.replace(config(both))
  assert.deepEqual(await toLines(plugins), ['a7', 'b1'])
  assert.deepEqual(plugins.problems(), [])
  write('a.js', counting('new a'))
  await plugins.replace(config({ b: { module: './b.js' }, a: { module: './a.js' } }))
  assert.deepEqual(await toLines(plugins), ['b2', 'new a1'])
  await plugins.replace(config({}))
  assert.deepEqual(await toLines(plugins), [])
  assert.equal(plugins.hooks, hooks)
  assert.equal(logged.filter((line) => line.endsWith('closed')).length, 5)
})

test('a store that is slow is not held against the plugins that wait for it', async (t) => {
  const { write, load, clock } = project(t)
  write(
    'asks.js',
    `export default { name: 'x', version: '1', api: 1, about: '',
      setUp: (host) => ({ turnNotes: async () => (await host.stripControls({ channel: 'a', address: 'b', messageId: 'c' }), null) }) }`,
  )
  const plugins = await load({ asks: { module: './asks.js' } }, undefined, { stripControls: () => new Promise(() => {}) })
  for (let turn = 0; turn <= pluginLimits.failuresInARow; turn += 1) {
    const asking = toLines(plugins)
    await clock.advance(pluginLimits.hookMs)
    assert.deepEqual(await asking, [])
  }
  assert.equal(plugins.list()[0]?.state, 'on')
  assert.match(plugins.problems()[0] ?? '', /its turnNotes failed/)
})

test('tools, agents and channels of all plugins are there; of two with one name the first counts', async (t) => {
  const { write, load } = project(t)
  const offering = (words: string): string => `export default { name: 'x', version: '1', api: 1, about: '', setUp: () => ({
      tools: [{ name: 'look', description: '${words}', inputSchema: {}, afterCrash: 'repeat', check: (input) => ({ input }), run: async () => '${words}' }],
      agents: [{ name: '${words}', about: 'Speaks.', runtime: { async *generate() { yield { type: 'text', text: '${words}' } } } }],
      channels: [{ kind: 'pigeon', title: '${words}', renderer: { render() {} }, config: { safeParse() {} }, secrets: [], address: {}, open() {} }] }) }`
  write('one.js', offering('one'))
  write('two.js', offering('two'))
  const plugins = await load({ one: { module: './one.js' }, two: { module: './two.js' } })
  assert.deepEqual(
    plugins.tools.map(({ description }) => description),
    ['one'],
  )
  assert.deepEqual(
    plugins.agents.map(({ name }) => name),
    ['one', 'two'],
  )
  assert.deepEqual(Object.keys(plugins.channels), ['pigeon'])
  const texts: unknown[] = []
  for await (const output of plugins.agents[1]?.runtime.generate({} as never, new AbortController().signal) ?? []) texts.push(output)
  assert.deepEqual(texts, [{ type: 'text', text: 'two' }])
  assert.equal(plugins.problems().length, 2)
  assert.match(plugins.problems()[0] ?? '', /plugins\.two: another plugin already has a tool "look"/)
  assert.deepEqual(plugins.list()[1]?.offers, ['tool look', 'agent two', 'channel pigeon'])
})

test('a plugin is swept at the start and then every so often', async (t) => {
  const { write, load, logged, clock } = project(t)
  write(
    'sweep.js',
    `export default { name: 'x', version: '1', api: 1, about: '',
      setUp: (host) => ({ sweep: () => host.log('info', 'swept'), sweepEveryMs: 60_000 }) }`,
  )
  const plugins = await load({ sweep: { module: './sweep.js' } })
  const swept = (): number => logged.filter((line) => line.endsWith('swept')).length
  await clock.advance(0)
  assert.equal(swept(), 1)
  await clock.advance(180_000)
  assert.equal(swept(), 4)
  await plugins.close()
  await clock.advance(600_000)
  assert.equal(swept(), 4)
})
