import { lazy, type ReactNode, Suspense, useContext, useState } from 'react'
import type { MessageFile, ToolItem } from '../../../src/client/index.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { LanguageContext, useWords } from '../words/use-words.ts'
import { DialogContext } from './dialog-context.ts'
import { fileChange } from './file-change.ts'
import { secondsText } from './seconds-text.ts'
import styles from './tool-work.module.css'

const ToolDetails = lazy(async () => ({ default: (await import('./tool-details.tsx')).ToolDetails }))

const MessageFiles = lazy(async () => ({ default: (await import('../attach/index.tsx')).MessageFiles }))

/** The whole text is in the details. */
const longestFailure = 200
const longestSubject = 80

const toolWords = { called: 'usingTool', done: 'usedTool', failed: 'toolFailed' } as const

const icons: Partial<Record<string, IconName>> = { run: 'term', shell: 'term', write_file: 'pen', edit_file: 'pen', read_file: 'file' }

/** One line about a call: what it was, on what, how it ended and how long it took. Its input and output are drawn when it is opened. */
export function ToolRow({ item, count }: { item: ToolItem; count: number }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const [isOpen, setOpen] = useState(false)
  const { name, state, output, at, startedAt = at, endedAt } = item
  const change = state === 'failed' ? null : fileChange(item)
  const subject = getSubject(item.input)
  return (
    <details
      id={`row-${item.id}`}
      tabIndex={-1}
      className={styles['tool']}
      data-part="tool"
      data-state={state}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon name={state === 'failed' ? 'warn' : (icons[name] ?? 'tool')} />
        <span className={styles['what']} dir="auto">
          {words.chat[toolWords[state]](name || words.chat.aTool)}
          {state === 'failed' && typeof output === 'string' && `: ${output.slice(0, longestFailure)}`}
          {subject !== '' && state !== 'failed' && (
            <>
              {' '}
              <code dir="ltr">{subject}</code>
            </>
          )}
        </span>
        <span className={styles['end']}>
          {change && (
            <>
              <ins>+{change.added}</ins> <del>−{change.removed}</del>{' '}
            </>
          )}
          {count > 1 ? `×${count}` : endedAt === undefined ? '' : secondsText(endedAt - startedAt, language)}
        </span>
      </summary>
      {isOpen && (
        <Suspense>
          <ToolDetails item={item} />
        </Suspense>
      )}
      {item.files && <Files files={item.files} />}
    </details>
  )
}

/** Files of the dialog this page shows. */
export function Files({ files }: { files: readonly MessageFile[] }): ReactNode {
  const dialog = useContext(DialogContext)
  return (
    <Suspense>
      <MessageFiles dialog={dialog} files={files} />
    </Suspense>
  )
}

/** The command or path a call is about, on one line. */
function getSubject(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const { command, path } = input as Record<string, unknown>
  const text = typeof command === 'string' ? command : typeof path === 'string' ? path : ''
  const [line = ''] = text.split('\n')
  return line.length > longestSubject || line.length < text.length ? `${line.slice(0, longestSubject).toWellFormed()}…` : line
}
