import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Updated } from '../plugins/life/update.ts'
import { cliFolder } from './testing/spawned.ts'

type Row = {
  name: string
  state: string
  from: string
  record: { version: string; integrity: string; configHash: string; at: string } | null
}
type Looked = { ok: boolean; name: string; offers: string[]; fault?: string; configFault: string | null }

const code = (err: string): string => (JSON.parse(err) as { error: { code: string } }).error.code

describe('the life of a plugin of one’s own', () => {
  const cli = cliFolder()
  after(() => cli.close())
  const file = join(cli.dir, 'parley.yaml')
  const before = '# What I wrote about my team.\nserver:\n  port: 4711 # my favourite\n'

  test('begun, tested as it is, looked at', async () => {
    const made = await cli.run('plugins', 'new', 'plugins/word-count')
    assert.equal(made.code, 0, made.err)
    assert.match(made.out, /word-count is in \.\/plugins\/word-count/)
    execFileSync(process.execPath, ['--test'], { cwd: join(cli.dir, 'plugins/word-count'), env: { PATH: process.env['PATH'] } })
    assert.equal((await cli.run('plugins', 'new', 'plugins/word-count')).code, 2)
    assert.equal((await cli.run('plugins', 'new', 'plugins/Not A Name')).code, 2)
    const looked = await cli.run('plugins', 'check', './plugins/word-count')
    assert.equal(looked.code, 0, looked.err)
    assert.match(looked.out, /✓ word-count 0\.1\.0 works[\s\S]*takes part in +prepareReply[\s\S]*from: 1/)
  })

  test('installed where it is; parley.yaml keeps its comments', async () => {
    writeFileSync(file, before)
    const { code: exit, out, err } = await cli.run('plugins', 'install', './plugins/word-count', '--json')
    assert.equal(exit, 0, err)
    const record = JSON.parse(out) as Record<string, unknown>
    assert.equal(record['from'], './plugins/word-count')
    assert.match(String(record['integrity']), /^sha256-/)
    assert.match(String(record['configHash']), /^sha256-/)
    const text = readFileSync(file, 'utf8')
    assert.ok(text.startsWith(before.trimEnd()), text)
    assert.match(text, /plugins:\n {2}word-count:\n {4}module: \.\/plugins\/word-count\n/)
    const again = await cli.run('plugins', 'install', './plugins/word-count', '--json')
    assert.equal(code(again.err), 'plugin_there')
    const [row] = await cli.json<Row[]>('plugins', 'list')
    assert.deepEqual([row?.name, row?.state, row?.record?.version], ['word-count', 'on', '0.1.0'])
  })

  test('updated: the settings that differ are shown, and parley.yaml is not touched', async () => {
    await cli.run('config', 'set', 'plugins.word-count.config', '{ from: 5, colour: red }')
    const plugin = join(cli.dir, 'plugins/word-count/plugin.js')
    writeFileSync(
      plugin,
      readFileSync(plugin, 'utf8').replace("version: '0.1.0'", "version: '0.2.0'").replace('{ from: 1 }', "{ from: 2, style: 'dim' }"),
    )
    const text = readFileSync(file, 'utf8')
    const dry = await cli.json<Updated>('plugins', 'update', 'word-count', '--dry-run')
    assert.deepEqual([dry.before.version, dry.after.version, dry.isDone], ['0.1.0', '0.2.0', false])
    assert.equal((await cli.json<Row[]>('plugins', 'list'))[0]?.record?.version, '0.1.0')
    const updated = await cli.run('plugins', 'update', 'word-count')
    assert.equal(updated.code, 0, updated.err)
    assert.match(updated.out, /word-count: 0\.1\.0 → 0\.2\.0/)
    assert.match(updated.out, /~ +from +5 \(its default: 2\)/)
    assert.match(updated.out, /\? +colour +"red"/)
    assert.match(updated.out, /· +style +"dim"/)
    assert.match(updated.err, /parley\.yaml was not changed/)
    assert.equal(readFileSync(file, 'utf8'), text)
    const same = await cli.json<Updated>('plugins', 'update', 'word-count')
    assert.deepEqual([same.isSame, same.isConfigChanged], [true, false])
  })

  test('listed as left out, with the reason, when it cannot be used', async () => {
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
    assert.match((await cli.run('plugins', 'list')).out, /✗ nowhere is left out: .*nowhere.*\n✗ odd is left out: enabled: /)
    writeFileSync(file, text)
  })

  test('removed: asked which way; without anybody to ask, the flags are named', async () => {
    const asked = await cli.run('plugins', 'remove', 'word-count', '--json')
    assert.equal(asked.code, 2)
    assert.match(asked.err, /--disable, --keep-config, --all/)
    assert.equal((await cli.run('plugins', 'remove', 'word-count', '--all', '--disable')).code, 2)
    assert.equal((await cli.run('plugins', 'remove', 'word-count', '--disable')).code, 0)
    assert.match(readFileSync(file, 'utf8'), /enabled: false/)
    const [off] = await cli.json<Row[]>('plugins', 'list')
    assert.deepEqual([off?.state, off?.record?.version], ['off', '0.2.0'])
    assert.equal((await cli.run('plugins', 'remove', 'word-count', '--keep-config')).code, 0)
    const [kept] = await cli.json<Row[]>('plugins', 'list')
    assert.deepEqual([kept?.state, kept?.record], ['off', null])
    assert.match(readFileSync(file, 'utf8'), /colour: red/)
    assert.equal((await cli.run('plugins', 'remove', 'word-count', '--all')).code, 0)
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /word-count/)
    assert.match(text, /# What I wrote[\s\S]*4711 # my favourite/)
    assert.ok(existsSync(join(cli.dir, 'plugins/word-count/plugin.js')), 'its own folder was never ours')
    const gone = await cli.run('plugins', 'remove', 'word-count', '--all', '--json')
    assert.equal(code(gone.err), 'plugin_not_found')
  })

  test('at a terminal, removing is a menu', async () => {
    await cli.run('plugins', 'install', 'reply-end-controls')
    const asking = cli.atTerminal('plugins', 'remove', 'reply-end-controls')
    await asking.until('What should happen to reply-end-controls?')
    await asking.until('Remove it and its settings')
    asking.type('\r')
    await asking.until('is switched off')
    assert.equal((await asking.ended).code, 0)
    assert.match(readFileSync(file, 'utf8'), /enabled: false/)
  })
})

describe('a package', () => {
  const cli = cliFolder()
  after(() => cli.close())

  /** A tarball as npm makes it, with an install script that must never run. */
  function pack(version: string, defaults: string): string {
    const folder = join(cli.dir, `source-${version}`)
    mkdirSync(folder)
    const scripts = { postinstall: `node -e "require('fs').writeFileSync('${join(cli.dir, 'ran')}','')"` }
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'parley-plugin-hello', version, type: 'module', exports: './main.js', scripts }),
    )
    writeFileSync(
      join(folder, 'main.js'),
      `export default { name: 'hello', version: '${version}', api: 1, about: 'Greets.', defaults: ${defaults},
        setUp: () => ({ turnNotes: () => ({ lines: ['hello ${version}'], followUps: 'allowed' }) }) }`,
    )
    execFileSync('npm', ['pack', '--silent', '--pack-destination', cli.dir, folder], { cwd: cli.dir })
    return `./parley-plugin-hello-${version}.tgz`
  }

  test('is fetched without running its scripts, updated whole or not at all, and taken away', async () => {
    const [one, two] = [pack('1.0.0', '{ a: 1 }'), pack('2.0.0', '{ a: 1, b: 2 }')]
    const installed = await cli.run('plugins', 'install', one, '--json')
    assert.equal(installed.code, 0, installed.err)
    const record = JSON.parse(installed.out) as { name: string; entry: { module: string }; integrity: string }
    assert.deepEqual([record.name, record.entry.module], ['hello', 'parley-plugin-hello'])
    assert.match(record.integrity, /^sha512-/)
    assert.equal(existsSync(join(cli.dir, 'ran')), false)
    const source = join(cli.dir, '.parley/plugins/hello/node_modules/parley-plugin-hello/main.js')
    assert.match(readFileSync(source, 'utf8'), /hello 1\.0\.0/)
    assert.equal((await cli.json<Looked>('plugins', 'check', 'hello')).ok, true)

    const dry = await cli.json<Updated>('plugins', 'update', 'hello', two, '--dry-run')
    assert.deepEqual(
      dry.difference.filter((each) => each.kind === 'default' && each.isNew).map(({ setting }) => setting),
      ['b'],
    )
    assert.match(readFileSync(source, 'utf8'), /hello 1\.0\.0/)
    assert.equal((await cli.json<Updated>('plugins', 'update', 'hello', two)).isDone, true)
    assert.match(readFileSync(source, 'utf8'), /hello 2\.0\.0/)

    assert.equal((await cli.run('plugins', 'remove', 'hello', '--all')).code, 0)
    assert.equal(existsSync(join(cli.dir, '.parley/plugins/hello')), false)
  })

  test('that does not exist, or is no plugin, leaves nothing behind', async () => {
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
  const cli = cliFolder()
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
  const cli = cliFolder()
  try {
    writeFileSync(join(cli.dir, 'parley.yaml'), 'plugins:\n  lost: { module: ./lost.js }\n')
    await cli.serve()
    const { out } = await cli.run('doctor')
    assert.match(out, /plugins\.lost: there is no module at \.\/lost\.js[\s\S]*parley plugins check/)
    await cli.run('plugins', 'remove', 'lost', '--all')
    let said = out
    for (let tries = 0; tries < 30 && said.includes('plugins.lost'); tries += 1) said = (await cli.run('doctor')).out
    assert.doesNotMatch(said, /plugins\.lost/)
  } finally {
    await cli.close()
  }
})
