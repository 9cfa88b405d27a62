import { createInterface } from 'node:readline'
import type { Connection } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { plainText } from '../plain-text.ts'
import { progress } from '../progress.ts'
import type { DialogDetail } from '../../shapes/wire.ts'
import { decideExit, openQuestions, questionDocuments, tellQuestions, waitingExit } from '../rest-outcome.ts'
import type { Terminal } from '../terminal.ts'
import { untilRest } from '../until-rest.ts'

/** A later `dialog` stands for a new one. */
export type ChatStart = { dialog: string | undefined; agent: string | undefined; taskdoc: string | undefined; model: string | undefined }

/** Lines in, lines out. A question ends it, because no person can be asked. */
export async function pipedChat(terminal: Terminal, connection: Connection, start: ChatStart): Promise<number> {
  let { dialog } = start
  let hasSaid = false
  for await (const line of createInterface({ input: terminal.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue
    hasSaid = true
    let after = 0
    if (dialog === undefined) {
      const opened = await connection.client.dialogs.open({
        text: line,
        language: terminal.language,
        ...(start.agent === undefined ? {} : { agent: start.agent }),
        ...(start.taskdoc === undefined ? {} : { taskdoc: start.taskdoc }),
        ...(start.model === undefined ? {} : { model: start.model }),
      })
      dialog = opened.id
    } else after = (await connection.client.dialogs.say(dialog, line)).seq
    const indicator = progress(terminal, terminal.words.waitingFor(start.agent ?? dialog))
    const rest = await untilRest(terminal, connection, dialog, after, (reply) =>
      terminal.item({ dialog, ...reply }, () => plainText(reply.text)),
    ).finally(() => indicator.end())
    const exit = decideExit(rest)
    showOpen(rest)
    if (exit !== exitCode.ok) return exit
  }
  // Without a line to say, the dialog itself may already wait for a person.
  const waiting = dialog === undefined || hasSaid ? null : await connection.client.dialogs.get(dialog)
  if (waiting) {
    showOpen(waiting)
    return waitingExit(waiting) ?? exitCode.ok
  }
  if (dialog !== undefined) terminal.detail(terminal.words.leave(dialog))
  return exitCode.ok

  function showOpen(detail: DialogDetail): void {
    if (openQuestions(detail).length === 0) return
    if (!terminal.json) return tellQuestions(terminal, detail)
    for (const question of questionDocuments(detail)) terminal.item({ dialog: detail.id, question }, () => '')
  }
}
