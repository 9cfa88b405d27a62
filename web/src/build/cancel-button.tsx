import { type ReactNode, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useBuildWords } from './use-build.ts'

export function CancelButton({ build, isStopping }: { build: string; isStopping: boolean }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [isSent, setSent] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const cancel = async (): Promise<void> => {
    setError(null)
    try {
      await client.builds.cancel(build)
      setSent(true)
      dialog.current?.close()
    } catch (failure) {
      setError(`${words.cancelFailed} ${inWords(asWords(failure), page).message}`)
    }
  }
  if (isStopping || isSent) return <p role="status">{words.cancelling}</p>
  return (
    <>
      <button type="button" className="button" data-kind="quiet" aria-label={words.cancelLong} onClick={() => dialog.current?.showModal()}>
        <Icon name="stop" />
        {words.cancel}
      </button>
      <Confirm
        ref={dialog}
        title={words.cancelTitle}
        next={words.cancelNext}
        action={words.cancelDo}
        isDangerous
        error={error}
        onConfirm={() => void cancel()}
      />
    </>
  )
}
