import { type FormEvent, type ReactNode, useContext, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { ClientError, freshKey, type QuestionItemView } from '../../../src/client/index.ts'
import type { Answers, ErrorWords } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { client } from '../link/page-client.ts'
import { useReader } from '../link/reader.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import { inWords, LanguageContext, useTimes, useWords } from '../words/use-words.ts'
import { audienceWords } from './audience-words.ts'
import { toAuthor } from './author.ts'
import { answeredCount, findFaults, toStoredAnswers } from './check-answers.ts'
import { DeclineForm } from './decline-form.tsx'
import styles from './question-card.module.css'
import { QuestionPart } from './question-part.tsx'

type CardProps = {
  question: Pick<QuestionItemView, 'id' | 'ask' | 'by' | 'expiresAt' | 'seq' | 'audience'>
  place: { at: number; all: number; next(): void } | null
  onNotNow(): void
  /** True while and after this page sends the answer; false when it was refused, so that the winner can be shown. */
  onSending(isMine: boolean): void
  onShowAsked?(): void
  /** The answer can be taken back for so long. */
  undoSeconds?: number
}

/** Where the unsent answers of a question are kept. */
export const answersPlace = (question: string): string => `parley.answers.${question}`

export function QuestionCard({ question, place, onNotNow, onSending, onShowAsked, undoSeconds }: CardProps): ReactNode {
  const { id, ask, by, expiresAt, seq } = question
  const words = useWords()
  const language = useContext(LanguageContext)
  const isFor = audienceWords(question.audience, useReader(), words, language)
  const times = useTimes()
  const title = useId()
  const form = useRef<HTMLFormElement>(null)
  // One key for all tries: whatever the line does, it is one answer.
  const key = useRef(freshKey())
  const [answers, setAnswers] = useState<Answers>(() => storage.get<Answers>('tab', answersPlace(id)) ?? {})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const card = useRef<HTMLElement>(null)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<ErrorWords | null>(null)
  const [isDeclining, setDeclining] = useState(false)
  const isSet = ask.items.length > 1

  const stored = (typed: Answers): Answers => toStoredAnswers(ask, typed)

  const change = (item: string, value: string): void => {
    const next = { ...answers, [item]: value }
    setAnswers(next)
    storage.set('tab', answersPlace(id), next)
    // A changed answer is another request.
    key.current = freshKey()
    setWaits(null)
    if (faults[item] !== undefined) setFaults(findFaults(ask, stored(next), language))
  }

  const [waits, setWaits] = useState<(() => Promise<unknown>) | null>(null)

  const deliver = async (work: () => Promise<unknown>): Promise<void> => {
    setWaits(null)
    setSending(true)
    setError(null)
    onSending(true)
    try {
      await work()
      storage.set('tab', answersPlace(id), null)
      announce(words.announce.answered)
      // The next question, or a field elsewhere, may have the focus by now.
      const active = document.activeElement
      if (active === document.body || card.current?.contains(active)) document.getElementById('composer')?.focus({ preventScroll: true })
    } catch (failure) {
      // Only the way is closed: the answer stays as it is and goes out when it is open again.
      if (failure instanceof ClientError && failure.isTransient) return setWaits(() => work)
      onSending(false)
      setError(asWords(failure))
    } finally {
      setSending(false)
    }
  }
  const again = useEffectEvent((work: () => Promise<unknown>) => void deliver(work))
  useEffect(() => (waits ? client.live().onChanged(() => again(waits)) : undefined), [waits])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const storedAnswers = stored(answers)
    const match = findFaults(ask, storedAnswers, language)
    setFaults(match)
    const first = ask.items.find((item) => match[item.id] !== undefined)
    if (isSending) return
    if (!first)
      return void deliver(() =>
        client.questions.answer(id, { answers: storedAnswers, ...(undoSeconds && { undoSeconds }) }, { key: key.current }),
      )
    form.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(first.id)}"] :is(input, textarea)`)?.focus()
  }

  return (
    <section id="question-card" ref={card} className={styles['card']} tabIndex={-1} aria-labelledby={title} data-shrinks>
      <header className={styles['head']}>
        <div>
          <p className={styles['who']}>
            <bdi>{words.question.asks(toAuthor(by, words))}</bdi>
            {seq > 0 && onShowAsked && (
              <button type="button" className={styles['asked']} onClick={onShowAsked}>
                {words.question.goToAsked}
              </button>
            )}
            {isFor !== null && <span>{isFor}</span>}
            {expiresAt !== null && <span>{words.question.until(times.clock(expiresAt))}</span>}
            {isSet && <span className={styles['progress']}>{words.question.progress(answeredCount(ask, answers), ask.items.length)}</span>}
          </p>
          <h2 id={title} dir="auto">
            {ask.text || ask.items[0]?.text}
          </h2>
        </div>
        {place && (
          <button type="button" className="button" data-kind="quiet" onClick={place.next}>
            {words.question.several(place.at, place.all)}
          </button>
        )}
      </header>
      {isDeclining ? (
        <DeclineForm
          isSending={isSending}
          error={error}
          onBack={() => setDeclining(false)}
          onDecline={(reason) =>
            void (isSending || deliver(() => client.questions.decline(id, reason === '' ? undefined : reason, { key: key.current })))
          }
        />
      ) : (
        <form ref={form} className={styles['form']} noValidate onSubmit={submit}>
          <div className={styles['parts']}>
            {ask.items.map((item) => (
              <QuestionPart
                key={item.id}
                item={item}
                isOnly={!isSet}
                value={answers[item.id] ?? ''}
                fault={faults[item.id]}
                onChange={(value) => change(item.id, value)}
              />
            ))}
          </div>
          {waits && (
            <p className={styles['waits']} role="status">
              {words.question.willSend}
            </p>
          )}
          {error && (
            <p className={styles['error']} role="alert" dir="auto">
              {words.question.failed} {inWords(error, words).message} {inWords(error, words).hint}
            </p>
          )}
          <div className={styles['acts']}>
            <button type="submit" className="button" data-kind="main" aria-disabled={isSending}>
              {isSending ? words.question.sending : isSet ? words.question.sendSet : words.question.send}
            </button>
            <button type="button" className="button" onClick={onNotNow}>
              {words.question.notNow}
            </button>
            <button type="button" className="button" data-kind="quiet" onClick={() => setDeclining(true)}>
              {words.question.decline}
            </button>
          </div>
        </form>
      )}
    </section>
  )
}
