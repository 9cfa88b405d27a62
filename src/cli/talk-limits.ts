import type { OperationInput } from '../client/call.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'

type TalkLimits = Omit<OperationInput<'conversations.limit'>, 'id' | 'account'>

export function readMoney(given: Given): number | undefined {
  const money = given.text('money')
  if (money === undefined) return undefined
  if (!(Number.isFinite(Number(money)) && Number(money) >= 0) || money.trim() === '')
    throw new UsageError(`"${money}" is not an amount.`, 'Write it like this: --money 0.2')
  return Number(money)
}

export function readLimits(given: Given): TalkLimits {
  return {
    turns: given.number('turns'),
    tokens: given.number('tokens'),
    money: readMoney(given),
    reporting: given.text('report') as TalkLimits['reporting'],
  }
}
