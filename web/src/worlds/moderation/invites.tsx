import { type ReactNode, useState } from 'react'
import { useTimes } from '../../words/use-words.ts'
import { ActButton, CardForm, TextField } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { identity, useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { PartProps } from './part-props.ts'

export function Invites({ page, send, refresh }: PartProps): ReactNode {
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
