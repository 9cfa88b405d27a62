import type { ApprovalView, QuestionView, StopView } from '../../shapes/wire.ts'
import type { LimitFacts } from './limit-facts.ts'
import type { DialogState, OpenQuestion } from './dialog-state.ts'

/** The parts of an open question that rows, the page and the terminal show alike. */
export const questionParts = (open: OpenQuestion): Pick<QuestionView, 'approval' | 'audience' | 'limit'> => ({
  ...(open.approval ? { approval: approvalView(open, open.approval) } : {}),
  ...(open.limit ? { limit: limitView(open.limit, open.purpose === 'notice') } : {}),
  ...(open.audience.kind === 'owner' ? {} : { audience: { kind: open.audience.kind, names: [...open.audienceNames] } }),
})

const limitView = (limit: LimitFacts, isNotice: boolean): NonNullable<QuestionView['limit']> => ({
  kind: limit.kind,
  ...(limit.kind === 'budget' ? { key: limit.key } : {}),
  ...(isNotice ? { isNotice } : {}),
})

export function approvalView({ turn, cause, keysGiven }: OpenQuestion, approval: NonNullable<OpenQuestion['approval']>): ApprovalView {
  const { tool, names, shown, because, reason, proposals, keys, onceOnly, irreversible, isChanged, isInterrupted, offersWorkspace } =
    approval
  return {
    tool,
    turn,
    names: [...names],
    ...(isChanged ? { isChanged } : {}),
    ...(isInterrupted ? { isInterrupted } : {}),
    ...(offersWorkspace ? { offersWorkspace } : {}),
    shown,
    because,
    ...(reason ? { reason } : {}),
    requesters: [...(cause?.by ?? [])],
    proposals: [...proposals],
    keys,
    keysGiven: keysGiven.map(({ name }) => name),
    onceOnly,
    irreversible,
  }
}

/** The stop that the dialog itself knows of: its own latch, or the one that holds its work back. */
export function ownStop(dialog: string, { latch, held }: Pick<DialogState, 'latch' | 'held'>): StopView | null {
  if (latch) return { by: latch.by, at: latch.at, in: dialog }
  return held ? { by: held.by, at: held.at, in: held.dialog } : null
}
