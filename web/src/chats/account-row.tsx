import type { ReactNode } from 'react'
import type { ChannelView } from '../../../src/shapes/wire.ts'
import { handleName } from '../chat/author.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import list from '../parts/list-page.module.css'
import styles from './chats-page.module.css'

const icons: Record<ChannelView['state'], IconName> = { connected: 'check', connecting: 'dots', waiting: 'clock', off: 'pause' }

export function AccountRow({ account: { name, kind, state, account, problem } }: { account: ChannelView }): ReactNode {
  const words = useWords()
  return (
    <li className={`${list['row']} ${styles['row']}`}>
      <p className={styles['line']}>
        <strong>
          <bdi>{handleName(name)}</bdi>
        </strong>
        <span className={list['soft']}>
          {kind !== name && (
            <>
              <bdi>{handleName(kind)}</bdi>{' '}
            </>
          )}
          {account !== null && <bdi>{account}</bdi>}
        </span>
        <span className={styles['state']} data-state={problem === null ? state : 'problem'}>
          <Icon name={problem === null ? icons[state] : 'warn'} />
          {words.chats.states[state]}
        </span>
      </p>
      {problem !== null && (
        <p className={styles['problem']} dir="auto">
          {problem}
        </p>
      )}
    </li>
  )
}
