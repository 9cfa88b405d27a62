import { type ReactNode, useEffect, useState } from 'react'
import type { ErrorWords, TaskdocVersionView } from '../../../src/shapes/wire.ts'
import { MessageBody } from '../chat/message-body.tsx'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { inWords, useTimes, useWords } from '../words/use-words.ts'
import styles from './taskdoc.module.css'
import { type Section, useTaskdocWords, writerName } from './taskdoc-words.ts'

type HistoryProps = { dialog: string; section: Section; onRestore: ((text: string) => void) | null }

/** The stored versions of a section, the latest first. */
export function SectionHistory({ dialog, section, onRestore }: HistoryProps): ReactNode {
  const words = useWords()
  const texts = useTaskdocWords()
  const times = useTimes()
  const [versions, setVersions] = useState<readonly TaskdocVersionView[] | null>(null)
  const [open, setOpen] = useState<{ version: string; text: string } | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const { category, selector, hash } = section

  useEffect(() => {
    const abort = new AbortController()
    client.taskdocs.versions(dialog, { selector, ...(category !== null && { category }) }, { signal: abort.signal }).then(
      (list) => setVersions(list.filter((one) => one.hash !== hash)),
      (failure: unknown) => {
        if (!abort.signal.aborted) setError(asWords(failure))
      },
    )
    return () => abort.abort()
  }, [dialog, category, selector, hash])

  const toggle = async (version: string): Promise<void> => {
    if (open?.version === version) return setOpen(null)
    try {
      const { text } = await client.taskdocs.version(dialog, version)
      setOpen({ version, text })
      setError(null)
    } catch (failure) {
      setError(asWords(failure))
    }
  }
  return (
    <div className={styles['history']} data-part="history">
      <h4>{texts.versions}</h4>
      {error && (
        <p role="alert" className={styles['bad']}>
          {inWords(error, words).message} {inWords(error, words).hint}
        </p>
      )}
      {versions?.length === 0 && <p className={styles['note']}>{texts.noVersions}</p>}
      <ol>
        {versions?.map(({ version, at, by }) => (
          <li key={version}>
            <span dir="auto">
              {writerName(by, words) ?? texts.outside}, {times.age(at)}
            </span>
            <button
              type="button"
              className="button"
              data-kind="quiet"
              aria-expanded={open?.version === version}
              onClick={() => void toggle(version)}
            >
              {open?.version === version ? texts.hide : texts.show}
            </button>
            {open?.version === version && (
              <div className={styles['version']}>
                <MessageBody text={open.text} isMine={false} />
                {onRestore && (
                  <button type="button" className="button" onClick={() => onRestore(open.text)}>
                    {texts.restore}
                  </button>
                )}
              </div>
            )}
          </li>
        ))}
      </ol>
      {versions && versions.length > 0 && <p className={styles['note']}>{texts.kept}</p>}
    </div>
  )
}
