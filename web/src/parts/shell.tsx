import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { basePath } from '../link/base-path.ts'
import { onArrival, useOutbox } from '../keep/page-outbox.ts'
import { inbox, useRefreshing, useTitleCount } from '../link/refreshing.ts'
import { useNewVersion } from '../link/connection.ts'
import { DialogList } from '../lists/dialog-list.tsx'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import { announce } from './announcer.tsx'
import { ConnectionPill } from './connection-pill.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { KeysDialog, useKeys } from './keys-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import styles from './shell.module.css'

const BuildColumn = lazy(async () => ({ default: (await import('../build/index.tsx')).BuildColumn }))

/** A longer number would push the buttons beside it off a phone. */
const mostCounted = 99

/** The pane a phone shows first at this path; a wide screen always shows the list. */
const firstAt = (path: string): 'list' | 'both' | 'main' => (path === '/' ? 'list' : path === '/o' ? 'both' : 'main')

export function Shell({ children }: { children: ReactNode }): ReactNode {
  const words = useWords()
  const [path, navigate] = useLocation()
  const settings = useRef<HTMLDialogElement>(null)
  const keys = useRef<HTMLDialogElement>(null)
  const count = useRefreshing(inbox).value?.count ?? 0
  const isNewVersion = useNewVersion()
  useTitleCount(count)
  useKeys(keys)
  useOutbox()

  // A message that opened a dialog takes its writer there, unless they went elsewhere meanwhile.
  const here = useRef(path)
  here.current = path
  useEffect(
    () =>
      onArrival((letter, { dialog }) => {
        announce(words.announce.sent)
        if (letter.dialog === null && ['/', '/c/new', '/c/demo'].includes(here.current))
          navigate(`/c/${dialog}`, { replace: here.current !== '/' })
      }),
    [navigate, words],
  )

  return (
    <div className={styles['shell']} data-first={firstAt(path)}>
      {hasComposer(path) ? (
        <a className={styles['skip']} href="#composer">
          {words.app.skipToComposer}
        </a>
      ) : (
        <a className={styles['skip']} href="#main">
          {words.app.skipToContent}
        </a>
      )}
      <header className={styles['bar']}>
        <Link href="/" className={styles['brand']} aria-label={words.app.name}>
          <img src={`${basePath}/icon.svg`} alt="" />
          <span>{words.app.name}</span>
        </Link>
        <ConnectionPill />
        <div className={styles['tools']}>
          <Link
            href="/b"
            className="button"
            data-kind="quiet"
            aria-label={words.app.builds}
            aria-current={path === '/b' ? 'page' : undefined}
          >
            <Icon name="build" />
            <span className="only-wide">{words.app.builds}</span>
          </Link>
          <Link
            href="/o"
            className="button"
            data-kind="quiet"
            aria-label={words.app.waitingForYou(count)}
            aria-current={path === '/o' ? 'page' : undefined}
          >
            <Icon name="inbox" />
            <span className="only-wide">{words.inbox.title}</span>
            {count > 0 && <span className={styles['badge']}>{count > mostCounted ? `${mostCounted}+` : count}</span>}
          </Link>
          <button
            type="button"
            className="button"
            data-kind="quiet"
            data-shape="icon"
            aria-label={words.app.settings}
            onClick={() => settings.current?.showModal()}
          >
            <Icon name="gear" />
          </button>
        </div>
      </header>
      <EmergencyBanner />
      {isNewVersion && (
        <div className={styles['version']} role="status">
          <span>
            {words.app.newVersion} {words.app.reloadKeepsDrafts}
          </span>
          <button type="button" className="button" onClick={() => location.reload()}>
            {words.app.reload}
          </button>
        </div>
      )}
      <nav className={styles['side']} aria-label={isBuild(path) ? words.app.builds : words.app.dialogs}>
        {isBuild(path) ? (
          <Suspense>
            <BuildColumn />
          </Suspense>
        ) : (
          <DialogList />
        )}
      </nav>
      <main id="main" tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      <SettingsDialog ref={settings} onShowKeys={() => keys.current?.showModal()} />
      <KeysDialog ref={keys} />
    </div>
  )
}

/** Builds are beside a build, chats beside everything else. */
const isBuild = (path: string): boolean => path === '/b' || path.startsWith('/b/')

/** Where there is something to write in; elsewhere the link leads to what the page shows. */
const hasComposer = (path: string): boolean => path === '/' || path.startsWith('/c/')
