import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { commandCorpus } from '../test/command-corpus.ts'
import { type CommandReading, readCommand } from './read-command.ts'

/**
 * Runs commands in a real bash that has no programs: its handler for unknown commands writes down the words it got. Nothing
 * may run or be written that `readCommand` did not list, unless it said that it is unsure.
 */
const root = mkdtempSync(join(tmpdir(), 'parley-bash-'))
const hooks = join(root, 'hooks.sh')
writeFileSync(hooks, `command_not_found_handle() { printf '%s\\0' "$@" '//end//' >> "$LOG_PATH"; return 0; }\n`)

let count = 0

type Observed = { commands: string[][]; files: string[]; isSyntaxFault: boolean }

function runInBash(command: string): Observed {
  const cwd = join(root, `work-${count}`)
  // Processes in the background may still write to the log of the run before.
  const log = join(root, `log-${(count += 1)}`)
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'in'), '')
  writeFileSync(join(cwd, 'file'), '')
  const env = { PATH: join(root, 'none'), HOME: cwd, BASH_ENV: hooks, LOG_PATH: log }
  const { stderr } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', command], {
    cwd,
    env,
    timeout: 20_000,
    encoding: 'utf8',
    input: '',
  })
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\0//end//\0') : []
  return {
    commands: lines.filter((line) => line !== '').map((line) => line.split('\0')),
    files: readdirSync(cwd).filter((name) => name !== 'in' && name !== 'file'),
    isSyntaxFault: /syntax error|unexpected (?:EOF|end of file|token)/.test(stderr),
  }
}

/** A non-literal word may have become any number of words. */
function isListed(words: readonly string[], { runs }: CommandReading): boolean {
  // The shell itself takes off some wrappers; the other ones are programs.
  const all = runs.flatMap(({ words: inner, outer }) => (outer ? [inner, outer] : [inner]))
  return all.some((read) => {
    const firstFree = read.findIndex(({ isLiteral }) => !isLiteral)
    const fixed = firstFree === -1 ? read : read.slice(0, firstFree)
    return fixed.every(({ value }, at) => words[at] === value) && (firstFree !== -1 || words.length === read.length)
  })
}

function surprises(command: string): string[] {
  const reading = readCommand(command)
  if (reading.unsure.length > 0 || reading.nets.length > 0) return []
  const { commands, files } = runInBash(command)
  const written = new Set(reading.files.map(({ path }) => path))
  return [
    ...commands.filter((words) => !isListed(words, reading)).map((words) => `${JSON.stringify(command)} ran ${JSON.stringify(words)}`),
    ...files.filter((name) => !written.has(name)).map((name) => `${JSON.stringify(command)} wrote ${name}`),
  ]
}

describe('readCommand and bash', () => {
  after(() => rmSync(root, { recursive: true }))

  it('agree about the corpus: bash runs and writes nothing that is not listed', (t) => {
    const sure = commandCorpus.filter(([command]) => readCommand(command).unsure.length === 0)
    t.diagnostic(`${sure.length} commands run`)
    assert.ok(sure.length > 100)
    assert.deepEqual(
      sure.flatMap(([command]) => surprises(command)),
      [],
    )
  })

  it('agree about syntax: what bash refuses is unsure', () => {
    const refused = commandCorpus.filter(([command]) => !command.includes('\0') && runInBash(command).isSyntaxFault)
    assert.ok(refused.length >= 5, `${refused.length}`)
    assert.deepEqual(
      refused.filter(([command]) => readCommand(command).unsure.length === 0).map(([command]) => command),
      [],
    )
  })

  it('agree about random commands', { timeout: 120_000 }, () => {
    const words = [
      'git',
      'a',
      "'b c'",
      '"d e"',
      '$x',
      '"$(git z)"',
      '*',
      '{a,b}',
      '{a..c}',
      '~',
      '\\',
      "$'q\\x41'",
      'x=1',
      'LANG=C',
      '$((1+1))',
      '`git q`',
      '<(git w)',
      '#',
      '!',
      '-f',
    ]
    const signs = [
      '> out',
      '2>&1',
      '>&out',
      '&>out',
      '<in',
      '&&',
      '||',
      '|',
      ';',
      '&',
      '(',
      ')',
      '{',
      '}',
      '\n',
      '"',
      "'",
      '`',
      '<<EOF\n',
      '\nEOF\n',
      '<<<',
      '$(',
      '${x:-',
      '$((',
      '))',
      '[[',
      ']]',
      '((',
    ]
    const keywords = [
      'if',
      'then',
      'else',
      'fi',
      'for',
      'f',
      'in',
      'do',
      'done',
      'case',
      'esac',
      ';;',
      'a)',
      'time',
      'command',
      'eval',
      'git()',
    ]
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...words) },
      { weight: 3, arbitrary: fc.constantFrom(...signs) },
      fc.constantFrom(...keywords),
    )
    const command = fc
      .array(fc.tuple(piece, fc.constantFrom(' ', ' ', '')), { minLength: 1, maxLength: 10 })
      .map((parts) => parts.flat().join(''))
    let sure = 0
    fc.assert(
      fc.property(command, (text) => {
        if (readCommand(text).unsure.length > 0) return
        sure += 1
        assert.deepEqual(surprises(text), [])
      }),
      { numRuns: Number(process.env['COMMAND_RUNS'] ?? 600) },
    )
    assert.ok(sure > 20, `only ${sure} commands were sure`)
  })
})
