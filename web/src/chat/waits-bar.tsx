import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { DialogView } from '../../../src/client/index.ts'
import { StatusMark } from '../lists/status-mark.tsx'
import { Tile } from '../look/tile.tsx'
import { useTrees } from '../tree/tree-store.ts'
import { useWords } from '../words/use-words.ts'
import { handleName } from './author.ts'
import styles from './waits-bar.module.css'

/** More would push the message field off a phone. */
const mostShown = 3

/** Dialogs this one waits for, each with its status and a link. */
export function WaitsBar({ view }: { view: DialogView }): ReactNode {
  const words = useWords()
  const { byDialog } = useTrees()
  if (view.status !== 'delegated') return null
  // Dialogs that need a person come first.
  const waiting = view.pending
    .map((each) => ({ ...each, there: byDialog.get(each.to) }))
    .toSorted((one, other) => (other.there?.openQuestions ?? 0) - (one.there?.openQuestions ?? 0))
  return (
    <section className={styles['bar']} aria-label={words.status.delegated}>
      <ul>
        {waiting.slice(0, mostShown).map(({ tellask, to, agent, session, there }) => (
          <li key={tellask}>
            <Tile name={agent} size={22} isWorking={there?.status === 'working'} />
            <Link href={`/c/${to}`}>
              {handleName(agent)}
              {session !== null && ` (${session})`}
            </Link>
            {there && <StatusMark status={there.status} pending={there.pending} />}
          </li>
        ))}
        {waiting.length > mostShown && <li>+{waiting.length - mostShown}</li>}
      </ul>
    </section>
  )
}
