import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { findQuestion } from '../find-question.ts'

export const run: CommandFunction = async (terminal, given) => {
  const closed = await withServer(terminal, async ({ client }) => {
    const { id } = await findQuestion(terminal, client, given.arg(0))
    return client.questions.decline(id, given.text('reason'))
  })
  terminal.result(closed, () => terminal.words.answerDeclined)
}
