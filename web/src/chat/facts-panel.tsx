import { type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { DialogView, ToolItem } from '../../../src/client/index.ts'
import type { EventView } from '../../../src/shapes/wire.ts'
import { isInForce } from '../grants/grant-state.ts'
import { client } from '../link/page-client.ts'
import { isOperator, useReader } from '../link/reader.ts'
import { refreshing, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { LanguageContext, useWords } from '../words/use-words.ts'
import styles from './facts-panel.module.css'
import { fileChange } from './file-change.ts'
import { secondsText } from './seconds-text.ts'
import { type Lane, type ModelCall, turnFacts } from './turn-facts.ts'

/** More would push the rest of the panel off the screen. */
const mostListed = 8
/** The last of a long turn. */
const mostCalls = 50

const lanes: readonly Lane[] = ['model', 'tools', 'waiting']

type PanelProps = { dialog: string; view: DialogView; events: readonly EventView[]; isWhole: boolean }

/** Facts about a chat: its last turn, what it has spent, files it wrote, and what it may do without asking. */
export function FactsPanel({ dialog, view, events, isWhole }: PanelProps): ReactNode {
  const words = useWords()
  const reader = useReader()
  return (
    <aside className={styles['panel']} aria-label={words.panel.title}>
      <LastTurn events={events} isRunning={view.status === 'working' || view.status === 'waiting'} />
      {isWhole && <Spending view={view} />}
      <Files items={view.items.filter((item): item is ToolItem => item.kind === 'tool')} />
      {isOperator(reader) && <Grants dialog={dialog} />}
    </aside>
  )
}

function LastTurn({ events, isRunning }: { events: readonly EventView[]; isRunning: boolean }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  const end = isRunning ? now : (events.at(-1)?.at ?? 0)
  const { parts, sums, calls, modelCalls } = useMemo(() => turnFacts(events, end), [events, end])
  if (parts.length === 0 && modelCalls.length === 0) return null
  const used = lanes.filter((lane) => sums[lane] > 0)
  const label = used.map((lane) => `${words.panel.lanes[lane]} ${secondsText(sums[lane], language)}`).join(', ')
  return (
    <section>
      <h2>{words.panel.lastTurn}</h2>
      {parts.length > 0 && (
        <div className={styles['lanes']} role="img" aria-label={label}>
          {parts.map(({ lane, ms }, index) => (
            <i key={index} data-lane={lane} style={{ flexGrow: Math.max(1, Math.sqrt(ms)) }} />
          ))}
        </div>
      )}
      <dl className={styles['facts']}>
        {used.map((lane) => (
          <div key={lane}>
            <dt>
              <i data-lane={lane} aria-hidden="true" />
              {words.panel.lanes[lane]}
              {lane === 'tools' && calls > 1 && ` ×${calls}`}
            </dt>
            <dd>{secondsText(sums[lane], language)}</dd>
          </div>
        ))}
      </dl>
      {modelCalls.length > 0 && <ModelCalls calls={modelCalls} />}
    </section>
  )
}

/** Each call of a model in the last turn: how long it took, its tokens, the share that its server had read before, and its cost. */
function ModelCalls({ calls }: { calls: readonly ModelCall[] }): ReactNode {
  const { panel } = useWords()
  const language = useContext(LanguageContext)
  const count = new Intl.NumberFormat(language)
  const share = new Intl.NumberFormat(language, { style: 'percent' })
  const money = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
  const describe = ({ state, input, output, cached, money: cost }: ModelCall): string =>
    [
      state === 'done' ? '' : state === 'running' ? panel.callRuns : panel.callFailed,
      input === null && output === null ? '' : panel.tokensOf(count.format(input ?? 0), count.format(output ?? 0)),
      input !== null && input > 0 && cached !== null ? panel.cachedOf(share.format(Math.min(1, cached / input))) : '',
      cost > 0 ? panel.costOf(money.format(cost)) : '',
    ]
      .filter((text) => text !== '')
      .join(' · ')
  const first = Math.max(0, calls.length - mostCalls)
  return (
    <details className={styles['calls']}>
      <summary>{panel.modelCalls(calls.length)}</summary>
      <ol start={first + 1}>
        {calls.slice(first).map((call, index) => (
          <li key={first + index}>
            <span>
              <b className={styles['cut']}>{call.model ?? panel.lanes.model}</b> {call.ms > 0 && secondsText(call.ms, language)}
            </span>
            <small>{describe(call)}</small>
          </li>
        ))}
      </ol>
    </details>
  )
}

function Spending({ view: { fold } }: { view: DialogView }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const { spent, tokens } = fold
  const inputs = tokens.input + tokens.cachedRead + tokens.cacheWrite
  if (spent.tokens === 0 && inputs === 0) return null
  const count = new Intl.NumberFormat(language)
  const share = new Intl.NumberFormat(language, { style: 'percent' })
  return (
    <section>
      <h2>{words.panel.spending}</h2>
      <dl className={styles['facts']}>
        {spent.money > 0 && (
          <div>
            <dt>{words.panel.thisChat}</dt>
            <dd>{new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(spent.money)}</dd>
          </div>
        )}
        <div>
          <dt>{words.panel.tokens}</dt>
          <dd>{count.format(Math.max(spent.tokens, inputs + tokens.output + tokens.reasoning))}</dd>
        </div>
        {inputs > 0 && (
          <div>
            <dt>{words.panel.cached}</dt>
            <dd>{share.format(tokens.cachedRead / inputs)}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function Files({ items }: { items: readonly ToolItem[] }): ReactNode {
  const words = useWords()
  const files = new Map<string, { added: number; removed: number; isNew: boolean; item: string }>()
  for (const item of items) {
    const change = item.state === 'done' ? fileChange(item) : null
    if (!change) continue
    const before = files.get(change.path)
    files.set(change.path, {
      added: (before?.added ?? 0) + change.added,
      removed: (before?.removed ?? 0) + change.removed,
      isNew: before?.isNew ?? change.isNew,
      item: item.id,
    })
  }
  if (files.size === 0) return null
  return (
    <section>
      <h2>{words.panel.files}</h2>
      <ul>
        {[...files].slice(-mostListed).map(([path, { added, removed, isNew, item }]) => (
          <li key={path}>
            <a href={`#${item}`} title={path}>
              <Icon name="file" />
              <span className={styles['cut']} dir="ltr">
                {path.split('/').at(-1)}
              </span>
              {isNew ? (
                <small>{words.panel.written}</small>
              ) : (
                <small>
                  <ins>+{added}</ins> <del>−{removed}</del>
                </small>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const grants = refreshing(async (signal) => ({ grants: await client.grants.list({}, { signal }), at: Date.now() }))

function Grants({ dialog }: { dialog: string }): ReactNode {
  const words = useWords()
  const { value } = useRefreshing(grants)
  const here = value?.grants.filter((grant) => grant.dialog === dialog && isInForce(grant, value.at)) ?? []
  if (here.length === 0) return null
  return (
    <section>
      <h2>{words.panel.grants}</h2>
      <ul>
        {here.slice(0, mostListed).map((grant) => (
          <li key={grant.id} className={styles['grant']}>
            <code className={styles['cut']} dir="ltr" title={grant.scope}>
              {grant.scope}
            </code>
            <Link href="/grants">{words.panel.change}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
