import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { identity, useWorldWords, type WorldRow, worldPath } from './use-worlds.ts'
import styles from './worlds.module.css'

/** One world for one own agent, with a link to its page. */
export function WorldCard({ account, row }: { account: string; row: WorldRow }): ReactNode {
  const words = useWorldWords()
  const { world, displayName, summary, owner, stats, status, membership, role } = row
  const own =
    role === 'owner'
      ? words.isOwner(account)
      : membership === 'active'
        ? words.isMember(account)
        : membership === 'invited'
          ? words.isInvited(account)
          : words.isNoMember(account)
  return (
    <li className={styles['card']} data-world={world}>
      <h3 dir="auto">
        <Link href={worldPath(account, world)}>{displayName}</Link>
      </h3>
      <p className={styles['soft']}>
        {words.worldStatus[status]} · {words.members(stats.members)} · <bdi>{words.hostedBy(identity(owner))}</bdi> · {own}
      </p>
      {summary !== '' && <p dir="auto">{summary}</p>}
    </li>
  )
}
