import { type ReactNode, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { TextField } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { useWorldWords, type WorldsAccount } from './use-worlds.ts'

type ChangeBudgetProps = {
  account: string
  budget: WorldsAccount['budget']
  /** Of the talks in this world alone. */
  world?: string
  refresh(): void
}

/** The most that talks cost in a day. */
export function ChangeBudget({ account, budget, world, refresh }: ChangeBudgetProps): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const now = budget.worlds.find((one) => one.world === world) ?? budget
  const [money, setMoney] = useState('')
  const [tokens, setTokens] = useState('')
  const { error, run } = useAction(refresh)
  const open = (): void => {
    setMoney(now.money.toFixed(2))
    setTokens(String(now.tokens))
    dialog.current?.showModal()
  }
  const limits = { account, money: Number(money), tokens: Number(tokens), ...(world === undefined ? {} : { world }) }
  const title = world === undefined ? words.changeBudget : words.changeWorldBudget
  return (
    <>
      <button type="button" className="button" aria-label={world === undefined ? words.changeBudgetOf(account) : undefined} onClick={open}>
        {title}
      </button>
      <Confirm
        ref={dialog}
        title={title}
        next={world === undefined ? words.budgetNext : words.worldBudgetNext}
        action={words.save}
        error={error}
        onConfirm={() => void run(() => client.account.budget(limits), words.saved).then((isDone) => isDone && dialog.current?.close())}
      >
        <TextField label={words.budgetMoney} numbers={{ min: 0, step: 0.01 }} required value={money} onChange={setMoney} />
        <TextField label={words.budgetTokens} numbers={{ min: 0, step: 1 }} required value={tokens} onChange={setTokens} />
      </Confirm>
    </>
  )
}
