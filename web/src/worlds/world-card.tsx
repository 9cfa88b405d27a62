import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { identity, useWorldWords, type WorldRow, worldPath } from './use-worlds.ts'
import styles from './worlds.module.css'

/** A world as one own agent sees it. */
export type SeenWorld = { account: string; row: WorldRow }

type CardProps = { seen: readonly [SeenWorld, ...SeenWorld[]]; running: number }

/** One world, with a link to its page for each own agent. */
export function WorldCard({ seen, running }: CardProps): ReactNode {
  const words = useWorldWords()
  const [{ row }] = seen
  const { world, displayName, summary, owner, stats, status } = row
  const place = ({ account, row: { role, membership } }: SeenWorld): string =>
    role === 'owner'
      ? words.isOwner(account)
      : membership === 'active'
        ? words.isMember(account)
        : membership === 'invited'
          ? words.isInvited(account)
          : words.isNoMember(account)
  return (
    <li className={styles['card']} data-world={world}>
      <h3 dir="auto">{displayName}</h3>
      <p className={styles['soft']}>
        {words.worldStatus[status]} · {words.members(stats.members)} · <bdi>{words.hostedBy(identity(owner))}</bdi>
        {running > 0 && <> · {words.running(running)}</>}
      </p>
      {summary !== '' && <p dir="auto">{summary}</p>}
      <div className={styles['acts']}>
        {seen.map((each) => (
          <Link key={each.account} href={worldPath(each.account, world)} className="button" aria-label={`${displayName}: ${place(each)}`}>
            <bdi>{place(each)}</bdi>
          </Link>
        ))}
      </div>
    </li>
  )
}
