import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { exitOfDelivery } from '../delivery-words.ts'
import { UsageError } from '../fault.ts'
import { targetFrom } from '../message-flags.ts'
import { outcomeLines, tellNextStep, waitFrom } from '../tell-delivery.ts'

const example = 'Such as: parley message poll -t telegram:42 --poll-question "Lunch?" --poll-option Pizza --poll-option Sushi'

export const run: CommandFunction = async (terminal, given) => {
  const waitMs = waitFrom(given)
  const target = targetFrom(given, 'message poll')
  const question = given.text('poll-question')
  if (question === undefined) throw new UsageError('The question is missing.', example)
  const options = given.list('poll-option')
  if (options.length < 2) throw new UsageError('A poll needs at least two options.', example)
  const isPublic = given.on('poll-public')
  if (isPublic && given.on('poll-anonymous')) throw new UsageError('Give either --poll-anonymous or --poll-public.', example)
  const hours = given.number('poll-duration-hours')
  const seconds = given.number('poll-duration-seconds')
  if (hours !== undefined && seconds !== undefined)
    throw new UsageError('Give either --poll-duration-hours or --poll-duration-seconds.', example)
  const openForSeconds = seconds ?? (hours === undefined ? undefined : hours * 3_600)
  const replyTo = given.text('reply-to')
  const outcome = await withServer(terminal, ({ client }) =>
    client.messages.poll({
      ...target,
      question,
      options,
      ...(given.on('poll-multi') && { isMultiple: true }),
      ...((isPublic || given.on('poll-anonymous')) && { isAnonymous: !isPublic }),
      ...(openForSeconds !== undefined && { openForSeconds }),
      ...(given.on('pin') && { pin: true }),
      ...(given.on('silent') && { silent: true }),
      ...(replyTo !== undefined && { replyTo }),
      waitMs,
    }),
  )
  terminal.result(outcome, () => outcomeLines(outcome, terminal))
  if (!terminal.json) tellNextStep(terminal, outcome)
  return exitOfDelivery(outcome.delivery)
}
