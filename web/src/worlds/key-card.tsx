import { type ReactNode, useId } from 'react'
import { client } from '../link/page-client.ts'
import { ActButton, ErrorLine } from './card-form.tsx'
import { useAction } from './use-action.ts'
import { type PeerKey, useWorldWords, worldsHome } from './use-worlds.ts'
import styles from './worlds.module.css'

/** A peer whose key changed. Nothing that is signed with the new key is taken before the owner accepts it. */
export function KeyCard({ peer: { account, agentCode, fingerprint, offered } }: { peer: PeerKey }): ReactNode {
  const words = useWorldWords()
  const id = useId()
  const { isSending, error, run } = useAction(worldsHome.refresh)
  const decide = (isAccepted: boolean, done: string): void =>
    void run(() => client.account.decideKey({ account, agentCode, key: offered?.key ?? '', isAccepted }), done)
  return (
    <li className={styles['card']} aria-labelledby={id} data-key-of={agentCode}>
      <h3 id={id}>{words.keyChanged(agentCode, account)}</h3>
      <p>{words.keyNext}</p>
      <p className={styles['soft']}>
        {words.keyBefore} <bdi>{fingerprint}</bdi>
        <br />
        {words.keyNow} <bdi>{offered?.fingerprint}</bdi>
      </p>
      <div className={styles['acts']}>
        <ActButton
          label={words.keyAccept}
          spoken={words.act(words.keyAccept, agentCode)}
          isSending={isSending}
          onClick={() => decide(true, words.didAcceptKey(agentCode))}
        />
        <ActButton
          label={words.keyDecline}
          spoken={words.act(words.keyDecline, agentCode)}
          isSending={isSending}
          onClick={() => decide(false, words.didDeclineKey(agentCode))}
        />
      </div>
      <ErrorLine error={error} />
    </li>
  )
}
