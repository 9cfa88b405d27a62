import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { BuildSummary } from '../../../src/client/index.ts'
import { plainPreview } from '../lists/plain-preview.ts'
import { useLate } from '../lists/use-late.ts'
import { useRefreshing } from '../link/refreshing.ts'
import { useTimes } from '../words/use-words.ts'
import { Tile } from '../look/tile.tsx'
import styles from './build-list.module.css'
import { buildPages, loadMoreBuilds } from './build-pages.ts'
import { BuildStatus } from './build-status.tsx'
import { useBuildWords } from './use-build.ts'

/** The builds of the reader, newest first. The one that is open is marked. */
export function BuildList(): ReactNode {
  const words = useBuildWords()
  const { value, error } = useRefreshing(buildPages)
  const isSlow = useLate(value === null && error === null, 200)
  return (
    <>
      {error && (
        <div role="alert" className={styles['error']}>
          <p>
            {words.listFailed} {error.message}
          </p>
          <button type="button" className="button" onClick={buildPages.refresh}>
            {words.tryAgain}
          </button>
        </div>
      )}
      {value === null && isSlow && (
        <div role="status">
          <span className="hidden-visually">{words.loadingList}</span>
          <div className="skeleton" />
        </div>
      )}
      {value !== null && value.items.length === 0 && (
        <div className={styles['empty']}>
          <p>{words.empty}</p>
          <p>{words.emptyNext}</p>
        </div>
      )}
      {value !== null && value.items.length > 0 && (
        <ul className={styles['rows']}>
          {value.items.map((build) => (
            <Row key={build.build_id} build={build} />
          ))}
        </ul>
      )}
      {value?.hasMore && (
        <button type="button" className="button" data-kind="quiet" onClick={loadMoreBuilds}>
          {words.more}
        </button>
      )}
    </>
  )
}

function Row({ build }: { build: BuildSummary }): ReactNode {
  const words = useBuildWords()
  const times = useTimes()
  const [path] = useLocation()
  const href = `/b/${encodeURIComponent(build.build_id)}`
  const isOpen = path === href
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const isOver = build.status === 'complete' || build.status === 'failed' || build.status === 'cancelled'
  return (
    <li>
      <Link ref={link} href={href} className={styles['row']} aria-current={isOpen ? 'page' : undefined}>
        <Tile name={build.build_id} isWorking={build.status === 'running'} />
        <span className={styles['prompt']} dir="auto">
          {plainPreview(build.prompt)}
        </span>
        <time dateTime={new Date(build.updatedAt).toISOString()}>{times.age(build.updatedAt)}</time>
        <span className={styles['facts']}>
          <BuildStatus status={build.status} />
          {!isOver && build.step > 0 && build.status !== 'waiting' && <span>{words.stepOf(build.step, 7)}</span>}
        </span>
      </Link>
    </li>
  )
}
