import { type ReactNode, useId, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { inWords, useWords } from '../words/use-words.ts'

/** Ends a side dialog for good, with a note for the dialog that waits for it. */
export function GiveUp({ dialog }: { dialog: string }): ReactNode {
  const words = useWords()
  const ask = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [note, setNote] = useState('')
  const [error, setError] = useState<string | null>(null)
  const go = async (): Promise<void> => {
    try {
      await client.dialogs.declareDead(dialog, note.trim() === '' ? undefined : note.trim())
      ask.current?.close()
    } catch (failure) {
      setError(`${words.tree.failed} ${inWords(asWords(failure), words).message}`)
    }
  }
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        aria-label={words.tree.giveUp}
        onClick={() => {
          setError(null)
          ask.current?.showModal()
        }}
      >
        <Icon name="close" />
        <span className="only-wide">{words.tree.giveUp}</span>
      </button>
      <Confirm
        ref={ask}
        title={words.tree.giveUpTitle}
        next={words.tree.giveUpNext}
        action={words.tree.giveUpDo}
        isDangerous
        error={error}
        onConfirm={() => void go()}
      >
        <label htmlFor={id}>{words.tree.giveUpNote}</label>
        <textarea
          id={id}
          className="field"
          rows={3}
          maxLength={2_000}
          dir="auto"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </Confirm>
    </>
  )
}
