import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { BuildSummary } from '../../../src/client/index.ts'
import { useLate } from '../lists/use-late.ts'
import { plainPreview } from '../lists/plain-preview.ts'
import { client } from '../link/page-client.ts'
import { refreshing, useRefreshing } from '../link/refreshing.ts'
import { useTimes } from '../words/use-words.ts'
import { BuildStatus } from './build-status.tsx'
import styles from './builds-page.module.css'
import { StartBuild } from './start-build.tsx'
import { useBuildWords } from './use-build.ts'

const pageSize = 20
const most = 200

/** A box to start a build, and below it those there are. */
export function BuildsPage(): ReactNode {
  const words = useBuildWords()
  const [wanted, setWanted] = useState(pageSize)
  const source = useMemo(() => refreshing((signal) => client.builds.list({ limit: wanted }, { signal })), [wanted])
  const { value, error } = useRefreshing(source)
  const [shown, setShown] = useState(value)
  // While more are on their way, those that are shown stay.
  useEffect(() => {
    if (value !== null) setShown(value)
  }, [value])
  const isSlow = useLate(shown === null && error === null, 200)
  return (
    <div className={styles['page']}>
      <h1>{words.builds}</h1>
      <p className={styles['lead']}>{words.lead}</p>
      <StartBuild />
      {error && (
        <p role="alert" className={styles['error']}>
          {words.listFailed} {error.message}
        </p>
      )}
      {shown === null && isSlow && (
        <div role="status">
          <span className="hidden-visually">{words.loadingList}</span>
          <div className="skeleton" />
        </div>
      )}
      {shown !== null && shown.items.length === 0 && (
        <div className={styles['empty']}>
          <p>{words.empty}</p>
          <p>{words.emptyNext}</p>
        </div>
      )}
      {shown !== null && shown.items.length > 0 && (
        <ul className={styles['rows']}>
          {shown.items.map((build) => (
            <Row key={build.build_id} build={build} />
          ))}
        </ul>
      )}
      {shown !== null && shown.next !== null && wanted < most && (
        <button type="button" className="button" data-kind="quiet" onClick={() => setWanted(wanted + pageSize)}>
          {words.more}
        </button>
      )}
    </div>
  )
}

function Row({ build }: { build: BuildSummary }): ReactNode {
  const words = useBuildWords()
  const times = useTimes()
  const isOver = build.status === 'complete' || build.status === 'failed' || build.status === 'cancelled'
  return (
    <li>
      <Link href={`/b/${encodeURIComponent(build.build_id)}`} className={styles['row']}>
        <span className={styles['prompt']} dir="auto">
          {plainPreview(build.prompt)}
        </span>
        <span className={styles['facts']}>
          <BuildStatus status={build.status} />
          {!isOver && build.step > 0 && <span>{words.stepOf(build.step, 7)}</span>}
          <time dateTime={new Date(build.updatedAt).toISOString()}>{times.age(build.updatedAt)}</time>
        </span>
      </Link>
    </li>
  )
}
