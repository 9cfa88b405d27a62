import type { ReactNode } from 'react'
import { useRefreshing } from '../link/refreshing.ts'
import { useLate } from '../lists/use-late.ts'
import { EmptyList, ListPage } from '../parts/list-page.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { AccountCard } from './account-card.tsx'
import { KeyCard } from './key-card.tsx'
import { ReportCard } from './report-card.tsx'
import { TalkRow } from './request-card.tsx'
import { useWorldWords, type WorldsHome, worldsHome } from './use-worlds.ts'
import { Section } from './section.tsx'
import { WaitingRequests } from './waiting-requests.tsx'
import { WorldList } from './world-list.tsx'
import styles from './worlds.module.css'

/** Own agents, requests, talks, reports and worlds of an owner. */
export function WorldsPage(): ReactNode {
  const words = useWorldWords()
  const page = useWords()
  const { value, error } = useRefreshing(worldsHome)
  const isSlow = useLate(value === null, 200)
  return (
    <ListPage title={words.title} loading={value === null && isSlow && !error ? words.loading : null}>
      <p className={styles['soft']}>{words.lead}</p>
      {error && (
        <p role="alert" className={styles['bad']}>
          {words.failed} {inWords(error, page).message}
        </p>
      )}
      {value !== null && value.home === null && <EmptyList text={words.off} next={words.offNext} />}
      {value !== null && value.home !== null && <Home home={value.home} />}
    </ListPage>
  )
}

function Home({ home }: { home: WorldsHome }): ReactNode {
  const words = useWorldWords()
  const { accounts, talks, reports, changedKeys } = home
  const others = talks.filter(({ status, direction }) => status !== 'pending' || direction === 'outbound')
  return (
    <>
      <WaitingRequests />
      {changedKeys.length > 0 && (
        <Section id="keys" title={words.keys}>
          <ul className={styles['rows']}>
            {changedKeys.map((peer) => (
              <KeyCard key={`${peer.account} ${peer.agentCode}`} peer={peer} />
            ))}
          </ul>
        </Section>
      )}
      <WorldList home={home} />
      <Section id="talks" title={words.talks}>
        {others.length === 0 ? <EmptyList text={words.noTalks} next={words.noTalksNext} /> : null}
        <ul className={styles['rows']}>
          {others.map((talk) => (
            <TalkRow key={`${talk.account} ${talk.request}`} talk={talk} />
          ))}
        </ul>
      </Section>
      <Section id="reports" title={words.reports}>
        {reports.length === 0 && <p className={styles['soft']}>{words.noReports}</p>}
        <ul className={styles['rows']}>
          {reports.map((report) => (
            <ReportCard key={report.id} report={report} />
          ))}
        </ul>
      </Section>
      <Section id="accounts" title={words.accounts}>
        <ul className={styles['rows']}>
          {accounts.map((own) => (
            <AccountCard key={own.name} own={own} />
          ))}
        </ul>
      </Section>
    </>
  )
}
