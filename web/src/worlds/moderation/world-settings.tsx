import { type ReactNode, useId, useRef, useState } from 'react'
import { Confirm } from '../../parts/confirm.tsx'
import { ActButton, CardForm, TextField } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { PartProps } from './part-props.ts'

export function WorldSettings({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const { world } = page
  const [text, setText] = useState(world.text)
  const [summary, setSummary] = useState(world.summary)
  const { isSending, error, run } = useAction(refresh)
  const { facts, status } = world
  const setStatus = (next: typeof status): void => void run(() => send({ do: 'set-status', status: next }), words.saved)
  const save = (): void =>
    void run(async () => {
      if (summary.trim() !== world.summary) await send({ do: 'edit-facts', facts: { ...facts, summary: summary.trim() } })
      if (text.trim() !== world.text) await send({ do: 'edit-text', text: text.trim() })
    }, words.saved)
  return (
    <>
      <CardForm error={error} onSubmit={save} acts={<ActButton label={words.save} isSending={isSending} />}>
        <TextField label={words.summary} maxLength={280} value={summary} onChange={setSummary} />
        <TextField label={words.editText} rows={6} required maxLength={8_000} value={text} onChange={setText} />
      </CardForm>
      <label className={styles['choice']} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={facts.broadcast.enabled}
          disabled={isSending}
          onChange={(event) => {
            const broadcast = { ...facts.broadcast, enabled: event.target.checked }
            void run(() => send({ do: 'edit-facts', facts: { ...facts, broadcast } }), words.saved)
          }}
        />
        {words.allowBroadcast}
      </label>
      {status === 'closed' ? (
        <p className={styles['soft']}>{words.closedForGood}</p>
      ) : (
        <div className={styles['acts']}>
          {status === 'enabled' ? (
            <ActButton label={words.pause} isSending={isSending} onClick={() => setStatus('paused')} />
          ) : (
            <ActButton label={words.reopen} isSending={isSending} onClick={() => setStatus('enabled')} />
          )}
          <CloseWorld name={world.displayName} send={() => send({ do: 'set-status', status: 'closed' })} refresh={refresh} />
        </div>
      )}
    </>
  )
}

function CloseWorld({ name, send, refresh }: { name: string; send(): Promise<unknown>; refresh(): void }): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { error, run } = useAction(refresh)
  return (
    <>
      <button type="button" className="button" data-kind="bad" onClick={() => dialog.current?.showModal()}>
        {words.closeWorld}
      </button>
      <Confirm
        ref={dialog}
        title={words.closeWorldAsk(name)}
        next={words.closeWorldNext}
        action={words.closeWorld}
        isDangerous
        error={error}
        onConfirm={() => void run(send, words.saved).then((isDone) => isDone && dialog.current?.close())}
      />
    </>
  )
}
