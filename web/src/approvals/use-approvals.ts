import { useMemo, useSyncExternalStore } from 'react'
import type { QuestionItemView } from '../../../src/client/index.ts'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { type Refreshing, refreshing } from '../link/refreshing.ts'
import type { ApprovalQuestion } from './approval-texts.ts'

/**
 * Open approvals of one dialog as this reader may see and decide them. The log is the same for every reader, so what they may
 * decide comes from the server.
 */
export function useApprovals(
  { dialog, agent }: { dialog: string; agent: string },
  items: readonly QuestionItemView[],
): { questions: ApprovalQuestion[]; isFetched: boolean } {
  const source: Refreshing<readonly QuestionView[]> = useMemo(
    () => refreshing(async (signal) => (await client.dialogs.get(dialog, { signal })).questions),
    [dialog],
  )
  const { value } = useSyncExternalStore(source.subscribe, source.get)
  const byId = new Map(value?.map((question) => [question.id, question]))
  return {
    questions: items.map((item) => withLog(byId.get(item.id), item) ?? fromLog({ dialog, agent }, item)),
    isFetched: items.every(({ id }) => byId.has(id)),
  }
}

/** The log knows where the requesters wrote. */
function withLog(question: QuestionView | undefined, { approval }: QuestionItemView): ApprovalQuestion | undefined {
  if (!question?.approval || !approval) return question
  return { ...question, approval: { ...question.approval, requesters: approval.requesters } }
}

const fromLog = (of: { dialog: string; agent: string }, { id, ask, approval }: QuestionItemView): ApprovalQuestion => ({
  ...of,
  id,
  ask,
  ...(approval ? { approval } : {}),
})
