import { type ReactNode, useState } from 'react'
import { client } from '../../link/page-client.ts'
import { useTimes } from '../../words/use-words.ts'
import { ActButton, CardForm, TextField } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { PartProps } from './part-props.ts'

export function Broadcast({ account, page, refresh }: PartProps & { account: string }): ReactNode {
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
