import { type ReactNode, useRef, useState } from 'react'
import { Confirm } from '../../parts/confirm.tsx'
import { TextField } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { useWorldWords } from '../use-worlds.ts'

type ActWithReasonProps = {
  label: string
  peer: string
  next: string
  done: string
  isDangerous?: boolean
  send(reason: string): Promise<unknown>
  refresh(): void
}

/** An act against a member: asks for the reason that the log of the world gets. */
export function ActWithReason({ label, peer, next, done, isDangerous = false, send, refresh }: ActWithReasonProps): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState('')
  const { error, run } = useAction(refresh)
  const title = words.act(label, peer)
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind={isDangerous ? 'bad' : undefined}
        aria-label={title}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <Confirm
        ref={dialog}
        title={title}
        next={next}
        action={label}
        isDangerous={isDangerous}
        error={error}
        onConfirm={() => void run(() => send(reason.trim()), done).then((isDone) => isDone && dialog.current?.close())}
      >
        <TextField label={words.actReason} rows={2} required maxLength={500} value={reason} onChange={setReason} />
      </Confirm>
    </>
  )
}
