import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { exitOfDelivery, lossLines } from '../delivery-words.ts'
import { exitCode } from '../exit-code.ts'
import { targetFrom } from '../message-flags.ts'
import { messageRequest } from '../message-request.ts'
import { oneLine } from '../plain-text.ts'
import { requestLines } from '../request-lines.ts'
import { outcomeLines, tellNextStep, waitFrom } from '../tell-delivery.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint } = terminal
  const waitMs = waitFrom(given)
  const target = targetFrom(given, 'message send')
  const request = { ...target, ...(await messageRequest(terminal, given, 'message send')) }
  if (given.on('dry-run')) {
    const dry = await withServer(terminal, ({ client }) => client.messages.dryRun(request))
    terminal.result(dry, () => [
      paint.bold(oneLine(`${dry.channel}:${dry.address}`)),
      ...requestLines(dry.requests, paint),
      ...lossLines(dry.losses, dry.dropped, words, paint),
    ])
    if (!terminal.json) terminal.say(words.messages.nothingSent)
    return exitCode.ok
  }
  const outcome = await withServer(terminal, ({ client }) => client.messages.send({ ...request, waitMs }))
  terminal.result(outcome, () => outcomeLines(outcome, terminal))
  if (!terminal.json) tellNextStep(terminal, outcome)
  return exitOfDelivery(outcome.delivery)
}
