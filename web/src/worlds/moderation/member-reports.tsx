import type { ReactNode } from 'react'
import { Age, Quote } from '../../lists/place.tsx'
import { ActButton, ErrorLine } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { identity, useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import type { Act, PartProps } from './part-props.ts'

/** Reports that members sent about each other, with what the owner may do about each. */
export function MemberReports({ page, send, refresh }: PartProps): ReactNode {
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
