import { type ReactNode, type RefObject, useEffect, useId, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { useLocation } from 'wouter'
import { basePath } from '../link/base-path.ts'
import { client } from '../link/page-client.ts'
import { inbox } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { dialogPages } from '../lists/dialog-pages.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { useOfferWords } from './offer-words.ts'
import styles from './offers.module.css'

type Shelf = Pick<DialogSummary, 'isPinned' | 'isArchived'>

/** Acts of a person on a chat as a whole. A side dialog belongs to its root, which is pinned and archived with it. */
export function DialogActs({ dialog, view, isOpen, onRename, onFresh, onDelete, onDone }: ActsProps): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const [error, setError] = useState<string | null>(null)
  const [shelf, setShelf] = useShelf(dialog, isOpen)
  const isRoot = view.origin === null

  const change = async (next: () => Promise<Shelf>, done: string): Promise<void> => {
    try {
      setShelf(await next())
      setError(null)
      dialogPages.refresh()
      onDone()
      announce(done)
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
    }
  }
  const pin = (): Promise<void> =>
    change(() => client.dialogs.pin(dialog, !shelf?.isPinned), shelf?.isPinned ? texts.changed.unpinned : texts.changed.pinned)
  const archive = (): Promise<void> =>
    change(() => client.dialogs.archive(dialog, !shelf?.isArchived), shelf?.isArchived ? texts.changed.unarchived : texts.changed.archived)
  const copyLink = (): void => {
    navigator.clipboard?.writeText(`${location.origin}${basePath}/c/${dialog}`).then(
      () => {
        onDone()
        announce(words.signIn.copied, { isShown: true })
      },
      () => undefined,
    )
  }
  return (
    <>
      <ul className={styles['acts']}>
        {view.status !== 'retired' && (
          <Act
            icon="pen"
            name={`${texts.rename}…`}
            onClick={() => {
              onDone()
              onRename()
            }}
          />
        )}
        {isRoot && shelf && view.status !== 'retired' && (
          <>
            <Act icon="pin" name={shelf.isPinned ? texts.unpin : texts.pin} onClick={() => void pin()} />
            <Act icon="archive" name={shelf.isArchived ? texts.unarchive : texts.archive} onClick={() => void archive()} />
          </>
        )}
        <Act icon="link" name={texts.copyLink} onClick={copyLink} />
        {(['markdown', 'jsonl'] as const).map((format) => (
          <li key={format}>
            <a className="button" data-kind="quiet" href={client.dialogs.exportAddress(dialog, format)} download>
              <Icon name="download" />
              {format === 'markdown' ? texts.exportMarkdown : texts.exportJsonl}
            </a>
          </li>
        ))}
        {onFresh && <Act icon="spark" name={`${texts.freshStart}…`} onClick={onFresh} />}
        {onDelete && <Act icon="trash" name={`${texts.delete}…`} onClick={onDelete} />}
      </ul>
      {error !== null && <p role="alert">{error}</p>}
    </>
  )
}

type ActsProps = {
  dialog: string
  view: DialogView
  isOpen: boolean
  onRename(): void
  onFresh: (() => void) | null
  onDelete: (() => void) | null
  onDone(): void
}

function Act({ icon, name, onClick }: { icon: IconName; name: string; onClick(): void }): ReactNode {
  return (
    <li>
      <button type="button" className="button" data-kind="quiet" onClick={onClick}>
        <Icon name={icon} />
        {name}
      </button>
    </li>
  )
}

/** The log of a page may begin after the event that pinned it, so the server is asked. */
function useShelf(dialog: string, isOpen: boolean): [Shelf | null, (shelf: Shelf) => void] {
  const [shelf, setShelf] = useState<Shelf | null>(null)
  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    client.dialogs.get(dialog, { signal: abort.signal }).then(setShelf, () => undefined)
    return () => abort.abort()
  }, [dialog, isOpen])
  return [shelf, setShelf]
}

export function Rename({ ref, dialog, title }: { ref: RefObject<HTMLDialogElement | null>; dialog: string; title: string }): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const id = useId()
  const [text, setText] = useState<string | null>(null)
  const [error, setError] = useState<string | null>(null)
  const save = async (): Promise<void> => {
    try {
      await client.dialogs.title(dialog, text ?? title)
      setError(null)
      setText(null)
      ref.current?.close()
      dialogPages.refresh()
      announce(texts.changed.renamed)
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
    }
  }
  return (
    <Confirm ref={ref} title={texts.renameTitle} action={texts.save} error={error} onConfirm={() => void save()}>
      <label htmlFor={id}>{texts.renameField}</label>
      <input id={id} className="field" dir="auto" required value={text ?? title} onChange={(event) => setText(event.target.value)} />
    </Confirm>
  )
}

/** Asks once, then deletes the chat with everything below it. */
export function ConfirmDelete({ ref, dialog }: { ref: RefObject<HTMLDialogElement | null>; dialog: string }): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const [, navigate] = useLocation()
  const [error, setError] = useState<string | null>(null)
  const go = async (): Promise<void> => {
    try {
      await client.dialogs.delete(dialog)
      ref.current?.close()
      dialogPages.refresh()
      inbox.refresh()
      navigate('/', { replace: true })
      announce(texts.deleted, { isShown: true })
    } catch (failure) {
      const { message, hint } = inWords(asWords(failure), words)
      setError(`${message} ${hint}`)
    }
  }
  return (
    <Confirm
      ref={ref}
      title={texts.deleteTitle}
      next={texts.deleteNext}
      action={texts.delete}
      isDangerous
      error={error}
      onConfirm={() => void go()}
    />
  )
}
