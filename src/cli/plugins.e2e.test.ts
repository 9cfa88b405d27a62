import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { UpgradeDifference } from '../plugins/lifecycle/upgrade-difference.ts'
import { cliFolder } from './testing/spawned.ts'

type Row = {
  name: string
  state: string
  from: string
  version: string | null
}
type Looked = { ok: boolean; name: string; offers: string[]; fault?: string; configFault: string | null }

const code = (err: string): string => (JSON.parse(err) as { error: { code: string } }).error.code

describe('the life of a plugin of one’s own', () => {
  const cli = cliFolder({ processes: true })
  after(() => cli.close())
  const file = join(cli.dir, 'parley.yaml')
  const before = '# What I wrote about my team.\nserver:\n  port: 4711 # my favourite\n'

  test('begun, tested as it is, looked at', async () => {
    const result = await cli.run('plugins', 'new', 'plugins/word-count')
    assert.equal(result.code, 0, result.err)
    assert.match(result.out, /word-count is in \.\/plugins\/word-count/)
    execFileSync(process.execPath, ['--test'], { cwd: join(cli.dir, 'plugins/word-count'), env: { PATH: process.env['PATH'] } })
    assert.equal((await cli.run('plugins', 'new', 'plugins/word-count')).code, 2)
    assert.equal((await cli.run('plugins', 'new', 'plugins/Not A Name')).code, 2)
    const looked = await cli.run('plugins', 'check', './plugins/word-count')
    assert.equal(looked.code, 0, looked.err)
    assert.match(looked.out, /✓ word-count 0\.1\.0 works[\s\S]*hooks +prepareReply[\s\S]*from: 1/)
  })

  test('enabled where it is; parley.yaml keeps its comments', async () => {
    writeFileSync(file, before)
    const { code: exit, out, err } = await cli.run('plugins', 'install', './plugins/word-count', '--json')
    assert.equal(exit, 0, err)
    const enabled = JSON.parse(out) as Record<string, unknown>
    assert.deepEqual([enabled['name'], enabled['module']], ['word-count', './plugins/word-count'])
    const text = readFileSync(file, 'utf8')
    assert.ok(text.startsWith(before.trimEnd()), text)
    assert.match(text, /plugins:\n {2}word-count:\n {4}module: \.\/plugins\/word-count\n/)
    const other = await cli.run('plugins', 'new', 'elsewhere', '--name', 'word-count')
    assert.equal(other.code, 0, other.err)
    assert.equal(code((await cli.run('plugins', 'enable', './elsewhere', '--json')).err), 'plugin_there')
    const [row] = await cli.json<Row[]>('plugins', 'list')
    assert.deepEqual([row?.name, row?.state, row?.version], ['word-count', 'on', '0.1.0'])
  })

  test('upgraded: the settings that differ are shown, and parley.yaml is not touched', async () => {
    await cli.run('config', 'set', 'plugins.word-count.config', '{ from: 5, colour: red }')
    const plugin = join(cli.dir, 'plugins/word-count/plugin.js')
    writeFileSync(
      plugin,
      readFileSync(plugin, 'utf8').replace("version: '0.1.0'", "version: '0.2.0'").replace('{ from: 1 }', "{ from: 2, style: 'dim' }"),
    )
    const text = readFileSync(file, 'utf8')
    const dry = await cli.json<UpgradeDifference>('plugins', 'diff', 'word-count', '--dry-run')
    assert.deepEqual([dry.before, dry.after], ['0.1.0', '0.2.0'])
    const output = await cli.run('plugins', 'update', 'word-count')
    assert.equal(output.code, 0, output.err)
    assert.match(output.out, /word-count: 0\.1\.0 → 0\.2\.0/)
    assert.match(output.out, /~ +from +5 \(its default: 2\)/)
    assert.match(output.out, /\? +colour +"red"/)
    assert.match(output.out, /\+ +style +"dim"/)
    assert.match(output.err, /parley\.yaml was not changed/)
    assert.equal(readFileSync(file, 'utf8'), text)
    const difference = await cli.json<UpgradeDifference>('plugins', 'diff', 'word-count')
    assert.deepEqual([difference.before, difference.after], ['0.2.0', '0.2.0'])
  })

  test('listed as skipped, with the reason, when it cannot be used', async () => {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, `${text.trimEnd()}\n  nowhere:\n    module: ./plugins/nowhere\n  odd:\n    enabled: perhaps\n`)
    const rows = await cli.json<(Row & { problem: string | null })[]>('plugins', 'list')
    assert.deepEqual(
      rows.slice(0, 3).map(({ name, state }) => [name, state]),
      [
        ['word-count', 'on'],
        ['nowhere', 'left-out'],
        ['odd', 'left-out'],
      ],
    )
    assert.match((await cli.run('plugins', 'list')).out, /✗ nowhere is skipped: .*nowhere.*\n✗ odd is skipped: enabled: /)
    writeFileSync(file, text)
  })

  test('disabled with its settings kept, enabled again, and removed', async () => {
    assert.equal((await cli.run('plugins', 'remove', 'word-count', '--keep-config')).code, 0)
    assert.match(readFileSync(file, 'utf8'), /enabled: false/)
    const [off] = await cli.json<Row[]>('plugins', 'list')
    assert.deepEqual([off?.state, off?.version], ['off', '0.2.0'])
    assert.equal((await cli.run('plugins', 'enable', 'word-count')).code, 0)
    assert.equal((await cli.json<Row[]>('plugins', 'list'))[0]?.state, 'on')
    assert.match(readFileSync(file, 'utf8'), /colour: red/)
    assert.equal((await cli.run('plugins', 'disable', 'word-count', '--all')).code, 0)
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /word-count/)
    assert.match(text, /# What I wrote[\s\S]*4711 # my favourite/)
    assert.ok(existsSync(join(cli.dir, 'plugins/word-count/plugin.js')), 'the folder of the owner stays')
    assert.equal(code((await cli.run('plugins', 'disable', 'word-count', '--json')).err), 'plugin_not_found')
  })
})

describe('a package', () => {
  const cli = cliFolder({ processes: true })
  after(() => cli.close())

  test('is installed by npm: the command names it, then enables what is there', async () => {
    const missing = await cli.run('plugins', 'install', 'parley-plugin-hello@1.0.0', '--json')
    assert.equal(code(missing.err), 'plugin_not_fetched')
    assert.match(missing.err, /npm install parley-plugin-hello@1\.0\.0/)
    const folder = join(cli.dir, 'node_modules/parley-plugin-hello')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'parley-plugin-hello', type: 'module', exports: './main.js' }))
    writeFileSync(
      join(folder, 'main.js'),
      "export default { name: 'hello', version: '1.0.0', api: 1, about: 'Greets.', setUp: () => ({}) }",
    )
    const enabled = await cli.run('plugins', 'install', 'parley-plugin-hello@1.0.0', '--json')
    assert.equal(enabled.code, 0, enabled.err)
    assert.match(readFileSync(join(cli.dir, 'parley.yaml'), 'utf8'), /hello:\n +module: parley-plugin-hello/)
    assert.equal((await cli.json<Looked>('plugins', 'check', 'hello')).ok, true)
    assert.equal((await cli.run('plugins', 'disable', 'hello', '--all')).code, 0)
    assert.ok(existsSync(folder), 'npm removes packages')
  })

  test('that does not exist, or is no plugin, changes nothing', async () => {
    const missing = await cli.run('plugins', 'install', './gone.tgz', '--json')
    assert.equal(code(missing.err), 'plugin_not_fetched')
    writeFileSync(join(cli.dir, 'newer.js'), 'export default { name: "newer", version: "1", api: 9, about: "" }')
    const newer = await cli.run('plugins', 'install', './newer.js', '--json')
    assert.equal(code(newer.err), 'plugin_unusable')
    assert.match(newer.err, /plugin API 9, and this Parley has 1/)
    assert.doesNotMatch(readFileSync(join(cli.dir, 'parley.yaml'), 'utf8'), /newer|gone/)
  })
})

describe('looking at a plugin', () => {
  const cli = cliFolder({ processes: true })
  after(() => cli.close())

  const cases: Record<string, [code: string, fault: RegExp]> = {
    ends: ['process.exit(3)', /it ended the process \(3\)/],
    syntax: ['export default {', /it cannot be loaded/],
    talks: ['console.log("{}"); export default { api: 1 }', /has no usable name/],
    strays: [
      'export default { name: "x", version: "1", api: 1, about: "", setUp: () => new Promise(() => setTimeout(() => { throw new Error("late") }, 20)) }',
      /it ended the process \(1\): Error: late/,
    ],
  }
  for (const [name, [source, fault]] of Object.entries(cases))
    test(`one that ${name} is told in words, with 1`, async () => {
      writeFileSync(join(cli.dir, `${name}.js`), source)
      const { code: exit, out } = await cli.run('plugins', 'check', `./${name}.js`, '--json')
      assert.equal(exit, 1)
      const looked = JSON.parse(out) as Looked
      assert.equal(looked.ok, false)
      assert.match(looked.fault ?? '', fault)
    })

  test('of all in parley.yaml; in Chinese for who reads Chinese', async () => {
    writeFileSync(join(cli.dir, 'parley.yaml'), 'plugins:\n  reply-end-controls:\n    config: { groups: everybody }\n')
    const { code: exit, out } = await cli.with({ env: { LANG: 'zh_CN.UTF-8' } }, 'plugins', 'check')
    assert.equal(exit, 1)
    assert.match(
      out,
      /reply-end-controls 1\.0\.0：its config does not fit: groups: .*请在 parley\.yaml 的 plugins\.reply-end-controls\.config 中设置/,
    )
    const [looked] = await cli.json<Looked[]>('plugins', 'check').catch(() => [])
    assert.equal(looked, undefined)
    assert.equal((await cli.run('plugins', 'check', 'nobody', '--json')).code, 1)
  })
})

test('doctor says how its plugins fare in a running server, and takes them up as parley.yaml changes', async () => {
  const cli = cliFolder({ processes: true })
  try {
    writeFileSync(join(cli.dir, 'parley.yaml'), 'plugins:\n  lost: { module: ./lost.js }\n')
    await cli.serve()
    const { out } = await cli.run('doctor')
    assert.match(out, /plugins\.lost: there is no module at \.\/lost\.js[\s\S]*parley plugins check/)
    await cli.run('plugins', 'remove', 'lost', '--all')
    let printed = out
    for (let tries = 0; tries < 30 && printed.includes('plugins.lost'); tries += 1) printed = (await cli.run('doctor')).out
    assert.doesNotMatch(printed, /plugins\.lost/)
  } finally {
    await cli.close()
  }
})
