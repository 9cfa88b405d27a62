import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { isOperator, useReader } from '../link/reader.ts'
import { useWords } from '../words/use-words.ts'
import styles from './settings.module.css'

/** The sections of the settings beside the one that is open; on a phone they are a row above it. */
export function SettingsFrame({ children }: { children: ReactNode }): ReactNode {
  const words = useWords()
  const [path] = useLocation()
  const reader = useReader()
  const sections: [string, string][] = [
    ['/settings', words.settings.general],
    ...(reader === null || reader.role === 'owner' ? ([['/settings/server', words.settings.server]] as [string, string][]) : []),
    ...(isOperator(reader)
      ? ([
          ['/chats', words.chats.title],
          ['/grants', words.approval.grants],
        ] as [string, string][])
      : []),
  ]
  return (
    <div className={styles['set']}>
      <nav aria-label={words.settings.title}>
        {sections.map(([to, name]) => (
          <Link key={to} href={to} aria-current={path === to ? 'page' : undefined}>
            {name}
          </Link>
        ))}
      </nav>
      <div className={styles['body']}>{children}</div>
    </div>
  )
}
