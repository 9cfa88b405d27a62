import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { type AskedQuestion, ClientError, freshKey } from '../../../src/client/index.ts'
import type { Answers, ErrorWords, Question } from '../../../src/shapes/wire.ts'
import { AnswerForm } from '../chat/answer-form.tsx'
import styles from '../chat/question-card.module.css'
import { storage } from '../keep/storage.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Tile } from '../look/tile.tsx'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useBuildWords } from './use-build.ts'

/** In the shape of a dialog's question, so that both are filled in by the same parts. */
function asForm({ prompt, questions }: AskedQuestion): Question {
  return {
    text: prompt,
    items: questions.map(({ id, prompt: text, input, options }) =>
      input === 'text'
        ? { id, text, kind: 'text' }
        : {
            id,
            text,
            kind: 'choice',
            options: options.map((option) => ({
              value: option.id,
              label: option.label,
              ...(option.description === undefined ? {} : { hint: option.description }),
            })),
          },
    ),
  }
}

type Props = { build: string; ask: AskedQuestion; onLater(question: string): void }

export function BuildQuestion({ build, ask, onLater }: Props): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const title = useId()
  const card = useRef<HTMLElement>(null)
  const place = `parley.answers.${build}.${ask.id}`
  const question = asForm(ask)
  // One key for all tries: whatever the line does, it is one answer.
  const key = useRef(freshKey())
  const [sending, setSending] = useState<'no' | 'now' | 'done'>('no')
  const [waiting, setWaiting] = useState<Answers | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  useFocusWhileOpen(card)
  useArrowsInto(card)

  const deliver = async (answers: Answers): Promise<void> => {
    setSending('now')
    setWaiting(null)
    setError(null)
    const one = ask.questions[0]
    const answer = ask.isSet || !one ? { answers } : { question_id: one.id, answer: answers[one.id] ?? '' }
    try {
      await client.builds.answer(build, answer, { key: key.current })
      storage.set('tab', place, null)
      announce(words.announce.answered)
      // The card disappears when the answer is in the log, as for every other viewer.
      setSending('done')
    } catch (failure) {
      // Only the way is closed: the answer stays as it is and goes out when it is open again.
      if (failure instanceof ClientError && failure.isTransient) {
        setSending('no')
        return setWaiting(answers)
      }
      setSending('no')
      setError(asWords(failure))
    }
  }
  const again = useEffectEvent(() => waiting && void deliver(waiting))
  useEffect(() => (waiting ? client.live().onChanged(() => again()) : undefined), [waiting])

  const isBusy = sending === 'now' || sending === 'done'
  return (
    <section id="question-card" ref={card} className={styles['card']} tabIndex={-1} aria-labelledby={title} data-shrinks>
      <header className={styles['head']}>
        <Tile name={build} size={22} isYourTurn />
        <p className={styles['who']}>{ask.isSet ? words.questions(ask.questions.length) : words.question}</p>
        <button type="button" className="button" data-kind="quiet" onClick={() => onLater(ask.id)}>
          {page.question.notNow}
        </button>
      </header>
      <h2 id={title} className={styles['title']} dir="auto">
        {ask.prompt}
      </h2>
      <AnswerForm
        ask={question}
        place={place}
        titleId={title}
        isSending={isBusy}
        onChange={() => {
          // A changed answer is another request.
          key.current = freshKey()
          setWaiting(null)
        }}
        onAnswer={(answers) => void deliver(answers)}
      >
        {waiting && (
          <p className={styles['waits']} role="status">
            {words.willSend}
          </p>
        )}
        {error && (
          <p className={styles['error']} role="alert" dir="auto">
            {words.answerFailed} {inWords(error, page).message} {inWords(error, page).hint}
          </p>
        )}
      </AnswerForm>
    </section>
  )
}

const isWriting = (active: Element | null): boolean =>
  active instanceof HTMLTextAreaElement || (active instanceof HTMLInputElement && !['radio', 'checkbox', 'button'].includes(active.type))

/** A question takes the focus unless the person is writing elsewhere, and returns it when it closes. */
function useFocusWhileOpen(card: { current: HTMLElement | null }): void {
  useEffect(() => {
    const box = card.current
    const before = document.activeElement
    if (!box || isWriting(before) || document.querySelector('dialog[open]')) return
    const frame = requestAnimationFrame(() => box.focus({ preventScroll: true }))
    return () => {
      cancelAnimationFrame(frame)
      // When this runs the card has just left the page, and with it the focus: it is nowhere, or still inside what is gone.
      const now = document.activeElement
      if (now !== null && now !== document.body && !box.contains(now)) return
      const back = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : document.getElementById('log')
      back?.focus({ preventScroll: true })
    }
  }, [card])
}

/** The focus came to the card by itself: an arrow key goes on into it, as Tab does. Enter there sends nothing by accident. */
function useArrowsInto(card: { current: HTMLElement | null }): void {
  useEffect(() => {
    const box = card.current
    if (!box) return
    const onKey = (event: KeyboardEvent): void => {
      if (event.target !== box || (event.key !== 'ArrowDown' && event.key !== 'ArrowRight')) return
      event.preventDefault()
      ;(
        box.querySelector<HTMLElement>('input:checked') ?? box.querySelector<HTMLElement>('[data-item] :is(button, input, textarea)')
      )?.focus()
    }
    box.addEventListener('keydown', onKey)
    return () => box.removeEventListener('keydown', onKey)
  }, [card])
}
