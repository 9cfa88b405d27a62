import { type ReactNode, useRef, useState } from 'react'
import type { GrantView } from '../../../src/shapes/wire.ts'
import { handleName } from '../chat/author.ts'
import { client } from '../link/page-client.ts'
import { refreshing, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { useLate } from '../lists/use-late.ts'
import { announce } from '../parts/announcer.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { EmptyList, ListPage } from '../parts/list-page.tsx'
import list from '../parts/list-page.module.css'
import { inWords, useWords } from '../words/use-words.ts'
import { endedAt, isInForce } from './grant-state.ts'
import { GrantRow } from './grant-row.tsx'
import styles from './grants-page.module.css'
import { useApprovalWords } from '../approvals/approval-words.ts'

/** `at`: grants that expire have no event, so each list is compared with the time it was read. */
const source = refreshing(async (signal) => ({ grants: await client.grants.list({}, { signal }), at: Date.now() }))

/** Standing permissions: what is allowed, who allowed it, until when, and how to take it back. */
export function GrantsPage(): ReactNode {
  const words = useWords()
  const own = useApprovalWords()
  const { value, error } = useRefreshing(source)
  const isSlow = useLate(value === null, 200)
  const [asked, setAsked] = useState<GrantView | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const isNotYours = error?.code === 'role_too_low'
  const now = value?.at ?? 0
  const inForce = value?.grants.filter((grant) => isInForce(grant, now)) ?? []
  const ended = value?.grants.filter((grant) => !isInForce(grant, now)).toSorted((a, b) => endedAt(b) - endedAt(a)) ?? []

  const revoke = async (grant: GrantView): Promise<void> => {
    try {
      await client.grants.revoke(grant.id)
      dialog.current?.close()
      announce(own.grants.revoked(grant.scope))
      // The button that opened the question is gone.
      heading.current?.focus()
      source.refresh()
    } catch (failure) {
      setProblem(`${own.grants.revokeFailed} ${inWords(asWords(failure), words).message}`)
    }
  }
  return (
    <ListPage title={words.approval.grants} heading={heading} loading={value === null && isSlow && !error ? own.grants.loading : null}>
      <p className={list['soft']}>{own.grants.lead}</p>
      {error && isNotYours && <p className={list['soft']}>{own.grants.notYours}</p>}
      {error && !isNotYours && (
        <p role="alert" className={styles['problem']}>
          {own.grants.failed} {inWords(error, words).message}
        </p>
      )}
      {value !== null && inForce.length === 0 && <EmptyList text={own.grants.empty} next={own.grants.emptyNext} />}
      {inForce.length > 0 && (
        <ul className={list['rows']} aria-label={words.approval.grants}>
          {inForce.map((grant) => (
            <GrantRow
              key={grant.id}
              grant={grant}
              onRevoke={() => {
                setAsked(grant)
                setProblem(null)
                dialog.current?.showModal()
              }}
            />
          ))}
        </ul>
      )}
      {ended.length > 0 && (
        <details className={styles['ended']}>
          <summary>{own.grants.ended(ended.length)}</summary>
          <ul className={list['rows']}>
            {ended.map((grant) => (
              <GrantRow key={grant.id} grant={grant} onRevoke={null} />
            ))}
          </ul>
        </details>
      )}
      <Confirm
        ref={dialog}
        title={own.grants.revokeAsk(asked?.scope ?? '')}
        next={own.grants.revokeNext(handleName(asked?.agent ?? ''))}
        action={own.grants.revoke}
        isDangerous
        error={problem}
        onConfirm={asked ? () => void revoke(asked) : null}
      />
    </ListPage>
  )
}
