import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandFunction } from '../command-row.ts'
import type { MessageRequest } from '../../shapes/wire.ts'
import { withServer } from '../connect.ts'
import { deliveryOutcome, exitOfDelivery, lossLines, nextStep } from '../delivery-words.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import type { Given } from '../given.ts'
import { targetFrom, wordsFrom } from '../message-flags.ts'
import { oneLine } from '../plain-text.ts'
import { readJson } from '../read-json.ts'
import { requestLines } from '../request-lines.ts'
import type { Terminal } from '../terminal.ts'

const usualWaitSeconds = 5
const mostWaitSeconds = 20

/** A file is named from where the person is; the server may run in another folder. */
const absolute = (address: string, cwd: string): string =>
  /^file:(?!\/)/.test(address) ? pathToFileURL(resolve(cwd, address.slice('file:'.length))).href : address

async function requestFrom(terminal: Terminal, given: Given): Promise<MessageRequest> {
  const where = targetFrom(given, 'message send')
  const words = await wordsFrom(terminal, given)
  const media = given.text('media') ?? words.media
  if (words.message === undefined && words.presentation === undefined && media === undefined)
    throw new UsageError('There is nothing to send.', 'Give one of --message, --media or --presentation. See: parley message send --help')
  if ([media ?? []].flat().some((address) => !/^(https?:\/\/|file:)/.test(address)))
    throw new UsageError(
      '--media takes an address.',
      'Such as: --media https://example.org/picture.png, or file:picture.png for one of the project',
    )
  const typed = given.text('delivery')
  const delivery = {
    ...words.delivery,
    ...(typed !== undefined && (await readJson(terminal, '--delivery', typed, '{"pin":true}'))),
    ...(given.on('pin') && { pin: true }),
  }
  const replyTo = given.text('reply-to')
  return {
    ...where,
    ...words,
    ...(media !== undefined && { media: [media].flat().map((address) => absolute(address, terminal.cwd)) }),
    ...(Object.keys(delivery).length > 0 && { delivery }),
    ...(replyTo !== undefined && { replyTo }),
    ...(given.on('silent') && { silent: true }),
  }
}

export const run: CommandFunction = async (terminal, given) => {
  const { words, paint, errPaint } = terminal
  const waitSeconds = given.number('wait') ?? usualWaitSeconds
  if (waitSeconds > mostWaitSeconds)
    throw new UsageError(`--wait takes at most ${mostWaitSeconds} seconds.`, 'Sending continues: parley deliveries list')
  const request = await requestFrom(terminal, given)
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
  const outcome = await withServer(terminal, ({ client }) => client.messages.send({ ...request, waitMs: waitSeconds * 1_000 }))
  const { delivery, dropped } = outcome
  terminal.result(outcome, () => [deliveryOutcome(delivery, words), ...lossLines(delivery.losses, dropped, words, paint)])
  if (!terminal.json) {
    const { error } = delivery
    if (error) terminal.warn(oneLine(error.message), `${errPaint.cyan('→')} ${oneLine(error.hint)}`)
    if (delivery.pin === 'failed') terminal.warn(words.messages.pinStates.failed)
    const next = error ? null : nextStep(delivery, words)
    if (next !== null) terminal.say(`${errPaint.cyan('→')} ${next}`)
  }
  return exitOfDelivery(delivery)
}
