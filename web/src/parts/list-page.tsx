import type { ReactNode, Ref } from 'react'
import { Link } from 'wouter'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './list-page.module.css'

/** A page below the inbox: the way back, its title, its content and, while nothing is there yet, a skeleton. */
export function ListPage(props: {
  title: string
  heading?: Ref<HTMLHeadingElement>
  loading: string | null
  children: ReactNode
}): ReactNode {
  const words = useWords()
  const { title, heading, loading, children } = props
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <Link href="/o" className="button" data-kind="quiet" data-shape="icon" aria-label={words.inbox.title}>
          <Icon name="back" />
        </Link>
        <h1 ref={heading} tabIndex={heading ? -1 : undefined}>
          {title}
        </h1>
      </header>
      {children}
      {loading !== null && (
        <div role="status">
          <span className="hidden-visually">{loading}</span>
          <div className="skeleton" />
        </div>
      )}
    </div>
  )
}

export function EmptyList({ text, next }: { text: string; next: string }): ReactNode {
  return (
    <div className={styles['empty']}>
      <p>{text}</p>
      <p>{next}</p>
    </div>
  )
}
