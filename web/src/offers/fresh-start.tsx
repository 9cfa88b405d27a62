import { type ReactNode, type RefObject, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { inbox } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useOfferWords } from './offer-words.ts'

/** Asks once, then lets the agent begin a new course. */
export function ConfirmFreshStart({ ref, dialog }: { ref: RefObject<HTMLDialogElement | null>; dialog: string }): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const [error, setError] = useState<string | null>(null)
  const go = async (): Promise<void> => {
    try {
      await client.dialogs.freshStart(dialog)
      setError(null)
      ref.current?.close()
      announce(texts.freshDone)
      inbox.refresh()
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
    }
  }
  return (
    <Confirm
      ref={ref}
      title={texts.freshTitle}
      next={texts.freshNext}
      action={texts.freshStart}
      error={error}
      onConfirm={() => void go()}
    />
  )
}

/** The next step where a dialog failed because its context was full. `name` tells several of them apart. */
export function FreshStart({ dialog, name }: { dialog: string; name?: string }): ReactNode {
  const texts = useOfferWords()
  const ask = useRef<HTMLDialogElement>(null)
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind="main"
        aria-label={name === undefined ? undefined : `${texts.freshStart}: ${name}`}
        onClick={() => ask.current?.showModal()}
      >
        <Icon name="spark" />
        {texts.freshStart}
      </button>
      <ConfirmFreshStart ref={ask} dialog={dialog} />
    </>
  )
}
