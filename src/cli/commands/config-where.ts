import { existsSync } from 'node:fs'
import { columns } from '../columns.ts'
import { findServer } from '../find-server.ts'
import type { Given } from '../given.ts'
import { listPlaces } from '../places.ts'
import { secretsFile } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const places = await listPlaces(terminal)
  const server = findServer(terminal.cwd, terminal.env, terminal.url)
  const secrets = secretsFile(places.data)
  const where = { config: places.config, data: places.data, secrets, server: server?.url ?? null, serverFrom: server?.from ?? null }
  const state = (there: boolean): string => (there ? '' : '  (–)')
  terminal.result(where, () =>
    columns(
      [
        ['config', where.config + state(places.exists)],
        ['data', where.data + state(existsSync(where.data))],
        ['secrets', where.secrets + state(existsSync(secrets))],
        ['server', where.server ?? '–'],
      ],
      terminal.width,
    ),
  )
}
