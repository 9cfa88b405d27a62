import type { CommandFunction } from '../command-row.ts'
import { parse } from 'yaml'
import { setInConfig } from '../../app/config/edit.ts'
import { UsageError } from '../fault.ts'
import { configFile, shortPath } from '../places.ts'

function parseValue(text: string): unknown {
  try {
    return parse(text) as unknown
  } catch {
    throw new UsageError('The value is not YAML.', `Quote a text: parley config set path '"text"'`)
  }
}

export const run: CommandFunction = async (terminal, given) => {
  const [path, text] = [given.arg(0), given.arg(1)]
  const last = path.split('.').at(-1) ?? ''
  const isSecret = /^(apiKey|secret|token|password)$/i.test(last) && !/^\$\{[A-Z_][A-Z0-9_]*\}$/.test(text)
  const hasPassword = /:\/\/[^\s:@/]{0,256}:(?!\$\{)[^\s@]{1,256}@/.test(text)
  if (isSecret || hasPassword) {
    throw new UsageError(
      'A secret on the command line ends up in the history of the shell.',
      `Name a variable instead: parley config set ${path} '\${NAME}', or: parley model set`,
    )
  }
  const file = configFile(terminal)
  const value = parseValue(text)
  setInConfig(file, path, value)
  terminal.result({ file, path, value }, () => terminal.words.wrote(path, shortPath(file, terminal.cwd)))
}
