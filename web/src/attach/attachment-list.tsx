import type { ReactNode } from 'react'
import { Icon } from '../look/icon.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import styles from './attach.module.css'
import type { Attachments } from './use-attachments.ts'

/** Files that go with the next message. */
export function AttachmentList({ attachments }: { attachments: Attachments }): ReactNode {
  const words = useWords()
  return (
    <ul className={styles['chosen']} aria-label={words.files.chosen} data-part="attachments">
      {attachments.list.map(({ key, name, preview, stored, error }) => (
        <li key={key} data-bad={error !== undefined || undefined}>
          {preview === null ? <Icon name="file" /> : <img src={preview} alt="" />}
          <span className={styles['name']} dir="auto">
            {name}
          </span>
          <span className={styles['state']} role={error ? 'alert' : 'status'}>
            {error ? inWords(error, words).message : stored ? '' : words.files.uploading}
          </span>
          <button type="button" className="button" data-kind="quiet" data-shape="icon" onClick={() => attachments.remove(key)}>
            <Icon name="close" />
            <span className="hidden-visually">{words.files.remove(name)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
