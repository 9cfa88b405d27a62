import { type ReactNode, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { ClientError, type OperationResult } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { type Refreshing, refreshing, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import { Confirm } from '../parts/confirm.tsx'
import list from '../parts/list-page.module.css'
import { inWords, useWords } from '../words/use-words.ts'
import { ActButton, CardForm } from './card-form.tsx'
import { ChangeLimits } from './change-limits.tsx'
import { OwnTurn } from './own-turn.tsx'
import { OwnerQuestion } from './owner-question.tsx'
import { ReportBody } from './report-card.tsx'
import { ExportTalk, ShareCard } from './share-card.tsx'
import { TurnRow } from './turn-row.tsx'
import { useAction } from './use-action.ts'
import { identity, useWorldWords, type WorldReport } from './use-worlds.ts'
import { ReportButton } from './world-members.tsx'
import styles from './worlds.module.css'

export type Talk = OperationResult<'conversations.get'>
type Shown = { talk: Talk; report: WorldReport | null }

function readTalk(account: string, request: string): Refreshing<Shown> {
  return refreshing(async (signal) => {
    const talk = await client.conversations.get(request, { account }, { signal })
    const report = await client.reports.get(request, { account }, { signal }).catch((error: unknown) => {
      if (error instanceof ClientError && error.status === 404) return null
      throw error
    })
    return { talk, report }
  })
}

/** The turns of one talk as they come, the own side of it, and its report. */
export function TalkPage({ account, request }: { account: string; request: string }): ReactNode {
  const words = useWorldWords()
  const page = useWords()
  const source = useMemo(() => readTalk(account, request), [account, request])
  const { value, error } = useRefreshing(source)
  const peer = value ? identity(value.talk.request.counterparty) : ''
  return (
    <div className={list['page']}>
      <header className={list['head']}>
        <Link href="/w" className="button" data-kind="quiet" data-shape="icon" aria-label={words.back}>
          <Icon name="back" />
        </Link>
        <h1 className={styles['title']} dir="auto">
          {value ? words.talk(account, peer) : words.talks}
        </h1>
      </header>
      {error && (
        <p role="alert" className={styles['bad']}>
          {words.failed} {inWords(error, page).message}
        </p>
      )}
      {value && <TalkBody account={account} peer={peer} shown={value} refresh={source.refresh} />}
    </div>
  )
}

type TalkBodyProps = { account: string; peer: string; shown: Shown; refresh(): void }

function TalkBody({ account, peer, shown: { talk, report }, refresh }: TalkBodyProps): ReactNode {
  const words = useWorldWords()
  const { request, turns, seat } = talk
  const isLive = request.status === 'accepted' && request.end === null && request.chat !== 'kickoff_failed'
  return (
    <>
      <p className={styles['soft']} role="status">
        {request.chat === null ? words.status[request.status] : words.chat[request.chat]} ·{' '}
        {isLive && seat ? words.turnsOf(turns.length, seat.limits.turns) : words.turns(turns.length)}
        {seat && <> · {words.cost(`${seat.spent.money.toFixed(2)} / ${seat.limits.money.toFixed(2)}`)}</>}
      </p>
      <section className={styles['section']} aria-labelledby="turns">
        <h2 id="turns">{words.transcript}</h2>
        {turns.length === 0 && <p className={styles['soft']}>{words.noTurns}</p>}
        <ol className={styles['turns']}>
          {turns.map((turn) => (
            <TurnRow key={turn.turnId} turn={turn} isOurs={turn.side === request.side} name={turn.side === request.side ? account : peer} />
          ))}
        </ol>
        {seat?.isWriting && <p className={styles['soft']}>{words.writing(account)}</p>}
      </section>
      {seat?.question && <OwnerQuestion key={seat.question.id} account={account} question={seat.question} refresh={refresh} />}
      {isLive && seat && <OwnTurn account={account} request={request.request} isTakenOver={seat.isTakenOver} refresh={refresh} />}
      <div className={styles['acts']}>
        {request.status === 'pending' && request.direction === 'outbound' && (
          <WithdrawRequest account={account} request={request.request} refresh={refresh} />
        )}
        {isLive && seat && <LimitTalk account={account} request={request.request} seat={seat} refresh={refresh} />}
        {isLive && <CloseTalk account={account} request={request.request} peer={peer} refresh={refresh} />}
        {turns.length > 0 && <ExportTalk account={account} request={request.request} />}
        <ReportButton peer={peer} send={(given) => client.chatRequests.report(request.request, { account, ...given })} />
      </div>
      {request.status === 'accepted' && (
        <section className={styles['section']} aria-labelledby="report">
          <h2 id="report">{words.reportTitle}</h2>
          {report?.headline && <h3 dir="auto">{report.headline}</h3>}
          {report ? <ReportBody report={report} hasTurns /> : <p className={styles['soft']}>{words.reportPending}</p>}
          {report?.facts && (
            <div className={styles['acts']}>
              <ShareCard account={account} request={request.request} />
            </div>
          )}
        </section>
      )}
    </>
  )
}

function WithdrawRequest({ account, request, refresh }: Omit<CloseTalkProps, 'peer'>): ReactNode {
  const words = useWorldWords()
  const { isSending, error, run } = useAction(refresh)
  return (
    <CardForm
      error={error}
      acts={
        <ActButton
          label={words.withdraw}
          isSending={isSending}
          onClick={() => void run(() => client.chatRequests.withdraw(request, { account }), words.didWithdraw)}
        />
      }
    />
  )
}

type LimitTalkProps = { account: string; request: string; seat: NonNullable<Talk['seat']>; refresh(): void }

function LimitTalk({ account, request, seat: { limits, reporting }, refresh }: LimitTalkProps): ReactNode {
  const words = useWorldWords()
  const { error, run } = useAction(refresh)
  return (
    <ChangeLimits
      bounds={{ turns: limits.turns, money: limits.money, reporting }}
      error={error}
      save={(changed) => run(() => client.conversations.limit(request, { account, ...changed }), words.didLimit)}
    />
  )
}

type CloseTalkProps = { account: string; request: string; peer: string; refresh(): void }

function CloseTalk({ account, request, peer, refresh }: CloseTalkProps): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { error, run } = useAction(refresh)
  return (
    <div>
      <button type="button" className="button" onClick={() => dialog.current?.showModal()}>
        {words.close}
      </button>
      <Confirm
        ref={dialog}
        title={words.closeAsk(peer)}
        next={words.closeNext}
        action={words.close}
        isDangerous
        error={error}
        onConfirm={() =>
          void run(() => client.conversations.close(request, { account }), words.didClose).then(
            (isDone) => isDone && dialog.current?.close(),
          )
        }
      />
    </div>
  )
}
