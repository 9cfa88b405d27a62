import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { asTyped } from '../../shapes/as-typed.ts'
import { findCommandName } from '../../shapes/find-command-name.ts'
import type { CommandFunction } from '../command-row.ts'
import { shortPath } from '../places.ts'
import { starterFiles } from '../starter-files.ts'

export const run: CommandFunction = (terminal, given) => {
  const folder = resolve(terminal.cwd, given.optionalArg(0) ?? '.')
  const { words, paint } = terminal
  mkdirSync(folder, { recursive: true })
  const files = Object.entries(starterFiles(words.starter)).map(([name, text]) => {
    const path = join(folder, name)
    const isNew = !existsSync(path)
    // `wx`: a file that appeared meanwhile is not overwritten.
    if (isNew) writeFileSync(path, text, { flag: 'wx' })
    return { path, isNew }
  })
  terminal.result({ folder, files }, () =>
    files.map(({ path, isNew }) => {
      const short = shortPath(path, terminal.cwd)
      return isNew ? `${paint.green('+')} ${short}` : `${paint.dim('·')} ${words.alreadyThere(short)}`
    }),
  )
  const enter = folder === resolve(terminal.cwd) ? '' : `cd ${shortPath(folder, terminal.cwd)} && `
  const commandName = findCommandName({ ...terminal.env, INIT_CWD: folder })
  terminal.say(`${words.next}  ${enter}${asTyped('parley serve', commandName)} · ${asTyped('parley chat', commandName)}`)
  return Promise.resolve()
}
