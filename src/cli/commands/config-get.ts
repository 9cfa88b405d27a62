import { existsSync } from 'node:fs'
import type { CommandFunction } from '../command-row.ts'
import { stringify } from 'yaml'
import { getInConfig, maskSecrets } from '../../app/config/edit.ts'
import { exitCode } from '../exit-code.ts'
import { configFile, shortPath } from '../places.ts'

export const run: CommandFunction = async (terminal, given) => {
  const file = configFile(terminal)
  const path = given.optionalArg(0) ?? ''
  // A secret that was written down instead of named by a variable stays hidden: this output ends up in bug reports.
  const value = maskSecrets(getInConfig(file, path), path.split('.').at(-1))
  if (value === undefined || value === null) {
    terminal.result(null, () => [])
    const { words } = terminal
    const short = shortPath(file, terminal.cwd)
    if (!terminal.json) terminal.say(!existsSync(file) ? words.noFile : path === '' ? words.emptyFile(short) : words.notThere(path, short))
    return path === '' ? exitCode.ok : exitCode.failed
  }
  terminal.result(value, () => stringify(value).trimEnd())
  return exitCode.ok
}
