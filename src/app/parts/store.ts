import { join } from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { upgradeMark } from '../../server/auth/upgrade-mark.ts'
import { folderFiles } from '../../store/folder-files.ts'
import { openPostgres } from '../../store/postgres/postgres-store.ts'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'
import { type Committer, groupCommitter } from '../../streams/committer.ts'
import type { Part } from './part-stack.ts'

export type OpenStore = {
  store: Store
  files: Files
  committer: Committer
  /** True once, at the first start on data of 0.1. */
  takeUpgradeNotice(): Promise<boolean>
}

export type StoreParts = {
  dataDir: string
  /** PostgreSQL; without it a file of the data folder. */
  url?: string | undefined
  /** Opens data that was copied elsewhere. */
  moved?: boolean
  log: Log
  clock: Clock
}

async function openStore({ dataDir, url, moved = false, log, clock }: StoreParts): Promise<{ store: Store; files: Files }> {
  if (url !== undefined) return openPostgres({ url, log, clock, ignoresMove: moved })
  return {
    store: sqliteStore({ path: join(dataDir, 'parley.db'), log, clock, ignoresMove: moved }),
    files: folderFiles(join(dataDir, 'files')),
  }
}

export const storePart = (parts: StoreParts): Part<OpenStore> => ({
  name: 'store',
  async start() {
    const { store, files } = await openStore(parts)
    try {
      const upgrade = upgradeMark(store)
      await upgrade.begin()
      return { store, files, committer: groupCommitter(store), takeUpgradeNotice: upgrade.take }
    } catch (error) {
      await store.close()
      throw error
    }
  },
  stop: ({ store }) => store.close(),
})
