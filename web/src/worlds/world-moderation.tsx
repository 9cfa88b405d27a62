import { type ReactNode, useId, useRef, useState } from 'react'
import type { OperationInput, OperationResult } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { Age, Quote } from '../lists/place.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useTimes } from '../words/use-words.ts'
import { ActButton, CardForm, ErrorLine, TextField } from './card-form.tsx'
import { Section } from './section.tsx'
import { useAction } from './use-action.ts'
import { identity, useWorldWords } from './use-worlds.ts'
import styles from './worlds.module.css'

type Page = OperationResult<'worlds.moderation'>
type Act = OperationInput<'worlds.moderate'>['act']
type Props = { account: string; page: Page; refresh(): void }
type PartProps = { page: Page; send(act: Act): Promise<unknown>; refresh(): void }

/** The owner of a world acts on its members, answers their reports, and changes the world. Every act is in the log below. */
export function WorldModeration({ account, page, refresh }: Props): ReactNode {
  const words = useWorldWords()
  const send = (act: Act): Promise<unknown> => client.worlds.moderate(page.world.world, act, { account })
  const part = { page, send, refresh }
  return (
    <>
      <Section id="member-reports" title={words.memberReports}>
        <ReportQueue {...part} />
      </Section>
      <Section id="all-members" title={words.moderateMembers}>
        <Members {...part} />
      </Section>
      <Section id="invites" title={words.invites}>
        <Invites {...part} />
      </Section>
      {page.bans.length > 0 && (
        <Section id="bans" title={words.bans}>
          <Bans {...part} />
        </Section>
      )}
      <Section id="broadcast" title={words.broadcast}>
        <Broadcast account={account} {...part} />
      </Section>
      <Section id="settings" title={words.worldSettings}>
        <Settings {...part} />
      </Section>
      <Section id="log" title={words.log}>
        <Log page={page} />
      </Section>
    </>
  )
}

function ReportQueue({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const { isSending, error, run } = useAction(refresh)
  if (page.reports.length === 0) return <p className={styles['soft']}>{words.noMemberReports}</p>
  return (
    <>
      <ul className={styles['rows']}>
        {page.reports.map(({ report, about, by, reason, excerpt, at }) => {
          const peer = identity(about)
          const act = { agentCode: about.agentCode, reason }
          // The act comes first: a report whose act failed stays in the queue.
          const settle = (outcome: 'muted' | 'removed' | 'banned' | 'dismissed', first: Act | null): void =>
            void run(async () => {
              if (first) await send(first)
              await send({ do: 'settle-report', report, outcome })
            }, words.settled[outcome](peer))
          return (
            <li key={report} className={styles['card']} data-report={report}>
              <h3 dir="auto">{words.reportedBy(peer, identity(by))}</h3>
              <p className={styles['soft']}>
                <Age at={at} />
              </p>
              <p dir="auto">{reason}</p>
              <Quote text={excerpt} />
              <div className={styles['acts']}>
                {/* The owner of a world stays in it. */}
                {about.agentCode !== page.world.owner.agentCode && (
                  <>
                    <ActButton label={words.mute} isSending={isSending} onClick={() => settle('muted', { do: 'mute', ...act })} />
                    <ActButton label={words.remove} isSending={isSending} onClick={() => settle('removed', { do: 'remove', ...act })} />
                    <ActButton label={words.ban} kind="bad" isSending={isSending} onClick={() => settle('banned', { do: 'ban', ...act })} />
                  </>
                )}
                <ActButton label={words.dismiss} isSending={isSending} onClick={() => settle('dismissed', null)} />
              </div>
            </li>
          )
        })}
      </ul>
      <ErrorLine error={error} />
    </>
  )
}

function Members({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const { isSending, error, run } = useAction(refresh)
  const others = page.members.filter(({ agentCode, status }) => status === 'active' && agentCode !== page.world.owner.agentCode)
  if (others.length === 0) return <p className={styles['soft']}>{words.noOthers}</p>
  return (
    <>
      <ul className={styles['rows']}>
        {others.map((member) => {
          const peer = identity(member)
          const { agentCode, isMuted, joinedAt, version } = member
          return (
            <li key={agentCode} className={styles['card']} data-moderated={agentCode}>
              <h3 dir="auto">{peer}</h3>
              <p className={styles['soft']}>
                {isMuted && <>{words.muted} · </>}
                {words.joined} <Age at={joinedAt} />
                {version < page.world.version && <> · {words.readOlder}</>}
              </p>
              <Quote text={member.text} />
              <div className={styles['acts']}>
                {isMuted ? (
                  <ActButton
                    label={words.unmute}
                    spoken={words.act(words.unmute, peer)}
                    isSending={isSending}
                    onClick={() => void run(() => send({ do: 'unmute', agentCode }), words.didUnmute(peer))}
                  />
                ) : (
                  <ActWithReason
                    label={words.mute}
                    peer={peer}
                    next={words.muteNext}
                    done={words.settled.muted(peer)}
                    refresh={refresh}
                    send={(reason) => send({ do: 'mute', agentCode, reason })}
                  />
                )}
                <ActWithReason
                  label={words.remove}
                  peer={peer}
                  next={words.removeNext}
                  done={words.settled.removed(peer)}
                  refresh={refresh}
                  send={(reason) => send({ do: 'remove', agentCode, reason })}
                />
                <ActWithReason
                  label={words.ban}
                  peer={peer}
                  next={words.banNext}
                  done={words.settled.banned(peer)}
                  refresh={refresh}
                  isDangerous
                  send={(reason) => send({ do: 'ban', agentCode, reason })}
                />
              </div>
            </li>
          )
        })}
      </ul>
      <ErrorLine error={error} />
    </>
  )
}

type ActWithReasonProps = {
  label: string
  peer: string
  next: string
  done: string
  isDangerous?: boolean
  send(reason: string): Promise<unknown>
  refresh(): void
}

function ActWithReason({ label, peer, next, done, isDangerous = false, send, refresh }: ActWithReasonProps): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const [reason, setReason] = useState('')
  const { error, run } = useAction(refresh)
  const title = words.act(label, peer)
  return (
    <>
      <button
        type="button"
        className="button"
        data-kind={isDangerous ? 'bad' : undefined}
        aria-label={title}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </button>
      <Confirm
        ref={dialog}
        title={title}
        next={next}
        action={label}
        isDangerous={isDangerous}
        error={error}
        onConfirm={() => void run(() => send(reason.trim()), done).then((isDone) => isDone && dialog.current?.close())}
      >
        <TextField label={words.actReason} rows={2} required maxLength={500} value={reason} onChange={setReason} />
      </Confirm>
    </>
  )
}

function Invites({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const times = useTimes()
  const [code, setCode] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const pending = page.invites.filter(({ status }) => status === 'pending')
  const invite = (): void => {
    // An identity such as Mira#8K4TQZ or its code alone.
    const agentCode = code.trim().split('#').at(-1) ?? ''
    void run(() => send({ do: 'invite', agentCode }), words.didInvite(code.trim())).then((isDone) => isDone && setCode(''))
  }
  return (
    <>
      {pending.length > 0 && (
        <ul className={styles['rows']}>
          {pending.map((each) => (
            <li key={each.invite} className={styles['row']} data-invite={each.invite}>
              <p dir="auto">{identity(each)}</p>
              <p className={styles['soft']}>{words.until(times.clock(each.expiresAt))}</p>
              <div>
                <ActButton
                  label={words.revoke}
                  spoken={words.act(words.revoke, identity(each))}
                  isSending={isSending}
                  onClick={() => void run(() => send({ do: 'revoke-invite', invite: each.invite }), words.didRevoke(identity(each)))}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <CardForm error={error} onSubmit={invite} acts={<ActButton label={words.invite} isSending={isSending} />}>
        <TextField label={words.inviteCode} required maxLength={60} value={code} onChange={setCode} />
      </CardForm>
    </>
  )
}

function Bans({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const { isSending, error, run } = useAction(refresh)
  return (
    <>
      <ul className={styles['rows']}>
        {page.bans.map((ban) => {
          const peer = identity(ban)
          return (
            <li key={ban.agentCode} className={styles['row']} data-ban={ban.agentCode}>
              <p dir="auto">{peer}</p>
              <p className={styles['soft']}>
                <bdi>{ban.reason}</bdi> · <Age at={ban.at} />
              </p>
              <div>
                <ActButton
                  label={words.unban}
                  spoken={words.act(words.unban, peer)}
                  isSending={isSending}
                  onClick={() => void run(() => send({ do: 'unban', agentCode: ban.agentCode }), words.didUnban(peer))}
                />
              </div>
            </li>
          )
        })}
      </ul>
      <ErrorLine error={error} />
    </>
  )
}

function Broadcast({ account, page, refresh }: PartProps & { account: string }): ReactNode {
  const words = useWorldWords()
  const times = useTimes()
  const [purpose, setPurpose] = useState('')
  const [brief, setBrief] = useState('')
  const { isSending, error, run } = useAction(refresh)
  const { world, broadcastAllowedAt } = page
  if (!world.facts.broadcast.enabled) return <p className={styles['soft']}>{words.broadcastOff}</p>
  if (broadcastAllowedAt !== null) return <p className={styles['soft']}>{words.broadcastNext(times.clock(broadcastAllowedAt))}</p>
  const send = (): void =>
    void run(() => client.worlds.broadcast(world.world, { account, purpose: purpose.trim(), brief: brief.trim() }), words.didBroadcast)
  return (
    <CardForm error={error} onSubmit={send} acts={<ActButton label={words.sendBroadcast} kind="main" isSending={isSending} />}>
      <p className={styles['soft']}>{words.broadcastAbout}</p>
      <TextField label={words.broadcastPurpose} required maxLength={200} value={purpose} onChange={setPurpose} />
      <TextField label={words.briefFor(account)} rows={3} required maxLength={4_000} value={brief} onChange={setBrief} />
    </CardForm>
  )
}

function Settings({ page, send, refresh }: PartProps): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const { world } = page
  const [text, setText] = useState(world.text)
  const [summary, setSummary] = useState(world.summary)
  const { isSending, error, run } = useAction(refresh)
  const { facts, status } = world
  const setStatus = (next: typeof status): void => void run(() => send({ do: 'set-status', status: next }), words.saved)
  const save = (): void =>
    void run(async () => {
      if (summary.trim() !== world.summary) await send({ do: 'edit-facts', facts: { ...facts, summary: summary.trim() } })
      if (text.trim() !== world.text) await send({ do: 'edit-text', text: text.trim() })
    }, words.saved)
  return (
    <>
      <CardForm error={error} onSubmit={save} acts={<ActButton label={words.save} isSending={isSending} />}>
        <TextField label={words.summary} maxLength={280} value={summary} onChange={setSummary} />
        <TextField label={words.editText} rows={6} required maxLength={8_000} value={text} onChange={setText} />
      </CardForm>
      <label className={styles['choice']} htmlFor={id}>
        <input
          id={id}
          type="checkbox"
          checked={facts.broadcast.enabled}
          disabled={isSending}
          onChange={(event) => {
            const broadcast = { ...facts.broadcast, enabled: event.target.checked }
            void run(() => send({ do: 'edit-facts', facts: { ...facts, broadcast } }), words.saved)
          }}
        />
        {words.allowBroadcast}
      </label>
      {status === 'closed' ? (
        <p className={styles['soft']}>{words.closedForGood}</p>
      ) : (
        <div className={styles['acts']}>
          {status === 'enabled' ? (
            <ActButton label={words.pause} isSending={isSending} onClick={() => setStatus('paused')} />
          ) : (
            <ActButton label={words.reopen} isSending={isSending} onClick={() => setStatus('enabled')} />
          )}
          <CloseWorld name={world.displayName} send={() => send({ do: 'set-status', status: 'closed' })} refresh={refresh} />
        </div>
      )}
    </>
  )
}

function CloseWorld({ name, send, refresh }: { name: string; send(): Promise<unknown>; refresh(): void }): ReactNode {
  const words = useWorldWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const { error, run } = useAction(refresh)
  return (
    <>
      <button type="button" className="button" data-kind="bad" onClick={() => dialog.current?.showModal()}>
        {words.closeWorld}
      </button>
      <Confirm
        ref={dialog}
        title={words.closeWorldAsk(name)}
        next={words.closeWorldNext}
        action={words.closeWorld}
        isDangerous
        error={error}
        onConfirm={() => void run(send, words.saved).then((isDone) => isDone && dialog.current?.close())}
      />
    </>
  )
}

function Log({ page: { log } }: { page: Page }): ReactNode {
  const words = useWorldWords()
  if (log.length === 0) return <p className={styles['soft']}>{words.noLog}</p>
  return (
    <ol className={styles['log']}>
      {log.map(({ at, act, about, detail }, index) => (
        // Entries have no id, and one that was written never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={`${at} ${index}`}>
          {words.acts[act]}
          {about && (
            <>
              {' '}
              <bdi>{identity(about)}</bdi>
            </>
          )}
          {detail !== null && (
            <>
              : <bdi>{words.logDetails[detail] ?? detail}</bdi>
            </>
          )}{' '}
          <span className={styles['soft']}>
            <Age at={at} />
          </span>
        </li>
      ))}
    </ol>
  )
}
