import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { checkBuildLog, isAgentOutput } from '../../builds/rules/check-log.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { readStdin } from '../read-stdin.ts'

export const run: CommandFunction = async (terminal, given) => {
  const file = given.arg(0)
  const lines = toLines(file === '-' ? await readStdin(terminal, 'The log') : read(resolve(terminal.cwd, file)))
  const findings = checkBuildLog(lines)
  const readAs = isAgentOutput(lines) ? 'agent' : 'log'
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  const { paint, words } = terminal
  const events = lines.filter((line) => line.trim() !== '').length
  terminal.result({ readAs, lines: events, errors, warnings, findings }, () => [
    ...findings.map(({ line, id, severity, words: what }) => {
      const mark = severity === 'error' ? paint.red(id.padEnd(3)) : paint.yellow(id.padEnd(3))
      return `${mark} ${words.logLine(line, severity)}  ${what}`
    }),
    findings.length === 0 ? words.logIsValid(events) : words.findings(errors, warnings),
    ...(readAs === 'agent' ? [words.logOfAgent] : []),
  ])
  return errors > 0 ? exitCode.failed : exitCode.ok
}

/** One event on a line, or one JSON document with a list of them, as the server answers. */
function toLines(piped: string): string[] {
  // In a clone npm prints what it runs before the first event; emptied, so that the lines keep their numbers.
  const text = piped.replace(/^(?:(?:> .*)?\r?\n)+/, (banner) => banner.replaceAll(/> .*/g, ''))
  const lines = text.split(/\r?\n/)
  const list = listIn(text)
  if (list) return list.map((event) => JSON.stringify(event))
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}

function listIn(text: string): unknown[] | null {
  try {
    const document = JSON.parse(text) as unknown
    if (Array.isArray(document)) return document
    const { items, events } = document as { items?: unknown; events?: unknown }
    return Array.isArray(items) ? items : Array.isArray(events) ? events : null
  } catch {
    return null
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file cannot be read: ${(error as Error).message}.`, 'Give a file of events, or - for stdin.')
  }
}
