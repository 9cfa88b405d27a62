import { type ReactNode, useContext, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { ClientError, freshKey, type QuestionItemView } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { storage } from '../keep/storage.ts'
import { client } from '../link/page-client.ts'
import { useReader } from '../link/reader.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { announce } from '../parts/announcer.tsx'
import { inWords, LanguageContext, useTimes, useWords } from '../words/use-words.ts'
import { AnswerForm, isOneChoice } from './answer-form.tsx'
import { audienceWords } from './audience-words.ts'
import { toAuthor } from './author.ts'
import { DeclineForm } from './decline-form.tsx'
import styles from './question-card.module.css'

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

/** The question of an agent, above the message field. Later folds it; Decline is in its menu. */
export function QuestionCard({ question, place, onNotNow, onSending, onShowAsked, undoSeconds }: CardProps): ReactNode {
  const { id, ask, by, expiresAt, seq } = question
  const words = useWords()
  const language = useContext(LanguageContext)
  const isFor = audienceWords(question.audience, useReader(), words, language)
  const times = useTimes()
  const title = useId()
  const more = useId()
  // One key for all tries: whatever the line does, it is one answer.
  const key = useRef(freshKey())
  const card = useRef<HTMLElement>(null)
  const [isSending, setSending] = useState(false)
  const [error, setError] = useState<ErrorWords | null>(null)
  const [isDeclining, setDeclining] = useState(false)
  const [hasMenu, setMenu] = useState(false)
  const agent = toAuthor(by, words)
  const count = ask.items.length

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

  return (
    <section id="question-card" ref={card} className={styles['card']} tabIndex={-1} aria-labelledby={title} data-shrinks>
      <header className={styles['head']}>
        <Tile name={by.name} size={22} isYourTurn />
        <p className={styles['who']}>
          <bdi>
            {count > 1
              ? words.question.hasQuestions(agent, count)
              : isOneChoice(ask)
                ? words.question.needsDecision(agent)
                : words.question.hasQuestion(agent)}
          </bdi>
          {isFor !== null && <span>{isFor}</span>}
          {expiresAt !== null && <span>{words.question.until(times.clock(expiresAt))}</span>}
        </p>
        {place && (
          <button type="button" className="button" data-kind="quiet" onClick={place.next}>
            {words.question.several(place.at, place.all)}
          </button>
        )}
        <button
          type="button"
          className="button"
          data-kind="quiet"
          data-shape="icon"
          aria-label={words.question.more}
          aria-expanded={hasMenu}
          aria-controls={more}
          onClick={() => setMenu(!hasMenu)}
        >
          <Icon name="dots" />
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={onNotNow}>
          {words.question.notNow}
        </button>
      </header>
      <div id={more} className={styles['acts']} hidden={!hasMenu}>
        <button
          type="button"
          className="button"
          onClick={() => {
            setMenu(false)
            setDeclining(true)
          }}
        >
          {words.question.decline}
        </button>
        {seq > 0 && onShowAsked && (
          <button type="button" className="button" data-kind="quiet" onClick={onShowAsked}>
            {words.question.goToAsked}
          </button>
        )}
      </div>
      <h2 id={title} className={styles['title']} dir="auto">
        {ask.text || ask.items[0]?.text}
      </h2>
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
        <AnswerForm
          ask={ask}
          place={answersPlace(id)}
          titleId={title}
          isSending={isSending}
          onChange={() => {
            // A changed answer is another request.
            key.current = freshKey()
            setWaits(null)
          }}
          onAnswer={(answers) =>
            void deliver(() => client.questions.answer(id, { answers, ...(undoSeconds && { undoSeconds }) }, { key: key.current }))
          }
        >
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
        </AnswerForm>
      )}
    </section>
  )
}
