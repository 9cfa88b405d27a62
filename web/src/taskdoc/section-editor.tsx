import { type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import { ClientError, freshKey } from '../../../src/client/index.ts'
import type { TaskdocView } from '../../../src/shapes/wire.ts'
import { pageApprovalWords } from '../../../src/words/page-parts.ts'
import { MessageBody } from '../chat/message-body.tsx'
import { isComposing } from '../keep/composing.ts'
import { client } from '../link/page-client.ts'
import { useReader } from '../link/reader.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, LanguageContext, useTimes, useWords } from '../words/use-words.ts'
import styles from './taskdoc.module.css'
import { type Section, sectionPath, sectionTitle, useTaskdocWords, writerName } from './taskdoc-words.ts'

type EditorProps = {
  dialog: string
  section: Section
  initial: string
  onRefresh(): Promise<TaskdocView | null>
  onCancel(): void
  onSaved(document: TaskdocView): void
}

/** Replaces a whole section. A newer version is shown beside the reader's own text, and never overwritten unseen. */
export function SectionEditor({ dialog, section, initial, onRefresh, onCancel, onSaved }: EditorProps): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const language = useContext(LanguageContext)
  const reader = useReader()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(initial)
  // The text when writing began, without changes of others since.
  const [base, setBase] = useState(section.hash)
  const [newer, setNewer] = useState<Section | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => field.current?.focus(), [])

  const save = async (knownHash: string): Promise<void> => {
    if (isBusy || text.trim() === '') return
    setBusy(true)
    setError(null)
    const { category, selector } = section
    try {
      onSaved(await client.taskdocs.change(dialog, { category, selector, content: text, knownHash }, { key: freshKey() }))
    } catch (failure) {
      if (failure instanceof ClientError && failure.code === 'section_changed') {
        const document = await onRefresh()
        const current = document?.sections.find((one) => sectionPath(one) === sectionPath(section)) ?? null
        setNewer(current)
        if (current) setBase(current.hash)
      } else {
        const { message, hint } = inWords(asWords(failure), words)
        setError(`${message} ${hint}`)
      }
      setBusy(false)
    }
  }
  const title = sectionTitle(section, texts)
  return (
    <form
      className={styles['edit']}
      data-part="taskdoc-editor"
      onSubmit={(event) => {
        event.preventDefault()
        void save(base)
      }}
    >
      <textarea
        ref={field}
        className="field"
        dir="auto"
        rows={8}
        maxLength={100_000}
        value={text}
        aria-label={texts.text(title)}
        aria-describedby={`${id}-role`}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event) || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          void save(base)
        }}
      />
      <p id={`${id}-role`} className={styles['note']}>
        {reader && reader.role !== 'owner' ? texts.roleNote(pageApprovalWords[language].roles[reader.role]) : ''}
      </p>
      {newer && <Newer section={newer} />}
      {error !== null && (
        <p role="alert" className={styles['bad']}>
          {error}
        </p>
      )}
      <div className={styles['acts']}>
        <button type="submit" className="button" data-kind="main" disabled={isBusy}>
          {newer ? texts.saveMine : texts.save}
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={onCancel}>
          {newer ? texts.takeNewer : texts.cancel}
        </button>
      </div>
    </form>
  )
}

function Newer({ section }: { section: Section }): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const times = useTimes()
  const { changed, text } = section
  return (
    <div className={styles['newer']} data-part="newer">
      <p role="alert">{texts.conflict(changed && writerName(changed.by, words), changed ? times.age(changed.at) : '')}</p>
      <h4>{texts.newer}</h4>
      <div className={styles['newest']} tabIndex={0} role="region" aria-label={texts.newer}>
        <MessageBody text={text} isMine={false} />
      </div>
    </div>
  )
}
