import { type ReactNode, useState } from 'react'
import { describeBytes, isImageType, type MessageFile } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './attach.module.css'

/** Pictures of a message, and links to its other files. */
export function MessageFiles({ dialog, files }: { dialog: string; files: readonly MessageFile[] }): ReactNode {
  const words = useWords()
  return (
    <ul className={styles['files']} aria-label={words.files.list(files.length)} data-part="files">
      {files.map((file) => (
        <li key={file.file}>
          <Shown dialog={dialog} file={file} />
        </li>
      ))}
    </ul>
  )
}

function Shown({ dialog, file }: { dialog: string; file: MessageFile }): ReactNode {
  const words = useWords()
  const [isMissing, setMissing] = useState(false)
  const { name, mediaType, bytes, width, height } = file
  const address = client.files.address(dialog, file.file)
  if (isImageType(mediaType) && !isMissing)
    return (
      <a href={address} target="_blank" rel="noreferrer" className={styles['picture']}>
        <img
          src={address}
          alt={words.files.image(name)}
          loading="lazy"
          decoding="async"
          {...(width !== undefined && height !== undefined && { width, height })}
          onError={() => setMissing(true)}
        />
      </a>
    )
  return (
    <a href={address} download={name} className={styles['other']}>
      <Icon name="file" />
      <span dir="auto">{name}</span>
      <span className={styles['state']}>{isMissing ? words.files.missing : describeBytes(bytes)}</span>
    </a>
  )
}
