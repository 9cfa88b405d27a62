import { visibleTitle } from '../approvals/visible-characters.ts'
import { lazy, type ReactNode, Suspense, useContext } from 'react'
import { Link } from 'wouter'
import type { BuildSummary } from '../../../src/client/index.ts'
import type { InboxItem, QuestionView, UnclaimedView } from '../../../src/shapes/wire.ts'
import { audienceWords } from '../chat/audience-words.ts'
import { toAuthor } from '../chat/author.ts'
import { client } from '../link/page-client.ts'
import { useReader } from '../link/reader.ts'
import { Person, Tile } from '../look/tile.tsx'
import { LanguageContext, useWords } from '../words/use-words.ts'
import styles from './overview.module.css'
import { PairingRow } from './pairing-row.tsx'
import { Age, Place, Quote } from './place.tsx'
import { QuickAnswers, quickBuildOptions, quickOptions } from './quick-answers.tsx'
import { plainPreview } from './plain-preview.ts'
import { shortened, StuckRow } from './stuck-row.tsx'
import { useDeciding } from './use-deciding.ts'

const FailureRow = lazy(async () => ({ default: (await import('../offers/index.tsx')).FailureRow }))

const RequestCard = lazy(async () => ({ default: (await import('../worlds/index.tsx')).RequestCard }))

export function InboxRow({ item, isGone }: { item: InboxItem; isGone: boolean }): ReactNode {
  const words = useWords()
  const gone = isGone ? words.inbox.gone[item.kind] : null
  return (
    <li className={styles['row']} data-gone={isGone || undefined} data-kind={item.kind}>
      <Mark item={item} />
      {item.kind === 'question' && <QuestionRow question={item.question} gone={gone} />}
      {item.kind === 'failure' && (
        <Suspense>
          <FailureRow failure={item.failure} gone={gone} />
        </Suspense>
      )}
      {item.kind === 'build' && <BuildRow build={item.build} gone={gone} />}
      {item.kind === 'chat-request' &&
        (gone === null ? (
          <Suspense>
            <RequestCard heading="h2" request={{ ...item.request, account: item.account }} bounds={item.bounds} />
          </Suspense>
        ) : (
          <p className={styles['from']}>
            <bdi>{item.request.counterparty.displayName}</bdi> · {gone}
          </p>
        ))}
      {item.kind === 'pairing' && <PairingRow place={item.pairing} gone={gone} />}
      {item.kind === 'unclaimed' && <UnclaimedRow unclaimed={item.unclaimed} gone={gone} />}
      {item.kind === 'delivery' && <StuckRow delivery={item.delivery} gone={gone} />}
    </li>
  )
}

/** The owner of the row: the tile of an agent, the circle of a person. A request brings its own. */
function Mark({ item }: { item: InboxItem }): ReactNode {
  switch (item.kind) {
    case 'question':
      return <Tile name={item.question.agent} size={32} />
    case 'failure':
      return <Tile name={item.failure.agent} size={32} />
    case 'build':
      return <Tile name={item.build.build_id} size={32} />
    case 'pairing':
      return <Person name={item.pairing.pairing?.from.name ?? ''} size={32} />
    case 'unclaimed':
      return <Person name={item.unclaimed.from.name} size={32} />
    case 'delivery':
      return <Person name={item.delivery.address} size={32} />
    case 'chat-request':
      return null
  }
}

function QuestionRow({ question, gone }: { question: QuestionView; gone: string | null }): ReactNode {
  const words = useWords()
  const text = question.ask.text || (question.ask.items[0]?.text ?? '')
  const options = quickOptions(question)
  const isFor = audienceWords(question.audience, useReader(), words, useContext(LanguageContext))
  return (
    <>
      <div>
        <p className={styles['text']} dir="auto">
          {text}
        </p>
        <p className={styles['from']}>
          <bdi>{toAuthor({ kind: 'agent', name: question.agent }, words)}</bdi> ·{' '}
          <bdi>{visibleTitle(question.dialogTitle) || words.list.untitled}</bdi> · {isFor !== null && <>{isFor} · </>}
          <Age at={question.askedAt} />
        </p>
      </div>
      {gone === null ? (
        <>
          <QuickAnswers about={text} options={options} send={(choice) => client.questions.answer(question.id, { choice })} />
          <Link href={`/c/${question.dialog}`} className="button" data-kind={options.length > 0 ? 'quiet' : undefined}>
            {words.inbox.open}
          </Link>
        </>
      ) : (
        <p className={styles['from']}>{gone}</p>
      )}
    </>
  )
}

/** A plain choice is answered here; a text or a set belongs between the steps of its build. */
function BuildRow({
  build: { build_id: build, prompt, question, updatedAt },
  gone,
}: {
  build: BuildSummary
  gone: string | null
}): ReactNode {
  const words = useWords()
  const options = question ? quickBuildOptions(question) : []
  return (
    <>
      <div>
        <p className={styles['text']} dir="auto">
          {question?.prompt}
        </p>
        <p className={styles['from']}>
          {words.inbox.build} · <bdi>{shortened(plainPreview(prompt), 80)}</bdi> · <Age at={updatedAt} />
        </p>
      </div>
      {gone === null ? (
        <>
          {question && (
            <QuickAnswers
              // The next question of the same build is another one: it is not being sent.
              key={question.id}
              about={question.prompt}
              options={options}
              send={(answer) => client.builds.answer(build, { question_id: question.id, answer })}
            />
          )}
          <Link href={`/b/${encodeURIComponent(build)}`} className="button" data-kind={options.length > 0 ? 'quiet' : undefined}>
            {words.inbox.openBuild}
          </Link>
        </>
      ) : (
        <p className={styles['from']}>{gone}</p>
      )}
    </>
  )
}

/** An unclaimed message. Its reason names the next step; a person can dismiss it. */
function UnclaimedRow({ unclaimed, gone }: { unclaimed: UnclaimedView; gone: string | null }): ReactNode {
  const words = useWords()
  const { isSending, done, error, decide } = useDeciding()
  const { channel, from, text, why, at } = unclaimed
  const outcome = done ?? gone
  return (
    <>
      <div>
        <p className={styles['text']}>
          <bdi>{words.inbox.unclaimed(from.name)}</bdi>
        </p>
        <Place channel={channel} at={at} />
        <Quote text={text} />
        <p className={styles['why']} dir="auto">
          {why}
        </p>
      </div>
      {outcome === null ? (
        <div className={styles['quick']}>
          <button
            type="button"
            className="button"
            data-kind="quiet"
            aria-disabled={isSending}
            aria-label={`${words.inbox.dismiss}: ${shortened(plainPreview(text) || from.name, 60)}`}
            onClick={() => void decide(() => client.dismissUnclaimed(unclaimed), words.inbox.dismissed)}
          >
            {words.inbox.dismiss}
          </button>
          {error !== null && <p role="alert">{error}</p>}
        </div>
      ) : (
        <p className={styles['from']}>{outcome}</p>
      )}
    </>
  )
}
