import { basename, resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { UsageError } from '../fault.ts'
import { shortPath } from '../places.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { plugins: words, next } = terminal.words
  const folder = resolve(terminal.cwd, given.arg(0))
  const name = given.text('name') ?? basename(folder)
  // The same letters npm allows: it may become a package one day.
  if (!/^[a-z0-9][a-z0-9._-]{0,63}$/.test(name)) throw new UsageError(words.badName(name), words.badNameHint)
  const { newPlugin } = await import('../../plugins/lifecycle/new-plugin.ts')
  const outcome = newPlugin(folder, name)
  const short = shortPath(folder, terminal.cwd)
  if ('taken' in outcome) throw new UsageError(words.taken(short), words.takenHint)
  terminal.result({ name, folder, files: outcome.written }, () => words.made(name, short))
  if (!terminal.json) terminal.say(...words.madeNext(short).map((line) => `${next} ${line}`))
}
