import { chatDutyWork } from '../chats/chat-duty.ts'
import type { BuildState } from '../builds/rules/build-state.ts'
import { type DialogState, needsTurn } from '../dialogs/rules/dialog-state.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import { pruneWork, type PruneTask } from '../streams/pruner.ts'
import { questionView } from '../dialogs/rows/dialog-rows.ts'

export const onceNameLimits = { perBatch: 500 } as const

/** Work of these kinds uses no once-only names, and some of it is due in months. */
const kindsWithoutNames = ['timer', 'build-silence', pruneWork, chatDutyWork]

/**
 * Forgets once-only names that were used long ago and that nothing unfinished could use again.
 *
 * | used by                                             | is kept                                                    |
 * |-----------------------------------------------------|------------------------------------------------------------|
 * | a request of a person or program, a sign-in link    | for the time that everything is kept                       |
 * | work, such as a message that came in or a reply     | until all work is done that was there when it was used     |
 * | a dialog (a call of a tool, a reply, a question)    | while the dialog has an open turn or a call without result |
 * | a turn of a build                                   | while the build has an open turn                           |
 * | a call in a build of version 0.1, without its build | for ever                                                   |
 */
export function onceNames(parts: {
  store: Store
  committer: Committer
  dialogs: { load(dialog: string): Promise<DialogState> }
  builds: { load(build: string): Promise<BuildState> }
}): PruneTask {
  const { store, committer, dialogs, builds } = parts

  async function isUnfinished(dialog: string): Promise<boolean> {
    const state = await dialogs.load(dialog)
    return needsTurn(state) || state.turn !== null || Object.keys(state.calls).length > 0
  }

  async function isNeeded(key: string): Promise<boolean> {
    if (key.startsWith('build-call:call_')) return true
    for (const dialog of key.match(/\bdlg_[\w-]+/g) ?? []) if (await isUnfinished(dialog)) return true
    for (const question of key.match(/\bq_\w+/g) ?? []) {
      const row = await store.row(questionView, question)
      if (row && (await isUnfinished((row.body as { dialog: string }).dialog))) return true
    }
    const [, build] = /^build-turn:([\w-]+):/.exec(key) ?? []
    return build !== undefined && (await builds.load(build)).turn !== null
  }

  return {
    name: 'once-only names',
    async batch(before, cursor) {
      const usedBefore = Math.min(before, (await store.unfinishedSince(kindsWithoutNames)) ?? before)
      const page = await store.onceNames(cursor, onceNameLimits.perBatch)
      const forget: { key: string; usedBefore: number }[] = []
      for (const { key, at } of page) if (at < usedBefore && !(await isNeeded(key))) forget.push({ key, usedBefore })
      if (forget.length > 0) await committer.commit({ forget, repeatable: true })
      return page.length < onceNameLimits.perBatch ? null : (page.at(-1)?.key ?? null)
    },
  }
}
