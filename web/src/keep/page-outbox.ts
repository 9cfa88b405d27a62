import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { ClientError, freshKey } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { type Letter, outbox, type Sent } from './outbox.ts'
import { storage } from './storage.ts'

const place = 'parley.outbox'
const arrivals = new Set<(letter: Letter, sent: Sent) => void>()

/** This tab's messages on their way. Another tab has its own; a reload keeps them. */
export const pageOutbox = outbox({
  async send({ dialog, text, language, agent, taskdoc, model, key, files = [] }) {
    const ids = files.map(({ file }) => file)
    const withFiles = ids.length > 0 ? { files: ids } : {}
    try {
      if (dialog === null) {
        const chosen = { ...(agent !== null && { agent }), ...(taskdoc && { taskdoc }), ...(model && { model }) }
        const opened = await client.dialogs.open({ text, language, ...withFiles, ...chosen }, { key })
        return { dialog: opened.id, message: null }
      }
      const receipt = await client.dialogs.say(dialog, text, { key, ...withFiles })
      return { dialog, message: receipt.message }
    } catch (error) {
      // Signed out is not a refusal of the letter: it goes out after the next sign-in.
      const transient = error instanceof ClientError && (error.isTransient || error.status === 401)
      return { error: asWords(error), transient }
    }
  },
  load: () => storage.get<Letter[]>('tab', place) ?? [],
  save: (letters) => storage.set('tab', place, letters.length === 0 ? null : letters),
  freshKey,
  onSent: (letter, sent) => {
    for (const listen of arrivals) listen(letter, sent)
  },
})

/** The connection is back, or something moved on: try what waits. */
export function useOutbox(): void {
  useEffect(() => client.live().onChanged(() => void pageOutbox.flush()), [])
}

export function onArrival(listen: (letter: Letter, sent: Sent) => void): () => void {
  arrivals.add(listen)
  return () => void arrivals.delete(listen)
}

/** The letters to one dialog; `null` for those that open one. */
export function useLetters(dialog: string | null): Letter[] {
  const letters = useSyncExternalStore(pageOutbox.subscribe, () => pageOutbox.letters)
  return useMemo(() => letters.filter((letter) => letter.dialog === dialog), [letters, dialog])
}
