import { type ReactNode, useMemo } from 'react'
import { Link } from 'wouter'
import { client } from '../link/page-client.ts'
import { refreshing, useRefreshing } from '../link/refreshing.ts'
import { useLate } from '../lists/use-late.ts'
import { Command } from '../parts/command.tsx'
import { EmptyList, ListPage } from '../parts/list-page.tsx'
import list from '../parts/list-page.module.css'
import { useWords } from '../words/use-words.ts'
import { AccountRow } from './account-row.tsx'
import styles from './chats-page.module.css'
import { DeliveryRow } from './delivery-row.tsx'

const dayMs = 24 * 60 * 60_000
const most = 30

/** The chat apps that are connected, and what was sent there lately. */
export function ChatsPage(): ReactNode {
  const words = useWords()
  const source = useMemo(
    () =>
      refreshing(async (signal) => {
        const accounts = await client.channels.list({ signal })
        const deliveries = accounts.length === 0 ? [] : (await client.deliveries.list({ limit: most }, { signal })).items
        return { accounts, sent: deliveries.filter(({ plannedAt }) => plannedAt > Date.now() - dayMs) }
      }),
    [],
  )
  const { value, error } = useRefreshing(source)
  const isSlow = useLate(value === null, 200)
  return (
    <ListPage title={words.chats.title} loading={value === null && isSlow && !error ? words.chats.loading : null}>
      {error && (
        <p role="alert">
          {words.chats.failed} {error.message}
        </p>
      )}
      {value !== null && value.accounts.length === 0 && <EmptyList text={words.chats.none} next={words.chats.noneNext} />}
      {value !== null && value.accounts.length > 0 && (
        <ul className={list['rows']} aria-label={words.chats.title}>
          {value.accounts.map((account) => (
            <AccountRow key={account.name} account={account} />
          ))}
        </ul>
      )}
      {value !== null && (
        <div className={styles['add']}>
          <p>{value.accounts.length === 0 ? words.chats.add : words.chats.addMore}</p>
          <Command text="parley channels add telegram" />
        </div>
      )}
      <p>
        <Link href="/chats/preview">{words.chats.preview.open}</Link>
      </p>
      {value !== null && value.accounts.length > 0 && (
        <section className={styles['sent']} aria-labelledby="sent">
          <h2 id="sent">{words.chats.sent}</h2>
          {value.sent.length === 0 ? (
            <p className={list['soft']}>{words.chats.sentNone}</p>
          ) : (
            <ul className={list['rows']}>
              {value.sent.map((delivery) => (
                <DeliveryRow key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          )}
        </section>
      )}
    </ListPage>
  )
}
