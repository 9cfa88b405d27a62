import { type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import { Age } from '../lists/place.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { talkPath, useWorldWords, type WorldReport } from './use-worlds.ts'
import styles from './worlds.module.css'

type BodyProps = {
  report: WorldReport
  /** The turns are on the same page. */
  hasTurns?: boolean
}

/** Text of the agent, and the facts that Parley adds. Shown as plain text: a peer may have influenced the words. */
export function ReportBody({ report: { facts, source, text, headline, nextStep }, hasTurns = false }: BodyProps): ReactNode {
  const words = useWorldWords()
  const language = useContext(LanguageContext)
  const votes = facts?.likes
  const rest = headline === null ? text : text.trim().slice(headline.length).trim()
  return (
    <>
      {source === 'runtime' && <p className={styles['soft']}>{words.fromRuntime}</p>}
      {rest !== '' && (
        <p className={styles['words']} dir="auto">
          {rest}
        </p>
      )}
      {facts && facts.quotes.length > 0 && (
        <ul className={styles['quotes']} aria-label={words.quotes}>
          {facts.quotes.map(({ text: quote, turn }) => (
            <li key={quote}>
              {turn === null ? (
                <b>{words.quotedNowhere}</b>
              ) : hasTurns ? (
                <a href={`#turn-${turn}`}>{words.quoted(turn)}</a>
              ) : (
                words.quoted(turn)
              )}{' '}
              <q dir="auto">{quote}</q>
            </li>
          ))}
        </ul>
      )}
      {nextStep !== null && (
        <div className={styles['next']}>
          <p className={styles['label']}>{words.nextStep}</p>
          <p className={styles['words']} dir="auto">
            {nextStep}
          </p>
        </div>
      )}
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
  const about = words.report(report.account, report.facts?.peer ?? '')
  return (
    <li className={styles['card']} data-report={report.request}>
      <h3 dir="auto">{report.headline ?? about}</h3>
      <p className={styles['soft']}>
        {report.headline !== null && <bdi>{about} · </bdi>}
        <Age at={report.filedAt} />
      </p>
      <ReportBody report={report} />
      <div>
        <Link href={talkPath(report.account, report.request)}>{words.readTalk}</Link>
      </div>
    </li>
  )
}
