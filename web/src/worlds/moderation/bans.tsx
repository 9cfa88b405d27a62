import type { ReactNode } from 'react'
import { Age } from '../../lists/place.tsx'
import { ActButton, ErrorLine } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { identity, useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { PartProps } from './part-props.ts'

export function Bans({ page, send, refresh }: PartProps): ReactNode {
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
