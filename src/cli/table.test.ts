import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { globalFlags, getGroup, getName } from './command-row.ts'
import { completionScript, shells, suggest } from './completion.ts'
import { buildProgram } from './program.ts'
import { reference } from './reference.ts'
import { groups, rows } from './table.ts'

const words = (lines: readonly string[]): string[] => lines.map((line) => line.split('\t')[0] ?? '')

describe('command table', () => {
  test('there are commands to look at', () => assert.ok(rows.length >= 25))

  for (const row of rows) {
    test(`parley ${row.path} has a summary, two examples and a body`, async () => {
      assert.match(row.summary, /^\S.{8,90}[^.]$/u)
      assert.ok(row.examples.length >= 2)
      assert.equal(new Set(row.examples).size, row.examples.length)
      for (const example of row.examples) assert.ok(example.includes(`parley ${row.path}`), example)
      const body = await row.load()
      assert.equal(typeof body.run, 'function')
    })

    test(`parley ${row.path} takes --json and shows its examples in -h`, () => {
      const program = buildProgram('0.0.0', () => {})
      const group = getGroup(row.path)
      const parent = group ? program.commands.find((command) => command.name() === group) : program
      const command = parent?.commands.find((candidate) => row.path.endsWith(candidate.name()) && candidate.summary() === row.summary)
      assert.ok(command)
      assert.ok(command.options.some((option) => option.long === '--json'))
      let help = ''
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp()
      for (const example of row.examples) assert.ok(help.includes(example))
      assert.ok(help.includes('--json'))
    })
  }

  test('no flag is declared twice in one command', () => {
    for (const { path, flags = [] } of rows) {
      const names = [...flags, ...globalFlags].map(getName)
      assert.equal(new Set(names).size, names.length, path)
    }
  })

  test('every group has a summary, and none is left over', () => {
    assert.deepEqual(new Set(rows.flatMap(({ path }) => getGroup(path) ?? [])), new Set(groups.map(({ name }) => name)))
  })

  test('every command file is in the table', () => {
    const table = readdirSync(new URL('./table/', import.meta.url))
      .map((file) => readFileSync(new URL(`./table/${file}`, import.meta.url), 'utf8'))
      .join('')
    const files = readdirSync(new URL('./commands/', import.meta.url)).filter((file) => !file.includes('.test.'))
    assert.equal(files.length, rows.length)
    for (const file of files) assert.ok(table.includes(`import('../commands/${file}')`), file)
  })
})

describe('completion', () => {
  test('completes commands, groups, subcommands and every alias', () => {
    const first = words(suggest(['']))
    for (const row of rows) {
      const group = getGroup(row.path)
      assert.ok(first.includes(group ?? row.path), row.path)
      const offered = group ? words(suggest([group, ''])) : first
      for (const word of [row.path.split(' ').at(-1) ?? '', ...(row.aliases ?? [])])
        assert.ok(offered.includes(word), `${row.path}: ${word}`)
    }
  })

  test('completes the flags of a command and of its alias', () => {
    for (const path of [
      ['dialogs', 'list'],
      ['dialogs', 'ls'],
    ]) {
      const offered = words(suggest([...path, '--']))
      for (const flag of ['--search', '--status', '--limit', '--json', '--help']) assert.ok(offered.includes(flag), flag)
    }
    assert.ok(words(suggest(['demo', '--no'])).includes('--no-open'))
  })

  test('completes choices of flags and arguments', () => {
    assert.deepEqual(words(suggest(['dialogs', 'list', '--status', ''])).slice(0, -1), [
      'ready',
      'working',
      'stopping',
      'waiting',
      'delegated',
      'stopped',
      'failed',
    ])
    assert.deepEqual(words(suggest(['completion', ''])).slice(0, -1), ['bash', 'zsh', 'fish', 'powershell'])
    assert.deepEqual(words(suggest(['model', 'set', 'ant'])).slice(0, -1), ['anthropic'])
  })

  for (const shell of shells) {
    test(`makes a script for ${shell}`, () => {
      const script = completionScript(shell)
      assert.ok(script.length > 500)
      assert.match(script, /parley complete '?--|complete --/)
    })
  }

  test('the script for bash can be loaded again in the same shell', () => {
    const twice = `${completionScript('bash')}\n`.repeat(2)
    const { status, stderr } = spawnSync('bash', ['--norc', '-e'], { input: twice, encoding: 'utf8' })
    assert.deepEqual([status, stderr], [0, ''])
  })
})

test('docs/CLI.md is what the table says (npm run docs writes it)', () => {
  const file = new URL('../../docs/CLI.md', import.meta.url)
  assert.ok(existsSync(file))
  const plain = (text: string): string => text.replace(/[ \t]+/g, ' ').replace(/\|[\s:|-]+\|\n/g, '')
  assert.equal(plain(readFileSync(file, 'utf8')), plain(reference()))
})
