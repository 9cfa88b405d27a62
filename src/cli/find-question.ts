import { type ParleyClient, questionsIn } from '../client/index.ts'
import { ParleyError } from '../errors.ts'
import type { QuestionView } from '../shapes/wire.ts'
import { decisionCommands, isApproval } from './approval-words.ts'
import { questionId } from './connect.ts'
import { UsageError } from './fault.ts'
import { labelled } from './labelled.ts'
import type { Terminal } from './terminal.ts'

/** A question by its id; `last` is the newest open one, and the beginning of an id is enough. An approval is refused, with the commands that decide it. */
export async function findQuestion({ words }: Terminal, client: ParleyClient, id: string): Promise<QuestionView> {
  const question = id === 'last' ? await findNewest(client) : await client.questions.get(await questionId(client, id))
  if (!isApproval(question)) return question
  throw new UsageError(
    words.approvals.isApproval(question.id),
    labelled(words.approvals.decideWith, Object.values(decisionCommands(question)).join(' · ')),
  )
}

async function findNewest(client: ParleyClient): Promise<QuestionView> {
  const newest = questionsIn(await client.inbox())
    .filter((question) => !isApproval(question))
    .toSorted((a, b) => b.askedAt - a.askedAt)[0]
  if (!newest) throw new ParleyError('question_not_found', { question: 'open now' })
  return newest
}
