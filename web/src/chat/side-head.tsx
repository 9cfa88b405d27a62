import type { ReactNode } from 'react'
import { visibleTitle } from '../approvals/visible-characters.ts'
import { Link } from 'wouter'
import type { DialogView } from '../../../src/client/index.ts'
import type { DialogSummary } from '../../../src/shapes/wire.ts'
import { type Trees, useTrees } from '../tree/tree-store.ts'
import { useWords } from '../words/use-words.ts'
import styles from './side-head.module.css'

/** The path of a side dialog, from its root to its parent. */
export function SideHead({ view }: { view: DialogView }): ReactNode {
  const words = useWords()
  const { byDialog } = useTrees()
  if (view.origin === null) return null
  const way = wayTo(view.origin, byDialog)
  return (
    <nav className={styles['way']} aria-label={words.tree.path}>
      <span>{words.tree.getSide}</span>
      <ol>
        {way.map(({ id, title, agent }) => (
          <li key={id}>
            <Link href={`/c/${id}`}>
              <bdi>{visibleTitle(title) || words.list.untitled}</bdi>
              {agent !== '' && <span className={styles['agent']}> @{agent}</span>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

type Step = Pick<DialogSummary, 'id' | 'title' | 'agent'>

function wayTo(origin: NonNullable<DialogView['origin']>, byDialog: Trees['byDialog']): Step[] {
  const way: Step[] = []
  const step = (id: string): Step => byDialog.get(id) ?? { id, title: '', agent: '' }
  let next: DialogSummary['origin'] = origin
  while (next !== null && way.length < 50) {
    way.unshift(step(next.parent))
    next = byDialog.get(next.parent)?.origin ?? null
  }
  return way[0]?.id === origin.root ? way : [step(origin.root), ...way]
}
