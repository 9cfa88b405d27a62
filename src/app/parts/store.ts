import { join } from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import { upgradeMark } from '../../server/auth/upgrade-mark.ts'
import { sqliteStore } from '../../store/sqlite/sqlite-store.ts'
import { type Committer, groupCommitter } from '../../streams/committer.ts'
import type { Part } from './part-stack.ts'

export type OpenStore = {
  store: Store
  committer: Committer
  /** True once, at the first start on data of 0.1. */
  takeUpgradeNotice(): Promise<boolean>
}

export const storePart = ({ dataDir, log, clock }: { dataDir: string; log: Log; clock: Clock }): Part<OpenStore> => ({
  name: 'store',
  async start() {
    const store = sqliteStore({ path: join(dataDir, 'parley.db'), log, clock })
    try {
      const upgrade = upgradeMark(store)
      await upgrade.begin()
      return { store, committer: groupCommitter(store), takeUpgradeNotice: upgrade.take }
    } catch (error) {
      await store.close()
      throw error
    }
  },
  stop: ({ store }) => store.close(),
})
