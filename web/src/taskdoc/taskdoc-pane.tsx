import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { AddSection } from './add-section.tsx'
import { SectionPart } from './section-part.tsx'
import styles from './taskdoc.module.css'
import { sectionPath, type Section, useTaskdocWords } from './taskdoc-words.ts'
import { useTaskdoc } from './use-taskdoc.ts'

type PaneProps = { dialog: string; view: DialogView; takesFocus: boolean; onClose(): void }

/** The task document of a chat beside it: its sections, who changed them last, their history, and editing. */
export function TaskdocPane({ dialog, view, takesFocus, onClose }: PaneProps): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const { document, error, refresh, adopt } = useTaskdoc(dialog, view)
  const [added, setAdded] = useState<Pick<Section, 'category' | 'selector'> | null>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  const sections = document?.sections ?? []
  const isThere = added !== null && sections.some((section) => sectionPath(section) === sectionPath(added))
  const shown: readonly Section[] =
    added === null || isThere ? sections : [...sections, { ...added, text: '', hash: 'none', changed: null }]
  const canChange = view.status !== 'dead' && view.status !== 'retired'
  return (
    <aside className={styles['pane']} data-part="taskdoc" aria-labelledby={`${id}-title`}>
      <header className={styles['head']}>
        <h2 id={`${id}-title`} ref={heading} tabIndex={-1}>
          {texts.title}
          <code dir="ltr">{view.taskdoc}</code>
        </h2>
        <button type="button" className="button" data-kind="quiet" data-shape="icon" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <div className={styles['scroll']} tabIndex={0} role="region" aria-labelledby={`${id}-title`}>
        <p className={styles['about']}>{texts.about}</p>
        {error && (
          <div role="alert" className={styles['bad']}>
            <p>
              {document ? '' : `${texts.failed} `}
              {inWords(error, words).message} {inWords(error, words).hint}
            </p>
            <button type="button" className="button" onClick={() => void refresh()}>
              {texts.tryAgain}
            </button>
          </div>
        )}
        {shown.map((section) => (
          <SectionPart
            key={sectionPath(section)}
            dialog={dialog}
            section={section}
            isNew={section.hash === 'none' && added !== null && sectionPath(section) === sectionPath(added)}
            canChange={canChange}
            onRefresh={refresh}
            onSaved={(next) => {
              setAdded(null)
              adopt(next)
            }}
          />
        ))}
        {document && document.omitted > 0 && <p className={styles['note']}>{texts.omitted(document.omitted)}</p>}
        {document && canChange && <AddSection taken={sections.map(sectionPath)} onAdd={setAdded} />}
      </div>
    </aside>
  )
}
