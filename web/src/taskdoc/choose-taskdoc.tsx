import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon } from '../look/icon.tsx'
import { Modal } from '../parts/modal.tsx'
import modal from '../parts/modal.module.css'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './taskdoc.module.css'
import { useTaskdocWords } from './taskdoc-words.ts'

type ChooseProps = { chosen: string | null; onChoose(path: string | null): void; onClose(): void }

/** The task document of a new chat: one of the project, or a new one. */
export function ChooseTaskdoc({ chosen, onChoose, onClose }: ChooseProps): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [paths, setPaths] = useState<readonly string[] | null>(null)
  const [path, setPath] = useState('')
  const [error, setError] = useState<ErrorWords | null>(null)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    box?.addEventListener('close', onClose)
    return () => box?.removeEventListener('close', onClose)
    // oxlint-disable-next-line react/exhaustive-deps -- Once, when it is opened.
  }, [])
  useEffect(() => {
    const abort = new AbortController()
    client.taskdocs.list({ signal: abort.signal }).then(
      (list) => setPaths(list.map((one) => one.path)),
      (failure: unknown) => {
        if (!abort.signal.aborted) setError(asWords(failure))
      },
    )
    return () => abort.abort()
  }, [])

  const choose = (next: string | null): void => {
    onChoose(next)
    dialog.current?.close()
  }
  const create = async (): Promise<void> => {
    const wanted = path.trim()
    if (isBusy || wanted === '') return
    setBusy(true)
    try {
      const made = await client.taskdocs.create(wanted.endsWith('.tsk') ? wanted : `${wanted}.tsk`)
      choose(made.path)
    } catch (failure) {
      setError(asWords(failure))
      setBusy(false)
    }
  }
  return (
    <Modal ref={dialog} title={texts.choose}>
      <p className={modal['label']}>{texts.chooseAbout}</p>
      <ul className={styles['choices']}>
        <Choice name={texts.without} isChosen={chosen === null} onChoose={() => choose(null)} />
        {paths?.map((one) => (
          <Choice key={one} name={one} isPath isChosen={chosen === one} onChoose={() => choose(one)} />
        ))}
      </ul>
      {paths?.length === 0 && <p className={styles['note']}>{texts.none}</p>}
      <form
        className={styles['edit']}
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <label htmlFor={id} className={modal['label']}>
          {texts.newPath}
        </label>
        <div className={styles['line']}>
          <input
            id={id}
            className="field"
            dir="ltr"
            value={path}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            onChange={(event) => {
              setPath(event.target.value)
              setError(null)
            }}
          />
          <button type="submit" className="button" disabled={isBusy}>
            {texts.create}
          </button>
        </div>
        <p id={`${id}-hint`} className={styles['note']}>
          {texts.newHint}
        </p>
        {error && (
          <p role="alert" className={styles['bad']}>
            {inWords(error, words).message}
          </p>
        )}
      </form>
    </Modal>
  )
}

type ChoiceProps = { name: string; isPath?: boolean; isChosen: boolean; onChoose(): void }

function Choice({ name, isPath = false, isChosen, onChoose }: ChoiceProps): ReactNode {
  return (
    <li>
      <button type="button" className="button" data-kind="quiet" aria-pressed={isChosen} onClick={onChoose}>
        {isPath ? <code dir="ltr">{name}</code> : name}
        {isChosen && <Icon name="check" />}
      </button>
    </li>
  )
}
