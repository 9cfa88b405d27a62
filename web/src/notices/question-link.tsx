import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { client } from '../link/page-client.ts'
import { NotFound } from '../parts/not-found.tsx'

/** `/q/<question>`, as notifications and e-mails link to it: the chat that asks, or the inbox of a reader who may not read it. */
export function QuestionLink({ question }: { question: string }): ReactNode {
  const [, navigate] = useLocation()
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    let isGone = false
    client.questions.get(question).then(
      ({ dialog, isDialogClosed }) => {
        if (!isGone) navigate(isDialogClosed ? '/o' : `/c/${encodeURIComponent(dialog)}`, { replace: true })
      },
      () => setMissing(true),
    )
    return () => {
      isGone = true
    }
  }, [question, navigate])
  return isMissing ? <NotFound /> : null
}
