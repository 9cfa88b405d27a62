import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { exitOfDelivery, lossLines } from '../delivery-words.ts'
import { UsageError } from '../fault.ts'
import { messageFrom, wordsFrom } from '../message-flags.ts'
import { outcomeLines, tellNextStep, waitFrom } from '../tell-delivery.ts'

export const run: CommandFunction = async (terminal, given) => {
  const delivery = given.optionalArg(0)
  const waitMs = waitFrom(given)
  const { message, presentation } = await wordsFrom(terminal, given)
  if (message === undefined && presentation === undefined)
    throw new UsageError('There is no new text.', 'Give --message or --presentation. See: parley message edit --help')
  if (delivery !== undefined && (given.has('target') || given.has('message-id')))
    throw new UsageError('A delivery already has an address.', 'Give either its id, or --target with --message-id.')
  const which = delivery === undefined ? messageFrom(given, 'message edit') : { delivery }
  const input = { ...(message !== undefined && { message }), ...(presentation !== undefined && { presentation }), waitMs }
  const edited = await withServer(terminal, ({ client }) => client.messages.edit(which, input))
  const { words, paint } = terminal
  terminal.result(edited, () =>
    edited.delivery.state === 'sent'
      ? [words.messages.edited, ...lossLines(edited.delivery.losses, edited.dropped, words, paint)]
      : outcomeLines(edited, terminal),
  )
  if (!terminal.json) tellNextStep(terminal, edited)
  return exitOfDelivery(edited.delivery)
}
