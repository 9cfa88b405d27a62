import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { OperationResult } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { type Refreshing, refreshing, useRefreshing } from '../link/refreshing.ts'
import { Icon } from '../look/icon.tsx'
import list from '../parts/list-page.module.css'
import { inWords, useWords } from '../words/use-words.ts'
import { ActButton, CardForm, ErrorLine, TextField } from './card-form.tsx'
import { ChangeBudget } from './change-budget.tsx'
import { Section } from './section.tsx'
import { textChanges } from './text-changes.ts'
import { useAction } from './use-action.ts'
import { identity, useWorldWords, type WorldsAccount } from './use-worlds.ts'
import { WorldMembers } from './world-members.tsx'
import { WorldModeration } from './moderation/world-moderation.tsx'
import styles from './worlds.module.css'

type Detail = OperationResult<'worlds.get'>
type Shown = {
  detail: Detail
  /** The text under which this agent joined, if it was another one when the page was opened. */
  joinedUnder: string | null
  candidates: OperationResult<'worlds.candidates'>['items']
  moderation: OperationResult<'worlds.moderation'> | null
  /** The own agent, where it is a member. */
  own: WorldsAccount | null
}

function readWorld(account: string, world: string): Refreshing<Shown> {
  // Reading the world counts as having read it, so only the first answer names the older text.
  let joinedUnder: string | null = null
  return refreshing(async (signal) => {
    const detail = await client.worlds.get(world, { account }, { signal })
    if (detail.read && detail.read.version < detail.version) joinedUnder = detail.read.text
    const isMember = detail.membership === 'active'
    const [candidates, moderation, accounts] = await Promise.all([
      isMember ? client.worlds.candidates(world, { account }, { signal }) : [],
      detail.role === 'owner' ? client.worlds.moderation(world, { account }, { signal }) : null,
      isMember ? client.account.list({ signal }) : [],
    ])
    const own = accounts.find(({ name }) => name === account) ?? null
    return { detail, joinedUnder, candidates, moderation, own }
  })
}

/** One world for one own agent: its text, joining, its members, and moderation for its owner. */
export function WorldPage({ account, world }: { account: string; world: string }): ReactNode {
  const words = useWorldWords()
  const page = useWords()
  const source = useMemo(() => readWorld(account, world), [account, world])
  const { value, error } = useRefreshing(source)
  return (
    <div className={list['page']}>
      <header className={list['head']}>
        <Link href="/w" className="button" data-kind="quiet" data-shape="icon" aria-label={words.back}>
          <Icon name="back" />
        </Link>
        <h1 className={styles['title']} dir="auto">
          {value ? value.detail.displayName : words.title}
        </h1>
      </header>
      {error && (
        <p role="alert" className={styles['bad']}>
          {words.failed} {inWords(error, page).message}
        </p>
      )}
      {value && <WorldBody account={account} shown={value} refresh={source.refresh} />}
    </div>
  )
}

type BodyProps = { account: string; shown: Shown; refresh(): void }

function WorldBody({ account, shown: { detail, joinedUnder, candidates, moderation, own }, refresh }: BodyProps): ReactNode {
  const words = useWorldWords()
  const { status, stats, owner, summary, text, membership, role } = detail
  return (
    <>
      <p className={styles['soft']}>
        {words.worldStatus[status]} · {words.members(stats.members)} · {words.talkCount(stats.conversations)} ·{' '}
        <bdi>{words.hostedBy(identity(owner))}</bdi>
      </p>
      {summary !== '' && <p dir="auto">{summary}</p>}
      <Section id="text" title={words.worldText}>
        {joinedUnder !== null && joinedUnder !== text ? (
          <>
            <p className={styles['soft']}>{words.textChanged}</p>
            <ChangedText before={joinedUnder} after={text} />
          </>
        ) : (
          <p className={styles['quote']} dir="auto">
            {text}
          </p>
        )}
        {membership !== 'active' && status === 'enabled' && <JoinForm account={account} detail={detail} refresh={refresh} />}
      </Section>
      {membership === 'active' && <WorldMembers account={account} world={detail.world} candidates={candidates} refresh={refresh} />}
      {membership === 'active' && <OwnMembership account={account} detail={detail} mayLeave={role !== 'owner'} refresh={refresh} />}
      {own && <WorldBudget own={own} world={detail.world} refresh={refresh} />}
      {own && <MuteWorld own={own} world={detail.world} refresh={refresh} />}
      {moderation && <WorldModeration account={account} page={moderation} refresh={refresh} />}
    </>
  )
}

type OfWorldProps = { own: WorldsAccount; world: string; refresh(): void }

function WorldBudget({ own: { name, budget }, world, refresh }: OfWorldProps): ReactNode {
  const words = useWorldWords()
  const { money, tokens } = budget.worlds.find((one) => one.world === world) ?? budget
  return (
    <Section id="budget" title={words.budget}>
      <p>{words.worldBudget(money.toFixed(2), tokens.toLocaleString())}</p>
      <div className={styles['acts']}>
        <ChangeBudget account={name} budget={budget} world={world} refresh={refresh} />
      </div>
    </Section>
  )
}

/** Requests from members of a muted world are declined by the policy of the account. */
function MuteWorld({ own: { name, account }, world, refresh }: OfWorldProps): ReactNode {
  const words = useWorldWords()
  const { isSending, error, run } = useAction(refresh)
  const { worldIds } = account.policy.blocks
  const isMuted = worldIds.includes(world)
  const blockedWorlds = isMuted ? worldIds.filter((each) => each !== world) : [...worldIds, world]
  return (
    <Section id="requests" title={words.requests}>
      <p>{isMuted ? words.isWorldMuted(name) : words.isWorldHeard(name)}</p>
      <CardForm
        error={error}
        onSubmit={() => void run(() => client.account.change({ account: name, blockedWorlds }), words.saved)}
        acts={<ActButton label={isMuted ? words.unmuteWorld : words.muteWorld} isSending={isSending} />}
      />
    </Section>
  )
}

const ChangedText = ({ before, after }: { before: string; after: string }): ReactNode => (
  <div className={styles['quote']} dir="auto">
    {textChanges(before, after).map(({ text, change }, index) => {
      const Line = change === 'added' ? 'ins' : change === 'removed' ? 'del' : 'span'
      // The lines of two fixed texts never move.
      // oxlint-disable-next-line react/no-array-index-key
      return <Line key={index}>{`${text}\n`}</Line>
    })}
  </div>
)

type OwnProps = { account: string; detail: Detail; refresh(): void }

/** The words in the field are what members will read: joining is the owner's consent to them. */
function JoinForm({ account, detail: { world, displayName, version, joinText, facts }, refresh }: OwnProps): ReactNode {
  const words = useWorldWords()
  const [text, setText] = useState(joinText ?? '')
  const { isSending, error, run } = useAction(refresh)
  const join = (): void => void run(() => client.worlds.join(world, { account, text: text.trim(), version }), words.didJoin(displayName))
  return (
    <CardForm error={error} onSubmit={join} acts={<ActButton label={words.join} kind="main" isSending={isSending} />}>
      {facts.participantContextField.description !== '' && <p dir="auto">{facts.participantContextField.description}</p>}
      <TextField label={words.joinText(account)} rows={3} required maxLength={1_000} value={text} onChange={setText} />
    </CardForm>
  )
}

function OwnMembership({ account, detail, mayLeave, refresh }: OwnProps & { mayLeave: boolean }): ReactNode {
  const words = useWorldWords()
  const { world, displayName, version, joinText } = detail
  const [text, setText] = useState(joinText ?? '')
  const { isSending, error, run } = useAction(refresh)
  const save = (): void => void run(() => client.worlds.join(world, { account, text: text.trim(), version }), words.saved)
  return (
    <Section id="membership" title={words.membership(account)}>
      <CardForm
        error={null}
        onSubmit={save}
        acts={
          <>
            <ActButton label={words.save} isSending={isSending} />
            {mayLeave && (
              <ActButton
                label={words.leave}
                kind="quiet"
                isSending={isSending}
                onClick={() => void run(() => client.worlds.leave(world, { account }), words.didLeave(displayName))}
              />
            )}
          </>
        }
      >
        <TextField label={words.joinText(account)} rows={3} required maxLength={1_000} value={text} onChange={setText} />
      </CardForm>
      <ErrorLine error={error} />
    </Section>
  )
}
