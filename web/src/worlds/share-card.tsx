import { type ReactNode, useContext, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { TextField } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { useWorldWords } from './use-worlds.ts'

/** Saves the picture of a finished talk, with a line of the owner's own. */
export function ShareCard({ account, request }: { account: string; request: string }): ReactNode {
  const words = useWorldWords()
  const language = useContext(LanguageContext)
  const dialog = useRef<HTMLDialogElement>(null)
  const [line, setLine] = useState('')
  const { error, run } = useAction(() => {})
  const save = async (): Promise<void> => {
    const given = { account, language, ...(line.trim() === '' ? {} : { line: line.trim() }) }
    const { svg, fileName } = await client.reports.card(request, given)
    const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
    Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
    // The browser has read it by the next task.
    setTimeout(() => URL.revokeObjectURL(url))
  }
  return (
    <>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        {words.shareCard}
      </button>
      <Confirm
        ref={dialog}
        title={words.shareCard}
        next={words.shareNext}
        action={words.shareSave}
        error={error}
        onConfirm={() => void run(save, words.didShare).then((isDone) => isDone && dialog.current?.close())}
      >
        <TextField label={words.shareLine} maxLength={140} value={line} onChange={setLine} />
      </Confirm>
    </>
  )
}
