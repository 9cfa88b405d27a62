import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useWords } from '../words/use-words.ts'
import styles from './notice-page.module.css'

export function NotFound(): ReactNode {
  const words = useWords()
  return (
    <div className={styles['page']}>
      <h1>{words.app.notFound}</h1>
      <Link href="/" className="button">
        {words.app.toStart}
      </Link>
    </div>
  )
}
