import type { ReactNode } from 'react'
import type { DeliveryView } from '../../../src/shapes/wire.ts'
import { handleName } from '../chat/author.ts'
import { plainPreview } from '../lists/plain-preview.ts'
import { shortened, StuckChoices } from '../lists/stuck-row.tsx'
import { Icon, type IconName } from '../look/icon.tsx'
import { useTimes, useWords } from '../words/use-words.ts'
import list from '../parts/list-page.module.css'
import { LossList } from './loss-list.tsx'
import styles from './chats-page.module.css'

const icons: Record<DeliveryView['state'], IconName> = {
  waiting: 'clock',
  sent: 'check',
  'partly-sent': 'warn',
  unknown: 'question',
  failed: 'warn',
  parked: 'pause',
  dismissed: 'check',
}

const isStuck = ({ state }: DeliveryView): boolean =>
  state === 'unknown' || state === 'failed' || state === 'parked' || state === 'partly-sent'

/** One message as it went out: how far it came, and on demand what looks different there. */
export function DeliveryRow({ delivery }: { delivery: DeliveryView }): ReactNode {
  const words = useWords()
  const times = useTimes()
  const { channel, address, state, text, plannedAt, losses, error } = delivery
  return (
    <li className={`${list['row']} ${styles['row']}`}>
      <p className={styles['line']}>
        <span className={styles['words']} dir="auto">
          {shortened(plainPreview(text), 120)}
        </span>
        <span className={styles['state']} data-state={state}>
          <Icon name={icons[state]} />
          {words.chats.sendStates[state]}
        </span>
      </p>
      <p className={list['soft']}>
        <bdi>{handleName(channel)}</bdi> · <bdi>{words.inbox.to(address)}</bdi> ·{' '}
        <time dateTime={new Date(plannedAt).toISOString()}>{times.age(plannedAt)}</time>
      </p>
      {error && state !== 'dismissed' && (
        <p className={styles['problem']} dir="auto">
          {error.message}
        </p>
      )}
      {losses.length > 0 && (
        <details className={styles['losses']}>
          <summary>{words.chats.losses(losses.length)}</summary>
          <LossList losses={losses} />
        </details>
      )}
      {isStuck(delivery) && <StuckChoices delivery={delivery} gone={null} />}
    </li>
  )
}
