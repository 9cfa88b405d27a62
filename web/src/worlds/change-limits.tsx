import { type ReactNode, useId, useRef, useState } from 'react'
import { Confirm } from '../parts/confirm.tsx'
import { TextField } from './card-form.tsx'
import { type TalkBounds, useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

/** Most turns of one talk, as the host counts them. */
const mostTurns = 24

type ChangeLimitsProps = {
  bounds: TalkBounds
  /** Of an earlier try. */
  error: string | null
  /** True once they are stored. */
  save(limits: TalkBounds): Promise<boolean>
}

/** Limits of one talk, and when its agent reports. */
export function ChangeLimits({ bounds, error, save }: ChangeLimitsProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [turns, setTurns] = useState('')
  const [money, setMoney] = useState('')
  const [reporting, setReporting] = useState(bounds.reporting)
  const open = (): void => {
    setTurns(String(bounds.turns))
    setMoney(bounds.money.toFixed(2))
    setReporting(bounds.reporting)
    dialog.current?.showModal()
  }
  const limits = { turns: Number(turns), money: Number(money), reporting }
  const confirm = (): void => void save(limits).then((isDone) => isDone && dialog.current?.close())
  return (
    <>
      <button type="button" className="button" onClick={open}>
        {words.changeLimits}
      </button>
      <Confirm ref={dialog} title={words.changeLimits} next={words.limitsNext} action={words.save} error={error} onConfirm={confirm}>
        <TextField label={words.limitTurns} numbers={{ min: 1, max: mostTurns, step: 1 }} required value={turns} onChange={setTurns} />
        <TextField label={words.limitMoney} numbers={{ min: 0, step: 0.01 }} required value={money} onChange={setMoney} />
        <div className={styles['field']}>
          <label className={styles['label']} htmlFor={id}>
            {words.limitReports}
          </label>
          <select
            id={id}
            className="field"
            value={reporting}
            onChange={(event) => setReporting(event.target.value as TalkBounds['reporting'])}
          >
            {(Object.keys(words.reporting) as TalkBounds['reporting'][]).map((mode) => (
              <option key={mode} value={mode}>
                {words.reporting[mode]}
              </option>
            ))}
          </select>
        </div>
      </Confirm>
    </>
  )
}
