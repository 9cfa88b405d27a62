import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shortPath } from '../places.ts'
import { type Finding, type Patient, note, ok, wrong } from './finding.ts'

export async function checkStore({ places, terminal }: Patient): Promise<Finding> {
  const file = join(places.data, 'parley.db')
  const path = shortPath(file, terminal.cwd)
  const { faultOfFile, lackOfFiles } = await import('../../store/sqlite/check-file.ts')
  const lack = lackOfFiles(file)
  if (lack !== null) return wrong('store', lack.message, lack.hint)
  if (!existsSync(file)) return note('store', 'There is no data yet.', 'parley demo')
  const fault = faultOfFile(file)
  if (fault === null) return ok('store', `${path} opens and is whole.`)
  return wrong(
    'store',
    `${path} is damaged: ${fault}.`,
    'Do not change the folder; restore a backup beside it: parley explain store_damaged',
  )
}
