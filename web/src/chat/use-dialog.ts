import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { onArrival } from '../keep/page-outbox.ts'
import { client } from '../link/page-client.ts'
import { announce } from '../parts/announcer.tsx'
import type { PageWords } from '../../../src/words/en/page.ts'
import { useWords } from '../words/use-words.ts'
import { toAuthor } from './author.ts'
import { type DialogSnapshot, type DialogStore, dialogStore } from './dialog-store.ts'

export function useDialog(dialog: string): DialogSnapshot & { store: DialogStore } {
  const words = useWords()
  const store = useMemo(() => dialogStore(client, dialog), [dialog])
  const snapshot = useSyncExternalStore(store.subscribe, store.get)
  useEffect(
    () =>
      onArrival((letter, sent) => {
        if (sent.dialog === dialog && sent.message !== null) store.sent(letter, sent.message)
      }),
    [store, dialog],
  )
  useEffect(() => tellNews(store, words), [store, words])
  return { ...snapshot, store }
}

/** Says what happened since the dialog was shown: events, gathered into one sentence, never the words of a reply. */
function tellNews(store: DialogStore, words: PageWords): () => void {
  let before = store.get()
  return store.subscribe(() => {
    const now = store.get()
    const { view } = now
    const was = before
    before = now
    if (!was.isReady || !now.isReady || was.view === view) return
    const news: string[] = []
    const fresh = view.items.filter((item) => item.seq > was.view.seq)
    if (fresh.some((item) => item.kind === 'message' && item.by.kind === 'agent' && !item.isCut))
      news.push(words.announce.replied(toAuthor({ kind: 'agent', name: view.agent }, words)))
    const newQuestions = view.questions.filter((question) => question.seq > was.view.seq && question.approval?.shown.text !== '')
    if (newQuestions.some(({ isApproval }) => isApproval))
      news.push(words.announce.approvals(view.questions.filter(({ isApproval }) => isApproval).length))
    if (newQuestions.some(({ isApproval }) => !isApproval))
      news.push(words.announce.questions(view.questions.filter(({ isApproval }) => !isApproval).length))
    if (view.status !== was.view.status && view.status === 'stopped') news.push(words.announce.stopped)
    if (view.status !== was.view.status && view.status === 'failed') news.push(words.announce.failed)
    if (news.length > 0) announce(news.join('. '))
  })
}
