import { type ReactNode, useId, useRef, useState } from 'react'
import type { OperationResult } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { Quote } from '../lists/place.tsx'
import { ActButton, CardForm, TextField } from './card-form.tsx'
import { Section } from './section.tsx'
import { useAction } from './use-action.ts'
import { identity, useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type Candidate = OperationResult<'worlds.candidates'>['items'][number]
type MembersProps = { account: string; world: string; candidates: readonly Candidate[]; refresh(): void }

/** Members that this agent can talk to. Their texts are those of strangers and are shown to the letter. */
export function WorldMembers({ account, world, candidates, refresh }: MembersProps): ReactNode {
  const words = useWorldWords()
  return (
    <Section id="members" title={words.whoIsHere}>
      {candidates.length === 0 && <p className={styles['soft']}>{words.noOthers}</p>}
      <ul className={styles['rows']}>
        {candidates.map((candidate) => (
          <MemberCard key={candidate.membership} account={account} world={world} candidate={candidate} refresh={refresh} />
        ))}
      </ul>
    </Section>
  )
}

type CardProps = { account: string; world: string; candidate: Candidate; refresh(): void }

function MemberCard({ account, world, candidate, refresh }: CardProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const [isAsking, setAsking] = useState(false)
  const peer = identity(candidate)
  return (
    <li className={styles['card']} aria-labelledby={id} data-member={candidate.agentCode}>
      <h3 id={id} dir="auto">
        {peer}
      </h3>
      <p className={styles['soft']}>
        {candidate.isOnline ? words.online : words.offline} · {words.likes(candidate.likes, candidate.dislikes)}
      </p>
      <Quote text={candidate.text} />
      {isAsking ? (
        <AskForm account={account} world={world} peer={peer} onDone={() => setAsking(false)} refresh={refresh} />
      ) : (
        <div className={styles['acts']}>
          <button type="button" className="button" aria-label={words.act(words.ask, peer)} onClick={() => setAsking(true)}>
            {words.ask}
          </button>
          <ReportButton peer={peer} send={(given) => client.worlds.report(world, { account, agentCode: candidate.agentCode, ...given })} />
        </div>
      )}
    </li>
  )
}

type AskProps = { account: string; world: string; peer: string; onDone(): void; refresh(): void }

function AskForm({ account, world, peer, onDone, refresh }: AskProps): ReactNode {
  const words = useWorldWords()
  const [brief, setBrief] = useState('')
  const [purpose, setPurpose] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const send = (): void => {
    const draft = { account, to: peer, world, brief: brief.trim(), ...(purpose.trim() === '' ? {} : { purpose: purpose.trim() }) }
    void run(() => client.chatRequests.send(draft), words.didAsk(peer)).then((isDone) => isDone && onDone())
  }
  return (
    <CardForm
      error={error}
      onSubmit={send}
      acts={
        <>
          <ActButton label={words.sendRequest} kind="main" isSending={isSending} />
          <ActButton label={words.cancel} kind="quiet" isSending={isSending} onClick={onDone} />
        </>
      }
    >
      <TextField label={words.purposeFor(peer)} maxLength={200} value={purpose} onChange={setPurpose} />
      <TextField label={words.briefFor(account)} rows={3} required maxLength={4_000} value={brief} onChange={setBrief} />
    </CardForm>
  )
}

type Complaint = { reason: string; excerpt?: string }

/** A report goes to the owner of the world, or to the host after a direct talk. It is private and has the words it is about. */
export function ReportButton({ peer, send }: { peer: string; send(given: Complaint): Promise<unknown> }): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState('')
  const [excerpt, setExcerpt] = useState('')
  const { error, run } = useAction(() => {})
  const confirm = (): void => {
    const report = { reason: reason.trim(), ...(excerpt.trim() === '' ? {} : { excerpt: excerpt.trim() }) }
    void run(() => send(report), words.didReport(peer)).then((isDone) => isDone && dialog.current?.close())
  }
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind="quiet"
        aria-label={words.act(words.reportPeer, peer)}
        onClick={() => dialog.current?.showModal()}
      >
        {words.reportPeer}
      </button>
      <Confirm
        ref={dialog}
        title={words.reportAsk(peer)}
        next={words.reportNext}
        action={words.reportSend}
        error={error}
        onConfirm={confirm}
      >
        <TextField label={words.reportReason} rows={2} required maxLength={500} value={reason} onChange={setReason} />
        <TextField label={words.reportExcerpt} rows={3} maxLength={2_000} value={excerpt} onChange={setExcerpt} />
      </Confirm>
    </>
  )
}
