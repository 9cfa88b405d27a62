import { type ReactNode, useState } from 'react'
import { type QuestionItemView, toIsoDate } from '../../../src/client/index.ts'
import { findTypedAnswer } from '../../../src/client/typed-answer.ts'
import { client } from '../link/page-client.ts'
import { useDeciding } from '../lists/use-deciding.ts'
import { useOfferWords } from './offer-words.ts'

type OfferProps = { questions: readonly QuestionItemView[]; text: string; onAnswered(): void }

/** Words typed while a question is open may be meant as its answer. Send says them to the agent; this answers. */
export function AnswerOffer({ questions, text, onAnswered }: OfferProps): ReactNode {
  const words = useOfferWords()
  const { isSending, error, decide } = useDeciding()
  const [today] = useState(() => toIsoDate(Date.now()))
  const typed = findTypedAnswer(questions, text, today)
  if (typed === null) return null
  const { question, answers } = typed
  const send = async (): Promise<void> => {
    await client.questions.answer(question.id, { answers })
    onAnswered()
  }
  return (
    <p>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        aria-disabled={isSending}
        onClick={() => void decide(send, words.asAnswered)}
      >
        {words.asAnswer(question.ask.text || question.ask.items[0]?.text || '')}
      </button>
      {error !== null && <span role="alert">{error}</span>}
    </p>
  )
}
