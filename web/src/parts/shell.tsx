import { lazy, type ReactNode, type RefObject, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { isNamelessOwner } from '../../../src/authority/owner-names.ts'
import { basePath } from '../link/base-path.ts'
import { onArrival, useOutbox } from '../keep/page-outbox.ts'
import { useReader } from '../link/reader.ts'
import { inbox, useRefreshing, useTitleCount } from '../link/refreshing.ts'
import { useNewVersion } from '../link/connection.ts'
import { DialogList } from '../lists/dialog-list.tsx'
import { Icon, type IconName } from '../look/icon.tsx'
import { Person } from '../look/tile.tsx'
import { useMedia } from '../look/use-media.ts'
import { useWords } from '../words/use-words.ts'
import { announce } from './announcer.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { EmergencyBanner } from './emergency-banner.tsx'
import { KeysDialog, useKeys } from './keys-dialog.tsx'
import styles from './shell.module.css'

const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const BuildColumn = lazy(async () => ({ default: (await import('../build/index.tsx')).BuildColumn }))

const isApple = /^(?:Mac|iP)/.test(navigator.platform)

/** A longer number would not fit its circle. */
const mostCounted = 99

const settingsPaths = ['/settings', '/settings/server', '/chats', '/grants']

/** On a phone: the list of chats, a page with the bar of tabs below it, or one item with the whole screen. */
function levelAt(path: string): 'list' | 'page' | 'item' {
  if (path === '/') return 'list'
  return ['/o', '/b', '/w', ...settingsPaths].includes(path) ? 'page' : 'item'
}

type ShellProps = { keys: RefObject<HTMLDialogElement | null>; onShowKeys(): void; children: ReactNode }

/** Two sides on a wide screen, one on a phone. There is no bar above them. */
export function Shell({ keys, onShowKeys, children }: ShellProps): ReactNode {
  const words = useWords()
  const [path, navigate] = useLocation()
  const [isSearching, setSearching] = useState(false)
  const count = useRefreshing(inbox).value?.count ?? 0
  const isNewVersion = useNewVersion()
  const isPhone = useMedia('(width < 48rem)')
  useTitleCount(count)
  const search = useCallback(() => setSearching(true), [])
  useKeys(keys, search)
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

  const level = levelAt(path)
  const isList = isPhone && level === 'list'
  return (
    <div className={styles['shell']} data-level={level}>
      {hasComposer(path) ? (
        <a className={styles['skip']} href="#composer">
          {words.app.skipToComposer}
        </a>
      ) : (
        <a className={styles['skip']} href="#main">
          {words.app.skipToContent}
        </a>
      )}
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
      <EmergencyBanner />
      <header className={styles['side']}>
        <div className={styles['top']}>
          {isList ? (
            <h1>{words.app.chats}</h1>
          ) : (
            <Link href="/" className={styles['brand']} aria-label={words.app.name}>
              <img src={`${basePath}/icon.svg`} alt="" />
              <span>{words.app.name}</span>
            </Link>
          )}
          <Link
            href="/c/new"
            className="button"
            data-kind="quiet"
            data-shape="icon"
            aria-label={words.app.newChat}
            title={words.app.newChat}
          >
            <Icon name="pen" />
          </Link>
        </div>
        <button type="button" className={styles['search']} aria-keyshortcuts="Control+K Meta+K" onClick={search}>
          <Icon name="search" />
          <span>{words.app.search}</span>
          {!isPhone && <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>}
        </button>
        {!isPhone && (
          <nav className={styles['nav']} aria-label={words.app.name}>
            <Places path={path} count={count} />
          </nav>
        )}
        <nav className={styles['list']} aria-label={isBuild(path) ? words.app.builds : words.app.dialogs}>
          {isBuild(path) ? (
            <Suspense>
              <BuildColumn />
            </Suspense>
          ) : (
            <DialogList />
          )}
        </nav>
        {!isPhone && (
          <>
            {!hasDock(path) && <ConnectionBar />}
            <Foot path={path} />
          </>
        )}
      </header>
      <main id="main" tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      {isPhone && level !== 'item' && (
        <>
          <ConnectionBar />
          <nav className={styles['tabs']} aria-label={words.app.name}>
            <Place path={path} to="/" icon="chat" name={words.app.chats} />
            <Places path={path} count={count} />
            <Place path={path} to="/settings" icon="gear" name={words.app.settings} />
          </nav>
        </>
      )}
      {isPhone && level === 'item' && !hasDock(path) && <ConnectionBar />}
      <KeysDialog ref={keys} />
      {isSearching && (
        <Suspense>
          <Palette onClose={() => setSearching(false)} onShowKeys={onShowKeys} />
        </Suspense>
      )}
    </div>
  )
}

function Places({ path, count }: { path: string; count: number }): ReactNode {
  const words = useWords()
  return (
    <>
      <Place path={path} to="/o" icon="inbox" name={words.inbox.title} label={words.app.inboxOf(count)}>
        {count > 0 && <span className={styles['count']}>{count > mostCounted ? `${mostCounted}+` : count}</span>}
      </Place>
      <Place path={path} to="/b" icon="build" name={words.app.builds} />
      <Place path={path} to="/w" icon="world" name={words.inbox.worlds} />
    </>
  )
}

type PlaceProps = { path: string; to: string; icon: IconName; name: string; label?: string; children?: ReactNode }

function Place({ path, to, icon, name, label, children }: PlaceProps): ReactNode {
  const isHere = path === to || (to !== '/' && path.startsWith(`${to}/`)) || (to === '/settings' && settingsPaths.includes(path))
  return (
    <Link href={to} aria-label={label} aria-current={isHere ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{name}</span>
      {children}
    </Link>
  )
}

function Foot({ path }: { path: string }): ReactNode {
  const words = useWords()
  const reader = useReader()
  const name = reader && !isNamelessOwner(reader) ? reader.name : words.chat.you
  return (
    <div className={styles['foot']}>
      <Person name={name} />
      <b>
        <bdi>{name}</bdi>
      </b>
      <Link
        href="/settings"
        className="button"
        data-kind="quiet"
        data-shape="icon"
        aria-label={words.app.settings}
        title={words.app.settings}
        aria-current={settingsPaths.includes(path) ? 'page' : undefined}
      >
        <Icon name="gear" />
      </Link>
    </div>
  )
}

/** Builds are beside a build, chats beside everything else. */
const isBuild = (path: string): boolean => path === '/b' || path.startsWith('/b/')

/** Where there is something to write in; elsewhere the link leads to what the page shows. */
const hasComposer = (path: string): boolean => path === '/' || path.startsWith('/c/')

/** Places that show the connection in their own dock. */
const hasDock = (path: string): boolean => /^\/(?:c|b)\/(?!new$|demo$)./.test(path)
