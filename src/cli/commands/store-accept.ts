import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { listPlaces, shortPath } from '../places.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const data = given.text('data')
  const folder = data === undefined ? (await listPlaces(terminal)).data : resolve(terminal.cwd, data)
  const file = join(folder, 'parley.db')
  const { acceptRestore } = await import('../../store/sqlite/accept-restore.ts')
  const accepted = existsSync(folder) ? acceptRestore(file) : { before: null, now: null }
  const path = shortPath(file, terminal.cwd)
  terminal.result({ file, ...accepted }, () =>
    accepted.now === null ? words.restoreEmpty(path) : words.restoreAccepted(path, accepted.now, accepted.before),
  )
}
