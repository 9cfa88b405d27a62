import { type ReactNode, useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import { freshKey } from '../../../../src/client/index.ts'
import type { SettingsView } from '../../../../src/shapes/settings.ts'
import type { ErrorWords } from '../../../../src/shapes/wire.ts'
import { client } from '../../link/page-client.ts'
import { serverInfo } from '../../link/refreshing.ts'
import { asWords } from '../../link/sign-in.ts'
import { useLate } from '../../lists/use-late.ts'
import { announce } from '../../parts/announcer.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { inWords, useWords } from '../../words/use-words.ts'
import { AgentPart } from './agent-part.tsx'
import { BudgetPart } from './budget-part.tsx'
import { ChannelPart } from './channel-part.tsx'
import { ModelPart } from './model-part.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { SecretPart } from './secret-part.tsx'
import styles from './server-settings.module.css'
import { type Change, EditingContext, useSettingsWords } from './settings-words.ts'

/** parley.yaml for its owner: agents, models, chat apps, budgets and secrets. */
export function ServerSettings(): ReactNode {
  const words = useWords()
  const texts = useSettingsWords()
  const [view, setView] = useState<SettingsView | null>(null)
  const [error, setError] = useState<ErrorWords | null>(null)
  const [changes, setChanges] = useState<readonly Change[] | null>(null)
  const isSlow = useLate(view === null, 200)
  useEffect(() => {
    const abort = new AbortController()
    client.settings.get({ signal: abort.signal }).then(setView, (failure: unknown) => {
      if (!abort.signal.aborted) setError(asWords(failure))
    })
    return () => abort.abort()
  }, [])

  const keepSecret = async (name: string, value: string): Promise<boolean> => {
    try {
      setView(await client.settings.keepSecret(name, value, { key: freshKey() }))
      setError(null)
      announce(texts.stored(name), { isShown: true })
      return true
    } catch (failure) {
      setError(asWords(failure))
      return false
    }
  }
  const isClosed = error?.code === 'not_allowed' || error?.code === 'role_too_low'
  return (
    <ListPage title={texts.title} loading={view === null && isSlow && !error ? texts.loading : null}>
      <p className={styles['note']}>{isClosed ? texts.ownerOnly : texts.lead}</p>
      {error && !isClosed && (
        <p role="alert" className={styles['bad']}>
          {view === null && `${texts.failed} `}
          {inWords(error, words).message} {inWords(error, words).hint}
        </p>
      )}
      {view && (
        <EditingContext value={{ view, review: setChanges, keepSecret }}>
          <Problems problems={view.problems} />
          <ModelPart />
          <AgentPart />
          <ChannelPart />
          <ToolPart />
          <BudgetPart key={view.revision} />
          <SecretPart />
          <details className={styles['file']}>
            <summary>{texts.file}</summary>
            <pre className={styles['text']} tabIndex={0} dir="ltr" role="region" aria-label={view.file}>
              {view.text}
            </pre>
          </details>
        </EditingContext>
      )}
      {view && changes && (
        <ReviewDialog
          file={view.file}
          changes={changes}
          revision={view.revision}
          onNewer={setView}
          onSaved={(next) => {
            setView(next)
            announce(texts.saved, { isShown: true })
            serverInfo.refresh()
          }}
          onClose={() => setChanges(null)}
        />
      )}
    </ListPage>
  )
}

function Problems({ problems }: { problems: readonly string[] }): ReactNode {
  const texts = useSettingsWords()
  const id = useId()
  if (problems.length === 0) return null
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{texts.problems}</h2>
      <ul className={styles['problems']}>
        {problems.map((problem) => (
          <li key={problem} dir="auto">
            {problem}
          </li>
        ))}
      </ul>
    </section>
  )
}

function ToolPart(): ReactNode {
  const texts = useSettingsWords()
  const id = useId()
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <h2 id={id}>{texts.tools}</h2>
      <p className={styles['note']}>
        {texts.toolsAbout} <Link href="/grants">{texts.permissions}</Link>
      </p>
    </section>
  )
}
