import type { ParleyClient } from '../client/index.ts'
import { type ApprovalQuestion, hasApproval, isApproval, waitingLine } from './approval-words.ts'
import { UsageError } from './fault.ts'
import { refusalOf } from './live-talk.ts'
import { answerCommand } from './question-words.ts'
import type { Terminal } from './terminal.ts'
import { describeError } from '../errors.ts'

/** The approval with this id. A caller who does not get to see the call is told who decides. */
export async function approvalQuestion(client: ParleyClient, id: string, { words }: Terminal): Promise<ApprovalQuestion> {
  const question = await client.questions.get(id)
  if (hasApproval(question)) return question
  if (!isApproval(question)) throw new UsageError(words.approvals.isQuestion(id), `${words.answerWith} ${answerCommand(id, question.ask)}`)
  throw refusalOf({ ...describeError('not_addressed', { names: '' }), message: waitingLine(question, words) })
}
