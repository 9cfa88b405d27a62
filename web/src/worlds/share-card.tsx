import { type ReactNode, useContext, useRef, useState } from 'react'
import { client } from '../link/page-client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { TextField } from './card-form.tsx'
import { saveFile } from './save-file.ts'
import { useAction } from './use-action.ts'
import { useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type Talk = { account: string; request: string }

/** Saves the picture of a finished talk, with a line of the owner's own. */
export function ShareCard({ account, request }: Talk): ReactNode {
  const words = useWorldWords()
  const language = useContext(LanguageContext)
  const dialog = useRef<HTMLDialogElement>(null)
  const [line, setLine] = useState('')
  const { error, run } = useAction(() => {})
  const save = async (): Promise<void> => {
    const given = { account, language, ...(line.trim() === '' ? {} : { line: line.trim() }) }
    const { svg, fileName } = await client.reports.card(request, given)
    saveFile(svg, 'image/svg+xml', fileName)
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

/** Saves the picture of an own agent, which others need to find it and to recognise its key. */
export function ShareAccount({ account }: { account: string }): ReactNode {
  const words = useWorldWords()
  const language = useContext(LanguageContext)
  const { isSending, error, run } = useAction(() => {})
  const save = async (): Promise<void> => {
    const { svg, fileName } = await client.account.card({ account, language })
    saveFile(svg, 'image/svg+xml', fileName)
  }
  return (
    <>
      <button
        type="button"
        className="button"
        aria-label={words.shareAccountOf(account)}
        aria-disabled={isSending}
        onClick={() => void run(save, words.didShare)}
      >
        {words.shareCard}
      </button>
      {error !== null && (
        <p role="alert" className={styles['bad']}>
          {error}
        </p>
      )}
    </>
  )
}

/** Saves the turns of a talk. Addresses, numbers and keys in them are replaced unless the owner wants them. */
export function ExportTalk({ account, request }: Talk): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [format, setFormat] = useState<'markdown' | 'jsonl'>('markdown')
  const [isHidden, setIsHidden] = useState(true)
  const { error, run } = useAction(() => {})
  const save = async (): Promise<void> => {
    const full = isHidden ? 'false' : 'true'
    const { text, fileName } = await client.conversations.export(request, { account, format, full })
    saveFile(text, 'text/plain;charset=utf-8', fileName)
  }
  return (
    <>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        {words.exportTurns}
      </button>
      <Confirm
        ref={dialog}
        title={words.exportTurns}
        next={words.exportNext}
        action={words.exportSave}
        error={error}
        onConfirm={() => void run(save, words.didExport).then((isDone) => isDone && dialog.current?.close())}
      >
        <fieldset className={styles['field']}>
          <legend className={styles['label']}>{words.exportFormat}</legend>
          {(['markdown', 'jsonl'] as const).map((each) => (
            <label key={each} className={styles['choice']}>
              <input type="radio" name="format" checked={format === each} onChange={() => setFormat(each)} />
              {words.exportFormats[each]}
            </label>
          ))}
        </fieldset>
        <label className={styles['choice']}>
          <input type="checkbox" checked={isHidden} onChange={(event) => setIsHidden(event.target.checked)} />
          {words.exportHides}
        </label>
      </Confirm>
    </>
  )
}
