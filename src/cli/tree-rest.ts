import type { ParleyClient } from '../client/index.ts'
import type { DialogDetail, DialogStatus } from '../shapes/wire.ts'

const isBusy = (status: DialogStatus): boolean => status === 'working' || status === 'stopping'

/**
 * A dialog at rest; null while it works. One that waits for teammates is at rest when none of them works any more,
 * and their questions to a person count as its own: they must be answered before it continues.
 */
export async function getRest(client: ParleyClient, dialog: string): Promise<DialogDetail | null> {
  const now = await client.dialogs.get(dialog)
  if (isBusy(now.status)) return null
  if (now.status !== 'delegated') return now
  const others = (await client.dialogs.tree(dialog)).filter(({ id }) => id !== dialog)
  if (others.some(({ status }) => isBusy(status))) return null
  const asking = await Promise.all(others.filter(({ openQuestions }) => openQuestions > 0).map(({ id }) => client.dialogs.get(id)))
  // Woken meanwhile: what was gathered is no longer all.
  if ((await client.dialogs.get(dialog)).head !== now.head) return null
  return { ...now, questions: [...now.questions, ...asking.flatMap(({ questions }) => questions)] }
}
