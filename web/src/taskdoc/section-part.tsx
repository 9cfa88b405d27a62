import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import type { TaskdocView } from '../../../src/shapes/wire.ts'
import { MessageBody } from '../chat/message-body.tsx'
import { announce } from '../parts/announcer.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import { SectionEditor } from './section-editor.tsx'
import styles from './taskdoc.module.css'
import { type Section, sectionTitle, useTaskdocWords, writerName } from './taskdoc-words.ts'

const SectionHistory = lazy(async () => ({ default: (await import('./section-history.tsx')).SectionHistory }))

type PartProps = {
  dialog: string
  section: Section
  /** Just added by the reader: it begins in the editor. */
  isNew: boolean
  canChange: boolean
  onRefresh(): Promise<TaskdocView | null>
  onSaved(document: TaskdocView): void
}

export function SectionPart({ dialog, section, isNew, canChange, onRefresh, onSaved }: PartProps): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const times = useTimes()
  const id = useId()
  const [draft, setDraft] = useState<string | null>(isNew ? '' : null)
  const [hasHistory, setHistory] = useState(false)
  const title = sectionTitle(section, texts)
  const { changed, text, hash } = section
  const who = changed && writerName(changed.by, words)
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <h3 id={id} dir="auto">
        {title}
      </h3>
      {changed && (
        <p className={styles['when']} data-part="changed">
          <time dateTime={new Date(changed.at).toISOString()}>
            {who === null ? texts.byHand(times.age(changed.at)) : texts.changed(who, times.age(changed.at))}
          </time>
        </p>
      )}
      {draft !== null ? (
        <SectionEditor
          dialog={dialog}
          section={section}
          initial={draft}
          onRefresh={onRefresh}
          onCancel={() => setDraft(null)}
          onSaved={(document) => {
            setDraft(null)
            announce(texts.saved, { isShown: true })
            onSaved(document)
          }}
        />
      ) : (
        <>
          {text === '' ? (
            <p className={styles['note']}>{hash === '' ? texts.tooLong : texts.empty}</p>
          ) : (
            <MessageBody text={text} isMine={false} />
          )}
          <div className={styles['acts']}>
            {canChange && hash !== '' && (
              <button type="button" className="button" aria-label={texts.editOf(title)} onClick={() => setDraft(text)}>
                {texts.edit}
              </button>
            )}
            {changed && (
              <button
                type="button"
                className="button"
                data-kind="quiet"
                aria-label={texts.historyOf(title)}
                aria-expanded={hasHistory}
                onClick={() => setHistory(!hasHistory)}
              >
                {texts.history}
              </button>
            )}
          </div>
          {hasHistory && (
            <Suspense>
              <SectionHistory key={hash} dialog={dialog} section={section} onRestore={canChange ? setDraft : null} />
            </Suspense>
          )}
        </>
      )}
    </section>
  )
}
