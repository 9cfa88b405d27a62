import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ClientError, freshKey } from '../../../../src/client/index.ts'
import type { SettingsView } from '../../../../src/shapes/settings.ts'
import { client } from '../../link/page-client.ts'
import { asWords } from '../../link/sign-in.ts'
import { Modal } from '../../parts/modal.tsx'
import { inWords, useWords } from '../../words/use-words.ts'
import styles from './server-settings.module.css'
import { type Change, useSettingsWords } from './settings-words.ts'

type ReviewProps = {
  file: string
  changes: readonly Change[]
  revision: string
  onSaved(view: SettingsView): void
  onNewer(view: SettingsView): void
  onClose(): void
}

/** The effect of a change on the file. It is written only from here, and only onto the text that is compared with. */
export function ReviewDialog({ file, changes, revision, onSaved, onNewer, onClose }: ReviewProps): ReactNode {
  const words = useWords()
  const texts = useSettingsWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [diff, setDiff] = useState<string | null>(null)
  const [seen, setSeen] = useState(revision)
  const [newer, setNewer] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const tell = (failure: unknown): void => {
    const { message, hint } = inWords(asWords(failure), words)
    setError(`${message} ${hint}`)
  }
  const compare = async (from: string): Promise<void> => {
    try {
      const preview = await client.settings.preview({ revision: from, changes: [...changes] })
      setDiff(preview.diff)
      // The text may have changed between loading the page and this.
      if (preview.revision !== from) await showNewer()
      setSeen(preview.revision)
    } catch (failure) {
      tell(failure)
    }
  }
  const showNewer = async (): Promise<void> => {
    const view = await client.settings.get()
    setNewer(view.text)
    onNewer(view)
  }
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    box?.addEventListener('close', onClose)
    void compare(revision)
    return () => box?.removeEventListener('close', onClose)
    // oxlint-disable-next-line react/exhaustive-deps -- Once, when it is opened.
  }, [])

  const save = async (): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      onSaved(await client.settings.change({ revision: seen, changes: [...changes] }, { key: freshKey() }))
      dialog.current?.close()
    } catch (failure) {
      if (failure instanceof ClientError && failure.code === 'config_changed') {
        await showNewer().catch(tell)
        await compare(seen)
      } else tell(failure)
      setBusy(false)
    }
  }
  return (
    <Modal ref={dialog} title={texts.reviewTitle(file)}>
      {newer !== null && (
        <>
          <p role="alert">{texts.conflict(file)}</p>
          <details>
            <summary>{texts.newerText}</summary>
            <pre className={styles['text']} tabIndex={0} dir="ltr" role="region" aria-label={texts.newerText}>
              {newer}
            </pre>
          </details>
        </>
      )}
      {diff === '' && <p>{texts.nothing}</p>}
      {diff !== null && diff !== '' && <Diff text={diff} />}
      {error !== null && (
        <p role="alert" className={styles['bad']}>
          {error}
        </p>
      )}
      <div className={styles['acts']}>
        {diff !== null && diff !== '' && (
          <button type="button" className="button" data-kind="main" disabled={isBusy} onClick={() => void save()}>
            {texts.save}
          </button>
        )}
        <button type="button" className="button" data-kind="quiet" onClick={() => dialog.current?.close()}>
          {texts.cancel}
        </button>
      </div>
    </Modal>
  )
}

/** The first two lines name the file, which the title says already. */
function Diff({ text }: { text: string }): ReactNode {
  const texts = useSettingsWords()
  return (
    <pre className={styles['text']} tabIndex={0} dir="ltr" role="region" aria-label={texts.diff}>
      {text
        .split('\n')
        .slice(2)
        .map((line, index) => (
          <span
            key={index}
            data-line={line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : line.startsWith('@@') ? 'head' : 'same'}
          >
            {line}
            {'\n'}
          </span>
        ))}
    </pre>
  )
}
