import { type KeyboardEvent, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { DialogSummary, SearchHit } from '../../../src/shapes/wire.ts'
import { pageFindWords } from '../../../src/words/page-parts.ts'
import { visibleTitle } from '../approvals/visible-characters.ts'
import { toAuthor } from '../chat/author.ts'
import { isComposing } from '../keep/composing.ts'
import { changeSettings, useSettings } from '../keep/settings.ts'
import { basePath } from '../link/base-path.ts'
import { client } from '../link/page-client.ts'
import { isOperator, useReader } from '../link/reader.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { Person, Tile } from '../look/tile.tsx'
import { announce } from '../parts/announcer.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import styles from './palette.module.css'
import { hitPath, SearchHitText } from './search-hit.tsx'
import { useSearch } from './use-search.ts'

type Entry = {
  key: string
  group: string
  name: string
  icon: IconName | { agent: string } | { person: string }
  end?: string
  /** Instead of the name. */
  hit?: SearchHit
  /** The palette stays open. */
  stays?: true
  act(): void
}

const chatsShown = 6
const typingMs = 150

/** Chats, pages and actions by their words. Closing it gives the focus back to where it was. */
export function Palette({ onClose, onShowKeys }: { onClose(): void; onShowKeys(): void }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const chats = useChats(text.trim())
  const commands = useCommands(onShowKeys)
  const { search, loadMore } = useSearch(text.trim())
  const find = pageFindWords[useSettings().language]
  const [, navigate] = useLocation()

  useEffect(() => {
    // A click beside it closes it, in browsers that know the attribute.
    dialog.current?.setAttribute('closedby', 'any')
    dialog.current?.showModal()
  }, [])

  const entries = useMemo(() => {
    const wanted = text.trim().toLocaleLowerCase()
    return [
      ...chats.map((chat): Entry => ({
        key: chat.id,
        group: words.app.chats,
        name: visibleTitle(chat.title || chat.preview) || words.list.untitled,
        icon: { agent: chat.agent },
        end: times.age(chat.updatedAt),
        act: () => navigate(`/c/${chat.id}`),
      })),
      ...commands.filter(({ name }) => name.toLocaleLowerCase().includes(wanted)),
      ...search.hits.map((hit): Entry => ({
        key: `${hit.dialog} ${hit.seq} ${hit.item}`,
        group: find.messages,
        name: '',
        hit,
        icon: hit.by.kind === 'agent' ? { agent: hit.by.name } : { person: toAuthor(hit.by, words) },
        act: () => navigate(hitPath(hit)),
      })),
      ...(search.next !== null
        ? [{ key: 'more', group: find.messages, name: find.more, icon: 'down' as const, stays: true as const, act: loadMore }]
        : []),
    ]
  }, [chats, commands, search, loadMore, find, text, words, times, navigate])
  const current = Math.min(at, entries.length - 1)

  const run = (entry: Entry | undefined): void => {
    if (!entry) return
    // Closed first: what it does may open another dialog.
    if (!entry.stays) dialog.current?.close()
    entry.act()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && entries.length > 0) {
      event.preventDefault()
      const next = (current + step + entries.length) % entries.length
      setAt(next)
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(entries[current])
    }
  }

  return (
    <dialog ref={dialog} className={styles['palette']} aria-label={words.palette.title} onClose={onClose}>
      <div className={styles['head']}>
        <Icon name="search" />
        <input
          role="combobox"
          aria-label={words.palette.title}
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={current < 0 ? undefined : `${id}${current}`}
          placeholder={words.palette.placeholder}
          autoComplete="off"
          dir="auto"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <form method="dialog">
          <button className="button" data-kind="quiet" aria-label={words.app.close}>
            <kbd>Esc</kbd>
          </button>
        </form>
      </div>
      <div ref={list} id={id} className={styles['list']} role="listbox" aria-label={words.palette.results}>
        {entries.map((entry, index) => [
          entries[index - 1]?.group !== entry.group && (
            <p key={entry.group} role="presentation" className={styles['group']}>
              {entry.group}
            </p>
          ),
          <button
            key={entry.key}
            type="button"
            tabIndex={-1}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === current}
            className={styles['entry']}
            onPointerMove={() => setAt(index)}
            onClick={() => run(entry)}
          >
            {typeof entry.icon === 'string' ? (
              <Icon name={entry.icon} />
            ) : 'person' in entry.icon ? (
              <Person name={entry.icon.person} size={24} />
            ) : (
              <Tile name={entry.icon.agent} size={24} />
            )}
            {entry.hit ? <SearchHitText hit={entry.hit} /> : <span dir="auto">{entry.name}</span>}
            {entry.end !== undefined && <small>{entry.end}</small>}
          </button>,
        ])}
      </div>
      <p className={styles['state']} role="status">
        {search.state === 'failed'
          ? find.failed
          : search.state === 'searching'
            ? find.searching
            : entries.length === 0
              ? words.list.noneFound(text.trim())
              : search.state === 'done' && search.hits.length > 0
                ? find.found(search.hits.length)
                : ''}
        {search.indexing && ` ${find.indexing(Math.floor((100 * search.indexing.done) / search.indexing.of))}`}
      </p>
    </dialog>
  )
}

/** The newest chats, or those the words are found in. What was found before stays until the next result is there. */
function useChats(search: string): readonly DialogSummary[] {
  const [chats, setChats] = useState<readonly DialogSummary[]>([])
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      () =>
        void client.dialogs.list({ limit: chatsShown, ...(search !== '' && { search }) }, { signal: abort.signal }).then(
          ({ items }) => setChats(items),
          () => abort.signal.aborted || setChats([]),
        ),
      search === '' ? 0 : typingMs,
    )
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [search])
  return chats
}

function useCommands(onShowKeys: () => void): readonly Entry[] {
  const words = useWords()
  const reader = useReader()
  const { theme } = useSettings()
  const [path, navigate] = useLocation()
  return useMemo(() => {
    const go = (to: string, name: string, icon: IconName): Entry => ({
      key: to,
      group: words.palette.pages,
      name,
      icon,
      act: () => navigate(to),
    })
    const action = (key: string, name: string, icon: IconName, act: () => void): Entry => ({
      key,
      group: words.palette.actions,
      name,
      icon,
      act,
    })
    const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
    return [
      go('/o', words.inbox.title, 'inbox'),
      go('/b', words.app.builds, 'build'),
      go('/w', words.inbox.worlds, 'world'),
      ...(isOperator(reader)
        ? [go('/chats', words.chats.title, 'chats' as const), go('/grants', words.approval.grants, 'shield' as const)]
        : []),
      go('/settings', words.app.settings, 'gear'),
      action('new', words.app.newChat, 'pen', () => navigate('/c/new')),
      ...(path.startsWith('/c/') && !['/c/new', '/c/demo'].includes(path)
        ? [
            action('link', words.palette.copyLink, 'link' as const, () => {
              navigator.clipboard?.writeText(`${location.origin}${basePath}${path}`).then(
                () => announce(words.signIn.copied, { isShown: true }),
                () => undefined,
              )
            }),
          ]
        : []),
      action('theme', isDark ? words.palette.toLight : words.palette.toDark, 'spark', () =>
        changeSettings({ theme: isDark ? 'light' : 'dark' }),
      ),
      action('keys', words.app.keys, 'question', onShowKeys),
    ]
  }, [words, reader, theme, path, navigate, onShowKeys])
}
