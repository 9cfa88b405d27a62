import type { ReactNode } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { useWords } from '../words/use-words.ts'
import styles from './agent-mind.module.css'

/** Reminders of the agent, and a note when its context is filling up. */
export function AgentMind({ view: { reminders, health } }: { view: DialogView }): ReactNode {
  const words = useWords()
  const isFilling = health === 'caution' || health === 'critical'
  if (reminders.length === 0 && !isFilling) return null
  return (
    <div className={styles['mind']}>
      {isFilling && (
        <p className={styles['health']} data-level={health}>
          {words.tree.health[health]}
        </p>
      )}
      {reminders.length > 0 && (
        <details className={styles['notes']}>
          <summary>{words.tree.notes(reminders.length)}</summary>
          <div className={styles['list']} tabIndex={0} role="region" aria-label={words.tree.notes(reminders.length)}>
            <ol>
              {reminders.map(({ id, text }) => (
                <li key={id} dir="auto">
                  {text}
                </li>
              ))}
            </ol>
          </div>
        </details>
      )}
    </div>
  )
}
