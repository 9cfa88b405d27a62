import type { ReactNode } from 'react'
import { useRefreshing } from '../link/refreshing.ts'
import { BuildList } from './build-list.tsx'
import { buildPages } from './build-pages.ts'
import styles from './builds-page.module.css'
import { StartBuild } from './start-build.tsx'
import { useBuildWords } from './use-build.ts'

/** A box to start a build. A narrow screen has no column, so it shows the builds below. */
export function BuildsPage(): ReactNode {
  const words = useBuildWords()
  const { value } = useRefreshing(buildPages)
  return (
    <div className={styles['page']}>
      <h1>{words.builds}</h1>
      <p className={styles['lead']}>{words.lead}</p>
      <StartBuild isEmpty={value?.items.length === 0} />
      <section className={styles['list']} aria-labelledby="builds-list">
        <h2 id="builds-list">{words.yours}</h2>
        <BuildList />
      </section>
    </div>
  )
}
