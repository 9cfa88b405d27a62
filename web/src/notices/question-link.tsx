import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ClientError } from '../../../src/client/index.ts'
import type { QuestionView } from '../../../src/shapes/wire.ts'
import { pageFindWords } from '../../../src/words/page-parts.ts'
import { getCloser } from '../chat/author.ts'
import { useSettings } from '../keep/settings.ts'
import { client } from '../link/page-client.ts'
import notice from '../parts/notice-page.module.css'
import { useTimes, useWords } from '../words/use-words.ts'

const chatPath = ({ dialog, id }: QuestionView): string => `/c/${encodeURIComponent(dialog)}#${encodeURIComponent(id)}`

/**
 * `/q/<question>`, as notifications and e-mails link to it. An open question is shown in its chat, or in the inbox of a reader who
 * may not read the chat. Of one that is closed the page says how it ended.
 */
export function QuestionLink({ question }: { question: string }): ReactNode {
  const [, navigate] = useLocation()
  const [attempt, setAttempt] = useState(0)
  const [found, setFound] = useState<QuestionView | 'none' | 'unreachable' | null>(null)
  useEffect(() => {
    let isGone = false
    client.questions.get(question).then(
      (view) => {
        if (isGone) return
        if (view.state === 'open') navigate(view.isDialogClosed ? '/o' : chatPath(view), { replace: true })
        else setFound(view)
      },
      (error: unknown) => {
        if (!isGone) setFound(error instanceof ClientError && error.isTransient ? 'unreachable' : 'none')
      },
    )
    return () => {
      isGone = true
    }
  }, [question, navigate, attempt])
  if (found === null) return null
  if (typeof found !== 'string') return <Closed view={found} />
  return <CannotShow isUnreachable={found === 'unreachable'} onRetry={() => setAttempt(attempt + 1)} />
}

function Closed({ view }: { view: QuestionView }): ReactNode {
  const words = useWords()
  const find = pageFindWords[useSettings().language]
  const { clock } = useTimes()
  const { state, closed, isDialogClosed, ask } = view
  const who = getCloser(closed?.by ?? null, words)
  const when = clock(closed?.at ?? view.askedAt)
  return (
    <div className={notice['page']}>
      <h1 dir="auto">{ask.text || ask.items[0]?.text || find.question}</h1>
      <p className={notice['lead']}>
        {state === 'answered'
          ? find.answered(who, when)
          : state === 'declined'
            ? find.declined(who, when)
            : state === 'expired'
              ? find.expired(when)
              : find.cancelled(when)}{' '}
        {find.nobodyWaits}
      </p>
      <Link href={isDialogClosed ? '/o' : chatPath(view)} className="button">
        {isDialogClosed ? find.toInbox : find.openChat}
      </Link>
    </div>
  )
}

function CannotShow({ isUnreachable, onRetry }: { isUnreachable: boolean; onRetry(): void }): ReactNode {
  const find = pageFindWords[useSettings().language]
  return (
    <div className={notice['page']}>
      <h1>{isUnreachable ? find.unreachable : find.notForYou}</h1>
      <p className={notice['lead']}>{isUnreachable ? find.unreachableNext : find.notForYouNext}</p>
      {isUnreachable ? (
        <button type="button" className="button" onClick={onRetry}>
          {find.tryAgain}
        </button>
      ) : (
        <Link href="/o" className="button">
          {find.toInbox}
        </Link>
      )}
    </div>
  )
}
