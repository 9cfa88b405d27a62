import { type ReactNode, useId } from 'react'
import { Icon, type IconName } from '../look/icon.tsx'
import styles from './exposure.module.css'
import { useWorldWords } from './use-worlds.ts'

type ExposureProps = { peer: string; account: string; world: string | null }

/** The other side of a talk sees this, and not that. */
export function Exposure({ peer, account, world }: ExposureProps): ReactNode {
  const words = useWorldWords()
  const { profile, joinText, words: said } = words.seen
  const seen = [profile(account), ...(world === null ? [] : [joinText(account, world)]), said(account)]
  return (
    <div className={styles['exposure']}>
      <Facts title={words.willSee(peer)} facts={seen} icon="check" />
      <Facts title={words.willNotSee(peer)} facts={words.unseen} icon="close" />
    </div>
  )
}

function Facts({ title, facts, icon }: { title: string; facts: readonly string[]; icon: IconName }): ReactNode {
  const id = useId()
  return (
    <div>
      <p id={id} className={styles['title']} dir="auto">
        {title}
      </p>
      <ul aria-labelledby={id}>
        {facts.map((fact) => (
          <li key={fact}>
            <Icon name={icon} />
            <span dir="auto">{fact}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
