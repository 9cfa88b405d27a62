import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cpuMicroseconds } from '../test/cpu-time.ts'
import { commandCorpus } from '../test/command-corpus.ts'
import { commandFault, commandLimits } from './command-fault.ts'
import { type CommandReading, readCommand } from './read-command.ts'

const shownWord = (value: string): string => (value === '' ? '∅' : value.replaceAll(' ', '␣').replaceAll('\n', '⏎'))

function shown({ runs, files, nets }: CommandReading): string {
  const commands = runs.map(({ words }) => words.map(({ value, isLiteral }) => (isLiteral ? shownWord(value) : '•')).join(' ')).join(' ; ')
  const uses = files.map(({ access, path }) => `${access === 'read' ? '<' : '>'}${shownWord(path)}`)
  const hosts = nets.map(({ host, port }) => `@${host}:${port}`)
  return [commands, ...uses, ...hosts].filter((part) => part !== '').join(' ')
}

describe('readCommand', () => {
  it('reads every command of the corpus as bash does', () => {
    assert.ok(commandCorpus.length >= 150, `only ${commandCorpus.length} commands`)
    const wrong = commandCorpus.flatMap(([command, does, unsure = '']) => {
      const reading = readCommand(command)
      const reasons = [...new Set(reading.unsure.map(({ why }) => why))].toSorted().join(' ')
      const actual = { does: shown(reading), unsure: reasons }
      return actual.does === does && reasons === unsure ? [] : [{ command, expected: { does, unsure }, found: actual }]
    })
    assert.deepEqual(wrong, [])
  })

  it('answers in bounded time without calling the parser for what the parser is slow at', () => {
    for (const char of ['{', '(', '$', '<']) {
      assert.deepEqual(commandFault(char.repeat(201)), { why: 'too-many-brackets', detail: char })
      assert.equal(commandFault(char.repeat(200)), null)
      // 20 kB of "{" take the parser about 4 s; the check before it is linear.
      const before = process.cpuUsage()
      assert.deepEqual(readCommand(char.repeat(20_000)), { ...nothing, unsure: [{ why: 'too-long', detail: '20000' }] })
      assert.ok(cpuMicroseconds(before) < 100_000)
    }
    assert.equal(commandFault('x'.repeat(commandLimits.chars)), null)
    assert.equal(commandFault('x'.repeat(commandLimits.chars + 1))?.why, 'too-long')
  })

  it('calls a command unsure when the parser itself gives up', () => {
    for (const nested of ['coproc ', '[[ ( ', 'if ', '`', '$(', '(', '{ ', 'case x in a) '])
      assert.ok(readCommand(nested.repeat(200)).unsure.length > 0, nested)
    assert.ok(readCommand('coproc '.repeat(571)).unsure.length > 0)
  })

  it('reads text of nested shells three levels deep and no deeper', () => {
    const nest = (depth: number, inner: string): string => (depth === 0 ? inner : `eval ${nest(depth - 1, inner)}`)
    const programs = (depth: number): string[] => readCommand(nest(depth, 'git push')).runs.map(({ words }) => words[0]?.value ?? '')
    assert.ok(programs(3).includes('git'))
    assert.ok(!programs(4).includes('git'))
  })
})

const nothing: CommandReading = { runs: [], files: [], nets: [], unsure: [], changesFolder: false, isOnceOnly: false }
