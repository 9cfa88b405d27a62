import type { CommandFunction } from '../command-row.ts'
import { approvalQuestion } from '../approval-question.ts'
import { decidedLine } from '../approval-words.ts'
import { withServer } from '../connect.ts'
import { decide } from '../decide-approval.ts'
import { UsageError } from '../fault.ts'
import { readStdin } from '../read-stdin.ts'

export const run: CommandFunction = async (terminal, given) => {
  const id = given.arg(0)
  if (id === 'last')
    throw new UsageError('Name an approval by its id: "last" could be another one than you read.', 'List open approvals: parley approve')
  const text = given.text('note')
  const note = text === '-' ? await readStdin(terminal, 'The note') : text
  const decided = await withServer(terminal, async ({ client }) => {
    const question = await approvalQuestion(client, id, terminal)
    return decide(client, question.id, { decision: 'deny', ...(note === undefined ? {} : { note }) }, terminal)
  })
  terminal.result(decided, () => decidedLine(decided, terminal.words))
}
