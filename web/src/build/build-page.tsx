import { type ReactNode, useContext, useState } from 'react'
import { Link } from 'wouter'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { useLate } from '../lists/use-late.ts'
import { Icon } from '../look/icon.tsx'
import dock from '../chat/dock.module.css'
import { FoldedQuestion } from '../chat/folded-question.tsx'
import { secondsText } from '../chat/seconds-text.ts'
import { ConnectionBar } from '../parts/connection-bar.tsx'
import notice from '../parts/notice-page.module.css'
import { inWords, LanguageContext, useWords } from '../words/use-words.ts'
import { BuildComposer } from './build-composer.tsx'
import { BuildLog } from './build-log.tsx'
import styles from './build-page.module.css'
import { BuildQuestion } from './build-question.tsx'
import { BuildStatus } from './build-status.tsx'
import { CancelButton } from './cancel-button.tsx'
import { EndedEarly } from './ended-early.tsx'
import { LateMessage } from './late-message.tsx'
import { Timeline } from './timeline.tsx'
import { useBuild, useBuildWords } from './use-build.ts'

/** One build: seven steps, the chat beside them, and what is asked below it. */
export function BuildPage({ build }: { build: string }): ReactNode {
  const words = useBuildWords()
  const { view, summary, isReady, error } = useBuild(build)
  const language = useContext(LanguageContext)
  const [putOff, setPutOff] = useState<string | null>(null)
  const hasTimes = view.steps.every(({ ms }) => ms !== null)
  const isSlow = useLate(!isReady && error === null, 200)
  if (error) return <CannotShow error={error} />
  const isEarly = view.isOver && (view.status === 'failed' || view.status === 'cancelled')
  const isLate = view.isOver && !isEarly && view.lines.some((line) => line.kind === 'request' && line.state === 'late')
  return (
    <div className={styles['page']}>
      <header className={styles['head']}>
        <Link href="/b" className={`button ${styles['back']}`} data-kind="quiet" data-shape="icon" aria-label={words.back}>
          <Icon name="back" />
        </Link>
        <h1>{words.title}</h1>
        <p className={styles['took']}>
          {view.status === 'complete' &&
            hasTimes &&
            words.took(
              secondsText(
                view.steps.reduce((sum, { ms }) => sum + (ms ?? 0), 0),
                language,
              ),
            )}
        </p>
        {isReady && (
          <span className={styles['status']}>
            <BuildStatus status={view.status} />
          </span>
        )}
        {isReady && !view.isOver && view.status !== 'complete' && <CancelButton build={build} isStopping={view.isStopping} />}
      </header>
      <div className={styles['body']}>
        <Timeline view={view} />
        <div className={styles['chat']}>
          <BuildLog view={view} agent={summary?.agent ?? ''} isReady={isReady} isSlow={isSlow} />
          <div className={dock['dock']}>
            <div className={dock['box']}>
              <ConnectionBar />
              {view.question &&
                (putOff === view.question.id ? (
                  <FoldedQuestion
                    agent={build}
                    text={view.question.prompt}
                    count={view.question.questions.length}
                    onOpen={() => setPutOff(null)}
                  />
                ) : (
                  <BuildQuestion key={view.question.id} build={build} ask={view.question} onLater={setPutOff} />
                ))}
              {isEarly && <EndedEarly build={build} view={view} />}
              {isLate && <LateMessage build={build} />}
              {isReady && <BuildComposer build={build} isOver={view.isOver} />}
            </div>
          </div>
        </div>
      </div>
    </div>
  )
}

function CannotShow({ error }: { error: ErrorWords }): ReactNode {
  const words = useBuildWords()
  const page = useWords()
  const isGone = error.code === 'build_not_found' || error.code === 'not_found'
  return (
    <div className={notice['page']}>
      <h1>{isGone ? words.notFound : words.cannotShow}</h1>
      <p className={notice['lead']}>{isGone ? words.notFoundNext : inWords(error, page).message}</p>
      <Link href="/b" className="button">
        {words.back}
      </Link>
    </div>
  )
}
