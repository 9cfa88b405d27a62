import type { ReactNode } from 'react'
import { Age, Quote } from '../../lists/place.tsx'
import { ActButton, ErrorLine } from '../card-form.tsx'
import { useAction } from '../use-action.ts'
import { identity, useWorldWords } from '../use-worlds.ts'
import styles from '../worlds.module.css'
import { ActWithReason } from './act-with-reason.tsx'
import type { PartProps } from './part-props.ts'

export function ModeratedMembers({ page, send, refresh }: PartProps): ReactNode {
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
