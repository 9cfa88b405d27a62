import { ClientError } from '../../client/index.ts'
import type { CommandFunction } from '../command-row.ts'
import { withServer } from '../connect.ts'
import { exitOfDelivery } from '../delivery-words.ts'
import { exitCode } from '../exit-code.ts'
import { UsageError } from '../fault.ts'
import { messageRequest } from '../message-request.ts'
import { oneLine } from '../plain-text.ts'
import { parseTarget } from '../target.ts'
import { outcomeLines, tellNextStep, waitFrom } from '../tell-delivery.ts'

/** Each target gets a delivery of its own, so that a chat that is gone keeps the message from no other. */
export const run: CommandFunction = async (terminal, given) => {
  const waitMs = waitFrom(given)
  const flags = { channel: given.text('channel'), account: given.text('account') }
  const targets = given.list('target').map((typed) => ({ typed, ...parseTarget(typed, flags) }))
  if (targets.length === 0)
    throw new UsageError('The targets are missing.', 'Such as: parley message broadcast -t telegram:42 -t slack:C1 --message "Hello"')
  const request = await messageRequest(terminal, given, 'message broadcast')
  const outcomes = await withServer(terminal, ({ client }) =>
    Promise.all(
      targets.map(async ({ typed, ...target }) => {
        try {
          return { target: typed, ...(await client.messages.send({ ...request, ...target, waitMs })) }
        } catch (failure) {
          if (!(failure instanceof ClientError)) throw failure
          return { target: typed, error: { code: failure.code, message: failure.message, hint: failure.hint } }
        }
      }),
    ),
  )
  terminal.result({ items: outcomes }, () =>
    outcomes.flatMap((outcome) =>
      'error' in outcome ? [terminal.words.messages.failed(oneLine(outcome.target))] : outcomeLines(outcome, terminal),
    ),
  )
  if (!terminal.json)
    for (const outcome of outcomes) {
      if ('error' in outcome) terminal.warn(oneLine(outcome.error.message), `${terminal.errPaint.cyan('→')} ${oneLine(outcome.error.hint)}`)
      else tellNextStep(terminal, outcome)
    }
  const isWhole = outcomes.every((outcome) => !('error' in outcome) && exitOfDelivery(outcome.delivery) === exitCode.ok)
  return isWhole ? exitCode.ok : exitCode.failed
}
