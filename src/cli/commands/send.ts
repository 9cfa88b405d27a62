import type { CommandFunction } from '../command-row.ts'
import { warnIfAllStopped } from '../all-stopped.ts'
import { dialogId, withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { plainText } from '../plain-text.ts'
import { progress } from '../progress.ts'
import { readStdin } from '../read-stdin.ts'
import { decideExit, questionDocuments, tellQuestions } from '../rest-outcome.ts'
import { type Reply, untilRest } from '../until-rest.ts'
import { uploadFiles } from '../upload-files.ts'

export const run: CommandFunction = async (terminal, given) => {
  const to = given.text('to')
  const agent = given.text('agent')
  if (to !== undefined && agent !== undefined)
    throw new UsageError('A dialog already has an agent: --to and --agent exclude each other.', 'See: parley send --help')
  const taskdoc = given.text('taskdoc')
  if (to !== undefined && taskdoc !== undefined)
    throw new UsageError(
      'A dialog has its task document from the beginning: --to and --taskdoc exclude each other.',
      'See: parley send --help',
    )
  const text = given.arg(0) === '-' ? await readStdin(terminal, 'The text') : given.arg(0)

  return withServer(terminal, async (connection) => {
    const { client } = connection
    const files = await uploadFiles(client, given.list('file'), terminal.cwd)
    const withFiles = files.length > 0 ? { files } : {}
    const receipt =
      to === undefined
        ? await client.dialogs
            .open({
              text,
              language: terminal.language,
              ...withFiles,
              ...(agent !== undefined && { agent }),
              ...(taskdoc !== undefined && { taskdoc }),
            })
            .then((opened) => ({ dialog: opened.id, agent: opened.agent, after: 0 }))
        : await client.dialogs
            .say(await dialogId(client, to), text, withFiles)
            .then((said) => ({ dialog: said.dialog, agent: '', after: said.seq }))
    if (!given.on('wait')) {
      terminal.result({ dialog: receipt.dialog }, () => receipt.dialog)
      if (!terminal.json) terminal.say(terminal.words.sentTo(receipt.dialog))
      await warnIfAllStopped(terminal, client)
      return exitCode.ok
    }

    const replies: Reply[] = []
    const indicator = progress(terminal, terminal.words.waitingFor(receipt.agent || receipt.dialog))
    const timeoutMs = (given.number('timeout') ?? 600) * 1_000
    const rest = await untilRest(
      terminal,
      connection,
      receipt.dialog,
      receipt.after,
      (reply) => void replies.push(reply),
      timeoutMs,
    ).finally(() => indicator.end())
    const exit = decideExit(rest)
    if (terminal.json)
      terminal.result({ dialog: receipt.dialog, status: rest.status, replies, questions: questionDocuments(rest) }, () => '')
    else {
      for (const reply of replies) terminal.item(reply, () => plainText(reply.text))
      tellQuestions(terminal, rest)
      terminal.detail(terminal.words.sentTo(receipt.dialog))
    }
    return exit
  })
}
