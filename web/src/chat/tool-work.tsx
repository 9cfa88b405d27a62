import { type ReactNode, useContext } from 'react'
import type { ToolItem } from '../../../src/client/index.ts'
import { Icon } from '../look/icon.tsx'
import { LanguageContext, useWords } from '../words/use-words.ts'
import styles from './tool-work.module.css'
import { ToolRow } from './tool-row.tsx'
import { secondsText } from './seconds-text.ts'

export type Call = { item: ToolItem; count: number }

/** The calls of one turn: one line that opens to one line per call. A failure is counted where it is folded. */
export function ToolWork({ id, calls }: { id: string; calls: readonly Call[] }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const last = calls.at(-1)?.item
  const steps = calls.reduce((sum, { count }) => sum + count, 0)
  const failed = calls.reduce((sum, { item, count }) => sum + (item.state === 'failed' ? count : 0), 0)
  const isRunning = last?.state === 'called'
  const ms = calls.reduce((sum, { item: { at, startedAt = at, endedAt } }) => sum + (endedAt === undefined ? 0 : endedAt - startedAt), 0)
  return (
    <details id={id} className={styles['work']} data-part="work">
      <summary>
        <Icon name="chevron" />
        <span dir="auto">
          {isRunning
            ? `${words.chat.usingTool(last.name || words.chat.aTool)} ${words.chat.steps(steps)}`
            : words.chat.worked(secondsText(ms, language), steps)}
        </span>
        {failed > 0 && <span className={styles['bad']}>{words.chat.failedSteps(failed)}</span>}
      </summary>
      <div className={styles['calls']}>
        {calls.map(({ item, count }) => (
          <ToolRow key={item.id} item={item} count={count} />
        ))}
      </div>
    </details>
  )
}
