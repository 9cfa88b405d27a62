import { type FormEvent, type ReactNode, useContext, useRef, useState } from 'react'
import { controlFor } from '../../../src/client/index.ts'
import type { Answers, Question } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { LanguageContext, useWords } from '../words/use-words.ts'
import { findFaults, toStoredAnswers } from './check-answers.ts'
import { ChoiceRows } from './choice-rows.tsx'
import styles from './question-card.module.css'
import { QuestionPart } from './question-part.tsx'

type FormProps = {
  ask: Question
  /** Where the tab keeps what was typed until it is sent. */
  place: string
  /** The id of the heading. */
  titleId: string
  isSending: boolean
  onChange(): void
  onAnswer(answers: Answers): void
  /** Errors and what waits, above the buttons. */
  children: ReactNode
}

/** Whether a question is answered by one click. */
export const isOneChoice = ({ items: [only, second] }: Question): boolean =>
  only !== undefined && second === undefined && controlFor(only).type === 'options'

/** One choice is answered by one click. Several questions are one step each, and their answers are sent together. */
export function AnswerForm({ ask, place, titleId, isSending, onChange, onAnswer, children }: FormProps): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const form = useRef<HTMLFormElement>(null)
  const [answers, setAnswers] = useState<Answers>(() => storage.get<Answers>('tab', place) ?? {})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [step, setStep] = useState(0)
  const isSet = ask.items.length > 1
  const isLast = step >= ask.items.length - 1
  const item = ask.items[step]
  if (!item) return null
  const choice = isOneChoice(ask) ? controlFor(item) : null

  const change = (value: string): Answers => {
    const next = { ...answers, [item.id]: value }
    setAnswers(next)
    storage.set('tab', place, next)
    onChange()
    if (faults[item.id] !== undefined) setFaults(findFaults(ask, toStoredAnswers(ask, next), language))
    return next
  }
  const goTo = (next: number): void => {
    setStep(next)
    requestAnimationFrame(() => {
      const part = form.current?.querySelector('[data-item]')
      ;(part?.querySelector<HTMLElement>('input:checked') ?? part?.querySelector<HTMLElement>('input, textarea'))?.focus()
    })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isSending) return
    const match = findFaults(ask, toStoredAnswers(ask, answers), language)
    // A step that was not reached yet is not complained about.
    const wrong = ask.items.findIndex(({ id }, index) => index <= step && match[id] !== undefined)
    setFaults(wrong < 0 ? {} : match)
    if (wrong === step) form.current?.querySelector<HTMLElement>('[data-item] :is(input, textarea)')?.focus()
    else if (wrong >= 0) goTo(wrong)
    else if (isLast) onAnswer(toStoredAnswers(ask, answers))
    else goTo(step + 1)
  }
  return (
    <form ref={form} className={styles['form']} noValidate onSubmit={submit}>
      {isSet && (
        <div className={styles['steps']} role="img" aria-label={words.question.several(step + 1, ask.items.length)}>
          {ask.items.map(({ id }, index) => (
            <i key={id} data-on={index <= step || undefined} />
          ))}
        </div>
      )}
      <div className={styles['parts']}>
        {choice?.type === 'options' ? (
          <ChoiceRows
            item={item.id}
            options={choice.options}
            labelledBy={titleId}
            chosen={answers[item.id] ?? null}
            isSending={isSending}
            onChoose={(value) => onAnswer(toStoredAnswers(ask, change(value)))}
          />
        ) : (
          <QuestionPart
            key={item.id}
            item={item}
            isOnly={!isSet}
            value={answers[item.id] ?? ''}
            fault={faults[item.id]}
            onChange={change}
          />
        )}
      </div>
      {children}
      {choice === null && (
        <div className={styles['acts']}>
          {step > 0 && (
            <button type="button" className="button" data-kind="quiet" onClick={() => goTo(step - 1)}>
              {words.question.back}
            </button>
          )}
          <button type="submit" className={`button ${styles['push']}`} data-kind="main" aria-disabled={isSending}>
            {isSending ? words.question.sending : isSet ? (isLast ? words.question.sendSet : words.question.next) : words.question.send}
          </button>
        </div>
      )}
    </form>
  )
}
