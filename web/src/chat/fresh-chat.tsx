import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useLetters } from '../keep/page-outbox.ts'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import { Composer } from './composer.tsx'
import styles from './fresh-chat.module.css'
import { LetterRow } from './letter-row.tsx'

/** A dialog that is not there yet: it is opened by its first message. */
export function FreshChat({ isDemo }: { isDemo: boolean }): ReactNode {
  const words = useWords()
  const letters = useLetters(null)
  const server = useRefreshing(serverInfo).value
  const agents = server?.agents ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <div className={styles['fresh']}>
      <Link href="/" className={`button ${styles['back']}`} data-kind="quiet" data-shape="icon" aria-label={words.app.back}>
        <Icon name="back" />
      </Link>
      <div className={styles['middle']}>
        <h1>{words.fresh.title}</h1>
        <p className={styles['lead']}>{isDemo || server?.demo ? words.fresh.demoLead : words.fresh.lead}</p>
        {letters.map((letter) => (
          <LetterRow key={letter.key} letter={letter} />
        ))}
        {agents.length > 1 && (
          <label className={styles['agent']}>
            <span>{words.fresh.agent}</span>
            <select
              className="field"
              value={chosen ?? agents.find((agent) => agent.default)?.name}
              onChange={(event) => setChosen(event.target.value)}
            >
              {agents.map(({ name, about }) => (
                <option key={name} value={name}>
                  {about === '' ? name : `${name} – ${about}`}
                </option>
              ))}
            </select>
          </label>
        )}
        <Composer
          key={isDemo ? words.fresh.demoText : 'new'}
          dialog={null}
          agent={chosen}
          waiting={letters.length}
          first={isDemo && letters.length === 0 ? words.fresh.demoText : ''}
          hasFocus
        />
      </div>
    </div>
  )
}
