import { createInterface } from 'node:readline'
import type { Connection } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { plainText } from '../plain-text.ts'
import { progress } from '../progress.ts'
import { exitOf, openQuestions, questionDocuments, tellQuestions } from '../rest-outcome.ts'
import type { Terminal } from '../terminal.ts'
import { untilRest } from '../until-rest.ts'

/** Lines in, lines out. A question ends it: nobody is there to be asked. */
export async function pipedChat(
  terminal: Terminal,
  connection: Connection,
  start: { dialog: string | undefined; agent: string | undefined },
): Promise<number> {
  let { dialog } = start
  for await (const line of createInterface({ input: terminal.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    let after = 0
    if (dialog === undefined) {
      const opened = await connection.client.dialogs.open({
        text: line,
        language: terminal.language,
        ...(start.agent === undefined ? {} : { agent: start.agent }),
      })
      dialog = opened.id
    } else after = (await connection.client.dialogs.say(dialog, line)).seq
    const shown = progress(terminal, terminal.words.waitingFor(start.agent ?? dialog))
    const rest = await untilRest(terminal, connection, dialog, after, (reply) =>
      terminal.item({ dialog, ...reply }, () => plainText(reply.text)),
    ).finally(() => shown.end())
    const exit = exitOf(rest)
    if (openQuestions(rest).length > 0) {
      if (terminal.json) for (const question of questionDocuments(rest)) terminal.item({ dialog, question }, () => '')
      else tellQuestions(terminal, rest)
    }
    if (exit !== exitCode.ok) return exit
  }
  if (dialog !== undefined) terminal.detail(terminal.words.leave(dialog))
  return exitCode.ok
}
