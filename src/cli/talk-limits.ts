import type { OperationInput } from '../client/call.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'

type TalkLimits = Omit<OperationInput<'conversations.limit'>, 'id' | 'account'>

export function readLimits(given: Given): TalkLimits {
  const money = given.text('money')
  if (money !== undefined && !(Number(money) >= 0)) throw new UsageError(`${money} is not an amount.`, 'Write it like this: --money 0.2')
  return {
    turns: given.number('turns'),
    tokens: given.number('tokens'),
    money: money === undefined ? undefined : Number(money),
    reporting: given.text('report') as TalkLimits['reporting'],
  }
}
