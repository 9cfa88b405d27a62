import type { Store } from '../../ports/store.ts'

/** Notices that were shown once to the owner. They do not follow from events. */
export const upgradeView = 'upgrade'

const key = 'authority'

const mark = { view: upgradeView, key, group: '', sort: 0, text: '', body: {} }

export type UpgradeMark = {
  /** Called at every start: data that is new has nothing to be upgraded from. */
  begin(): Promise<void>
  /** True once, for data that 0.1 wrote: what its agents may do has changed. */
  take(): Promise<boolean>
}

export function upgradeMark(store: Store): UpgradeMark {
  const isMarked = async (): Promise<boolean> => (await store.row(upgradeView, key)) !== null
  const setMark = async (): Promise<void> => void (await store.commit([{ rows: [mark] }]))
  return {
    async begin() {
      if ((await store.position()) === 0 && !(await isMarked())) await setMark()
    },
    async take() {
      if (await isMarked()) return false
      await setMark()
      return true
    },
  }
}
