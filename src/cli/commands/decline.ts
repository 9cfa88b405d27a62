import { withServer } from '../connect.ts'
import { findQuestion } from '../find-question.ts'
import type { Given } from '../given.ts'
import type { Terminal } from '../terminal.ts'

export async function run(terminal: Terminal, given: Given): Promise<void> {
  const closed = await withServer(terminal, async ({ client }) => {
    const { id } = await findQuestion(terminal, client, given.arg(0))
    return client.questions.decline(id, given.text('reason'))
  })
  terminal.result(closed, () => terminal.words.answerDeclined)
}
