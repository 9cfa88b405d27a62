import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { isNamelessOwner } from '../../../src/authority/owner-names.ts'
import { drafts } from '../keep/drafts.ts'
import { useLetters } from '../keep/page-outbox.ts'
import { isOperator, useReader } from '../link/reader.ts'
import { inbox, serverInfo, useRefreshing } from '../link/refreshing.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { Tile } from '../look/tile.tsx'
import { useWords } from '../words/use-words.ts'
import { Composer } from './composer.tsx'
import dock from './dock.module.css'
import styles from './fresh-chat.module.css'

const ChooseTaskdoc = lazy(async () => ({ default: (await import('../taskdoc/index.tsx')).ChooseTaskdoc }))

// With the Markdown of the log, which a page without a message does not need.
const LetterRow = lazy(async () => ({ default: (await import('./letter-row.tsx')).LetterRow }))

/** A dialog that is not there yet: it is opened by its first message. */
export function FreshChat({ isDemo }: { isDemo: boolean }): ReactNode {
  const words = useWords()
  const letters = useLetters(null)
  const server = useRefreshing(serverInfo).value
  const waiting = useRefreshing(inbox).value?.count ?? 0
  const reader = useReader()
  const agents = server?.agents ?? []
  const [hour] = useState(() => new Date().getHours())
  const [chosen, setChosen] = useState<string | null>(null)
  const [taskdoc, setTaskdoc] = useState<string | null>(null)
  const [isChoosing, setChoosing] = useState(false)
  const [model, setModel] = useState('')
  const name = reader && !isNamelessOwner(reader) ? reader.name : null
  const agent = chosen ?? agents.find((one) => one.default)?.name ?? ''
  const models = agents.find((one) => one.name === agent)?.models ?? []
  return (
    <div className={styles['fresh']}>
      <Link href="/" className={`button ${styles['back']}`} data-kind="quiet" data-shape="icon" aria-label={words.app.back}>
        <Icon name="back" />
      </Link>
      <div className={styles['middle']}>
        <h1>{name === null ? words.fresh.title : words.fresh.greeting(name, hour)}</h1>
        <p className={styles['lead']}>{isDemo || server?.demo ? words.fresh.demoLead : words.fresh.lead}</p>
        {waiting > 0 && (
          <Link href="/o" className="button" data-kind="quiet">
            <span className={styles['count']}>{waiting}</span>
            {words.fresh.waiting}
            <Icon name="chevron" />
          </Link>
        )}
        <Suspense>
          {letters.map((letter) => (
            <LetterRow key={letter.key} letter={letter} />
          ))}
        </Suspense>
        <div className={dock['box']}>
          <Composer
            key={isDemo ? words.fresh.demoText : 'new'}
            dialog={null}
            agent={chosen}
            taskdoc={taskdoc}
            model={models.includes(model) ? model : null}
            waiting={letters.length}
            first={isDemo && letters.length === 0 ? words.fresh.demoText : ''}
            placeholder={words.fresh.title}
            hasFocus
            tools={
              <>
                {isOperator(reader) && (
                  <button
                    type="button"
                    className={`button ${styles['document']}`}
                    data-kind="quiet"
                    aria-haspopup="dialog"
                    aria-label={taskdoc === null ? words.fresh.taskdoc : `${words.fresh.taskdoc}: ${taskdoc}`}
                    title={words.fresh.taskdoc}
                    onClick={() => setChoosing(true)}
                  >
                    <Icon name="file" />
                    {taskdoc !== null && <span dir="ltr">{taskdoc}</span>}
                  </button>
                )}
                {models.length > 1 && (
                  <label className={styles['agent']}>
                    <select
                      className={styles['model']}
                      aria-label={words.fresh.model}
                      value={models.includes(model) ? model : models[0]}
                      onChange={(event) => setModel(event.target.value)}
                    >
                      {models.map((one) => (
                        <option key={one} value={one}>
                          {one}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
                {agents.length > 1 && (
                  <label className={styles['agent']}>
                    <Tile name={agent} size={20} />
                    <select aria-label={words.fresh.agent} value={agent} onChange={(event) => setChosen(event.target.value)}>
                      {agents.map((one) => (
                        <option key={one.name} value={one.name}>
                          {one.about === '' ? one.name : `${one.name} – ${one.about}`}
                        </option>
                      ))}
                    </select>
                  </label>
                )}
              </>
            }
          />
          {isChoosing && (
            <Suspense>
              <ChooseTaskdoc chosen={taskdoc} onChoose={setTaskdoc} onClose={() => setChoosing(false)} />
            </Suspense>
          )}
        </div>
        <ul className={styles['tries']}>
          <li>
            <button type="button" onClick={() => write(server?.demo ? words.fresh.demoText : words.fresh.tries.askText)}>
              <Icon name="chat" />
              <b>{words.fresh.tries.ask}</b>
              <small>{words.fresh.tries.askAbout}</small>
            </button>
          </li>
          <Try to="/b" icon="build" name={words.fresh.tries.build} about={words.fresh.tries.buildAbout} />
          {isOperator(reader) && <Try to="/chats" icon="link" name={words.fresh.tries.connect} about={words.fresh.tries.connectAbout} />}
        </ul>
      </div>
    </div>
  )
}

/** Puts an example into the message field, behind what stands there already; the person sends it. */
function write(example: string): void {
  drafts.set('new', [drafts.get('new'), example].filter((text) => text !== '').join('\n'))
  dispatchEvent(new CustomEvent('parley-draft'))
  document.getElementById('composer')?.focus()
}

type TryProps = { to: string; icon: IconName; name: string; about: string }

function Try({ to, icon, name, about }: TryProps): ReactNode {
  return (
    <li>
      <Link href={to}>
        <Icon name={icon} />
        <b>{name}</b>
        <small>{about}</small>
      </Link>
    </li>
  )
}
