import type { MessageFile } from '../../../src/client/index.ts'
import type { ErrorWords, Language } from '../../../src/shapes/wire.ts'

/** A message that is being sent. `dialog` is null for one that opens a dialog. Retries share the key. */
export type Letter = {
  key: string
  dialog: string | null
  text: string
  language: Language
  agent: string | null
  /** Of the dialog that it opens. */
  taskdoc?: string | null
  model?: string | null
  /** Stored already. Letters of earlier versions have none. */
  files?: readonly MessageFile[]
  state: 'waiting' | 'sending' | 'refused'
  error: ErrorWords | null
}

/** `message` is null when the dialog itself was opened with it. */
export type Sent = { dialog: string; message: string | null }

/** `transient`: nothing is wrong with the letter, only with the way. */
export type Refused = { error: ErrorWords; transient: boolean }

export type OutboxOptions = {
  send(letter: Letter): Promise<Sent | Refused>
  load(): Letter[]
  save(letters: Letter[]): void
  freshKey(): string
  /** Told when a letter arrived. */
  onSent(letter: Letter, sent: Sent): void
}

export type Outbox = {
  readonly letters: readonly Letter[]
  subscribe(listen: () => void): () => void
  post(letter: Pick<Letter, 'dialog' | 'text' | 'language' | 'agent' | 'taskdoc' | 'model' | 'files'>): Letter
  /** The way is open (again): send what waits, oldest first. */
  flush(): Promise<void>
  retry(key: string): void
  /** Takes a letter out that was not sent; gives it back for the composer. */
  take(key: string): Letter | null
}

/** Messages leave one after the other in the order they were written; each stays here until the server has it. */
export function outbox(options: OutboxOptions): Outbox {
  const listeners = new Set<() => void>()
  // A message that was being sent when the page closed may have arrived: the same key makes a retry harmless.
  let letters: Letter[] = options.load().map((letter) => (letter.state === 'sending' ? { ...letter, state: 'waiting' } : letter))
  let running: Promise<void> | null = null

  function change(next: Letter[]): void {
    letters = next
    options.save(next)
    for (const listen of listeners) listen()
  }
  const edit = (key: string, edits: Partial<Letter>): void =>
    change(letters.map((letter) => (letter.key === key ? { ...letter, ...edits } : letter)))

  async function run(): Promise<void> {
    for (;;) {
      const next = letters.find((letter) => letter.state === 'waiting')
      if (!next) return
      edit(next.key, { state: 'sending', error: null })
      const outcome = await options.send(next)
      if ('dialog' in outcome) {
        change(letters.filter((letter) => letter.key !== next.key))
        options.onSent(next, outcome)
      } else if (outcome.transient) {
        edit(next.key, { state: 'waiting', error: outcome.error })
        return
      } else edit(next.key, { state: 'refused', error: outcome.error })
    }
  }

  const flush = (): Promise<void> => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }

  return {
    get letters() {
      return letters
    },
    subscribe(listen) {
      listeners.add(listen)
      return () => void listeners.delete(listen)
    },
    post(input) {
      const letter: Letter = { ...input, key: options.freshKey(), state: 'waiting', error: null }
      change([...letters, letter])
      void flush()
      return letter
    },
    flush,
    retry(key) {
      edit(key, { state: 'waiting', error: null })
      void flush()
    },
    take(key) {
      const letter = letters.find((one) => one.key === key)
      if (!letter || letter.state === 'sending') return null
      change(letters.filter((one) => one !== letter))
      return letter
    },
  }
}
