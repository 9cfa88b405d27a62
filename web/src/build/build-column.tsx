import type { ReactNode } from 'react'
import { Link } from 'wouter'
import list from '../lists/dialog-list.module.css'
import { Icon } from '../look/icon.tsx'
import styles from './build-column.module.css'
import { BuildList } from './build-list.tsx'
import { useBuildWords } from './use-build.ts'

/** The column beside a build on a wide screen. */
export function BuildColumn(): ReactNode {
  const words = useBuildWords()
  return (
    <div className={list['list']}>
      <div className={list['head']}>
        <Link href="/b" className="button" data-kind="quiet">
          <Icon name="plus" />
          {words.newBuild}
        </Link>
        <h2 className={styles['title']}>{words.yours}</h2>
      </div>
      <div className={styles['scroller']}>
        <BuildList />
      </div>
    </div>
  )
}
