import { describeError } from '../../errors.ts'
import { dialogTexts } from '../../words/index.ts'
import type { DialogCommand } from './decide-dialog.ts'
import type { DialogState, Failure } from './dialog-state.ts'
import { getCause } from './turn-cause.ts'

type Load = (dialog: string) => Promise<DialogState>

type Order = { stream: string; commands: DialogCommand[] }

/** Why the agents that asked are told of a failure: a person gave up, it cannot be retried, or its time is over. */
export type ToldBecause = { why: 'given-up' } | { why: 'final' } | { why: 'timeout'; minutes: number }

/**
 * A failed reply to every request that this dialog works on, in words. `failed` is the dialog once its failure is written.
 * Requests that wait behind those start when they become active.
 */
export async function planFailedReplies(
  dialog: string,
  failed: DialogState,
  because: ToldBecause,
  at: number,
  load: Load,
): Promise<{ own: DialogCommand[]; others: Order[] }> {
  const own: DialogCommand[] = []
  const others: Order[] = []
  const { failure, agent, assignments } = failed
  if (failure === null) return { own, others }
  for (const { tellask, from, isActive } of assignments) {
    if (!isActive) continue
    const asker = await load(from)
    const text = dialogTexts[asker.language].requestFailed(agent, reasonText(failure), because)
    own.push({ type: 'give-reply', at, tellask, text, status: 'failed' })
    if (!asker.isDead && from !== dialog)
      others.push({
        stream: from,
        commands: [{ type: 'receive-reply', at, tellask, outcome: 'failed', status: 'failed', text, cause: getCause(failed) }],
      })
  }
  return { own, others }
}

const reasonText = ({ code, details }: Failure): string => describeError(code, details).message.replace(/\.$/, '')
