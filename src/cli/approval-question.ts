import { fill } from '../authority/authority-words.ts'
import type { ParleyClient } from '../client/index.ts'
import { describeError } from '../errors.ts'
import { type ApprovalQuestion, approverNames, hasApproval, isApproval } from './approval-words.ts'
import { questionId } from './connect.ts'
import { UsageError } from './fault.ts'
import { labelled } from './labelled.ts'
import { toRefusal } from './live-talk.ts'
import { answerCommand } from './question-words.ts'
import type { Terminal } from './terminal.ts'

/** The approval with this id or its beginning. A caller who does not get to see the call cannot decide it, and the error says who can. */
export async function approvalQuestion(client: ParleyClient, id: string, { words }: Terminal): Promise<ApprovalQuestion> {
  const question = await client.questions.get(await questionId(client, id))
  if (hasApproval(question)) return question
  if (!isApproval(question))
    throw new UsageError(words.approvals.isQuestion(question.id), labelled(words.answerWith, answerCommand(question.id, question.ask)))
  const message = fill(words.approvals.shared.status.refused, { name: approverNames(question, words) })
  throw toRefusal({ ...describeError('not_addressed'), message })
}
