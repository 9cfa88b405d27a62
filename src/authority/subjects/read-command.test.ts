import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
      const found = { does: shown(reading), unsure: reasons }
      return found.does === does && reasons === unsure ? [] : [{ command, expected: { does, unsure }, found }]
    })
    assert.deepEqual(wrong, [])
  })
})
