import { lazy, type ReactNode, Suspense } from 'react'
import type { DialogView } from '../../../src/client/index.ts'
import { useWords } from '../words/use-words.ts'
import styles from './agent-mind.module.css'

const PushesLeft = lazy(async () => ({ default: (await import('../offers/index.tsx')).PushesLeft }))

/** Reminders of the agent, a note when its context is filling up, and how often it is still pushed. */
export function AgentMind({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const words = useWords()
  const { reminders, health, fold } = view
  const isFilling = health === 'caution' || health === 'critical'
  if (reminders.length === 0 && !isFilling && fold.pushes === 0) return null
  return (
    <div className={styles['mind']}>
      {isFilling && (
        <p className={styles['health']} data-level={health}>
          {words.tree.health[health]}
        </p>
      )}
      {fold.pushes > 0 && (
        <Suspense>
          <PushesLeft dialog={dialog} view={view} />
        </Suspense>
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
