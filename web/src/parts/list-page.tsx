import type { ReactNode, Ref } from 'react'
import styles from './list-page.module.css'

/** A page with a list: its title, its content and, while nothing is there yet, a skeleton. */
export function ListPage(props: {
  title: string
  heading?: Ref<HTMLHeadingElement>
  loading: string | null
  children: ReactNode
}): ReactNode {
  const { title, heading, loading, children } = props
  return (
    <div className={styles['page']}>
      <h1 ref={heading} tabIndex={heading ? -1 : undefined}>
        {title}
      </h1>
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
