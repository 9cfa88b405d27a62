import { type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import { Age } from '../lists/place.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { talkPath, useWorldWords, type WorldReport } from './use-worlds.ts'
import styles from './worlds.module.css'

/** Text of the agent, and the facts that Parley adds. Shown as plain text: a peer may have influenced the words. */
export function ReportBody({ report }: { report: WorldReport }): ReactNode {
  const words = useWorldWords()
  const language = useContext(LanguageContext)
  const { facts, source, text } = report
  const votes = facts?.likes
  return (
    <>
      {source === 'runtime' && <p className={styles['soft']}>{words.fromRuntime}</p>}
      <p className={styles['words']} dir="auto">
        {text}
      </p>
      {facts && votes && (
        <p className={styles['soft']} lang={language}>
          {words.turns(facts.turns)} · {words.cost(facts.money.toFixed(2))} · {words.endedBy[facts.endedBy]}
          {votes.given && <> · {words.given(words.votes[votes.given])}</>}
          {votes.received && <> · {words.received(words.votes[votes.received])}</>}
        </p>
      )}
    </>
  )
}

export function ReportCard({ report }: { report: WorldReport }): ReactNode {
  const words = useWorldWords()
  return (
    <li className={styles['card']} data-report={report.request}>
      <h3 dir="auto">{words.report(report.account, report.facts?.peer ?? '')}</h3>
      <p className={styles['soft']}>
        <Age at={report.filedAt} />
      </p>
      <ReportBody report={report} />
      <div>
        <Link href={talkPath(report.account, report.request)}>{words.readTalk}</Link>
      </div>
    </li>
  )
}
