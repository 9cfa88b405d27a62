import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../app/config/schema.ts'
import { getFault } from '../fault.ts'
import { shortPath } from '../places.ts'
import { type Finding, type Patient, note, ok, wrong } from './finding.ts'

export async function checkStore({ places, terminal }: Patient, config: Config | null): Promise<Finding> {
  if (config?.store.url !== undefined) return checkPostgres(config.store.url)
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

async function checkPostgres(url: string): Promise<Finding> {
  const [{ checkDatabase }, { describePostgresUrl }] = await Promise.all([
    import('../../store/postgres/check-database.ts'),
    import('../../store/postgres/postgres-url.ts'),
  ])
  const where = describePostgresUrl(url)
  try {
    const { server, version, latest } = await checkDatabase(url)
    if (version === 0) return note('store', `PostgreSQL ${server} answers at ${where}. There is no data yet.`, 'parley serve')
    if (version < latest)
      return note('store', `PostgreSQL ${server} answers at ${where}. The next start upgrades its tables (${version} to ${latest}).`)
    return ok('store', `PostgreSQL ${server} answers at ${where}.`)
  } catch (error) {
    const { message, hint } = getFault(error)
    return wrong('store', `${where}: ${message}`, hint)
  }
}
