import { useCallback, useEffect, useState } from 'react'
import { ClientError, type DialogView } from '../../../src/client/index.ts'
import type { ErrorWords, TaskdocView } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'

/** Other chats, programs and editors change it as well; this page hears only of its own chat. */
const everyMs = 15_000

export type TaskdocInUse = {
  document: TaskdocView | null
  error: ErrorWords | null
  /** Fetches it again; null when that fails. */
  refresh(): Promise<TaskdocView | null>
  adopt(document: TaskdocView): void
}

/** The task document of a dialog, fetched again whenever the chat shows that it changed, and now and then. */
export function useTaskdoc(dialog: string, view: DialogView): TaskdocInUse {
  const [document, adopt] = useState<TaskdocView | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const changes = view.items.filter(
    (item) =>
      (item.kind === 'note' && item.event.type === 'taskdoc.changed') ||
      (item.kind === 'tool' && item.name === 'change_mind' && item.state === 'done'),
  ).length

  const refresh = useCallback(async (): Promise<TaskdocView | null> => {
    try {
      const next = await client.taskdocs.get(dialog)
      adopt(next)
      setError(null)
      return next
    } catch (failure) {
      // Without a connection the dock says so, and what is shown stays.
      if (!(failure instanceof ClientError && failure.isTransient)) setError(asWords(failure))
      return null
    }
  }, [dialog])

  useEffect(() => void refresh(), [refresh, changes])
  useEffect(() => {
    const look = (): void => {
      if (window.document.visibilityState === 'visible') void refresh()
    }
    const timer = setInterval(look, everyMs)
    addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', look)
    }
  }, [refresh])
  return { document, error, refresh, adopt }
}
