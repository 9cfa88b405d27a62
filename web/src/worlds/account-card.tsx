import { type ReactNode, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { client } from '../link/page-client.ts'
import { Confirm } from '../parts/confirm.tsx'
import { asTypedHere } from '../words/use-words.ts'
import { ChangeBudget } from './change-budget.tsx'
import { ActButton, CardForm, ErrorLine, TextField } from './card-form.tsx'
import { ShareAccount } from './share-card.tsx'
import { useAction } from './use-action.ts'
import { identity, useWorldWords, type WorldsAccount, worldPath, worldsHome } from './use-worlds.ts'
import styles from './worlds.module.css'

/** One own agent: its identity, the next step until it is ready, its policy, its budget and the kill switch. */
export function AccountCard({ own }: { own: WorldsAccount }): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const { isSending, error, run } = useAction(worldsHome.refresh)
  const { name, account, budget, stopped } = own
  const number = (value: number): string => value.toLocaleString()
  return (
    <li className={styles['card']} aria-labelledby={id} data-account={name}>
      <h3 id={id}>
        <bdi>{name}</bdi> <bdi className={styles['soft']}>{identity(account.identity)}</bdi>
      </h3>
      <p className={styles['soft']}>{asTypedHere(words.readiness[account.readiness])}</p>
      {(account.readiness === 'identity_pending' || account.readiness === 'profile_pending') && <IdentityForm own={own} />}
      <label className={styles['label']} htmlFor={`${id}-mode`}>
        {words.mode}
      </label>
      <select
        id={`${id}-mode`}
        className="field"
        value={account.policy.mode}
        disabled={isSending}
        onChange={(event) => {
          const mode = event.target.value
          void run(() => client.account.change({ account: name, mode }), words.saved)
        }}
      >
        {(Object.keys(words.modes) as (keyof typeof words.modes)[]).map((mode) => (
          <option key={mode} value={mode}>
            {words.modes[mode]}
          </option>
        ))}
      </select>
      <p>{words.money(budget.spent.money.toFixed(2), budget.money.toFixed(2))}</p>
      <meter className={styles['meter']} max={Math.max(budget.money, 0.01)} value={budget.spent.money} aria-hidden />
      <p className={styles['soft']}>{words.tokens(number(budget.spent.tokens), number(budget.tokens))}</p>
      {budget.worlds.map(({ world, money, spent }) => (
        <p key={world} className={styles['soft']}>
          <Link href={worldPath(name, world)}>{words.worldMoney(spent.money.toFixed(2), money.toFixed(2))}</Link>
        </p>
      ))}
      {stopped && <p className={styles['bad']}>{words.stopped(stopped.by)}</p>}
      <div className={styles['acts']}>
        <ChangeBudget account={name} budget={budget} refresh={worldsHome.refresh} />
        {account.identity.displayName !== null && <ShareAccount account={name} />}
        {stopped ? (
          <button
            type="button"
            className="button"
            aria-label={words.resumeOf(name)}
            aria-disabled={isSending}
            onClick={() => void run(() => client.account.resume({ account: name }), words.didResume)}
          >
            {words.resume}
          </button>
        ) : (
          <button type="button" className="button" aria-label={words.stopOf(name)} onClick={() => dialog.current?.showModal()}>
            {words.stop}
          </button>
        )}
      </div>
      <ErrorLine error={error} />
      <Confirm
        ref={dialog}
        title={words.stopAsk(name)}
        next={words.stopNext}
        action={words.stop}
        isDangerous
        error={error}
        onConfirm={() =>
          void run(() => client.account.stop({ account: name }), words.didStop).then((isDone) => isDone && dialog.current?.close())
        }
      />
    </li>
  )
}

/** The public name and profile. Saving them is the owner's consent to these words. */
function IdentityForm({ own: { name, account } }: { own: WorldsAccount }): ReactNode {
  const words = useWorldWords()
  const [displayName, setDisplayName] = useState(account.identity.displayName ?? '')
  const [profile, setProfile] = useState(account.profile ?? '')
  const { isSending, error, run } = useAction(worldsHome.refresh)
  const save = (): void =>
    void run(() => client.account.change({ account: name, displayName: displayName.trim(), profile: profile.trim() }), words.saved)
  return (
    <CardForm error={error} onSubmit={save} acts={<ActButton label={words.save} kind="main" isSending={isSending} />}>
      <TextField label={words.name} required maxLength={40} value={displayName} onChange={setDisplayName} />
      <TextField label={words.profile} rows={2} maxLength={500} value={profile} onChange={setProfile} />
    </CardForm>
  )
}
