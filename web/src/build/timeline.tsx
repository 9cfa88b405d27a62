import { type ReactNode, useContext } from 'react'
import { type BuildStepView, type BuildView, currentStep, listDecisions, stepOf } from '../../../src/client/index.ts'
import { Icon } from '../look/icon.tsx'
import { LanguageContext } from '../words/use-words.ts'
import { Elapsed, Took } from './elapsed.tsx'
import { nowTitle } from './now-title.ts'
import styles from './timeline.module.css'
import { useBuildWords } from './use-build.ts'

/** Seven steps in the words of the dictionary, whatever an agent calls them. Every step keeps its place and its height. */
export function Timeline({ view }: { view: BuildView }): ReactNode {
  const words = useBuildWords()
  const language = useContext(LanguageContext)
  const current = currentStep(view)
  const now = current && stepOf(current.id, language)
  const decisions = listDecisions(view)
  const doneCount = view.steps.filter(({ state }) => state === 'done').length
  return (
    <div className={styles['timeline']} data-status={view.status}>
      <ol className={styles['steps']} aria-label={words.steps}>
        {view.steps.map((step) => (
          <Step
            key={step.id}
            step={step}
            isCurrent={step === current && !view.isOver}
            since={view.status === 'running' ? view.stepAt : null}
          />
        ))}
      </ol>
      {decisions.length > 0 && (
        <section className={styles['decided']} aria-labelledby="build-decided">
          <h2 id="build-decided">{words.decided}</h2>
          <dl>
            {decisions.map(({ id, prompt, text }) => (
              <div key={id}>
                <dt dir="auto">{prompt}</dt>
                <dd dir="auto">{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {/* The short form of a narrow screen; the list above says the same to those who listen. */}
      <div className={styles['now']} aria-hidden="true">
        <p>
          <strong>{nowTitle(view, language)}</strong>
          <span>
            {view.status === 'running' && view.stepAt !== null && (
              <>
                <Elapsed since={view.stepAt} /> ·{' '}
              </>
            )}
            {current ? `${current.index}/${view.steps.length}` : ''}
          </span>
        </p>
        <p>{view.isOver ? words.stepsDone(doneCount, view.steps.length) : (now?.description ?? '\u00A0')}</p>
      </div>
    </div>
  )
}

type StepProps = { step: BuildStepView; isCurrent: boolean; since: number | null }

function Step({ step: { id, index, state, ms }, isCurrent, since }: StepProps): ReactNode {
  const words = useBuildWords()
  const { title, description } = stepOf(id, useContext(LanguageContext))
  return (
    <li className={styles['step']} data-state={state} aria-current={isCurrent ? 'step' : undefined}>
      <span className={styles['mark']} aria-hidden="true">
        {state === 'done' ? <Icon name="check" /> : state === 'failed' ? <Icon name="close" /> : index}
      </span>
      <span className={styles['words']}>
        <span className={styles['title']}>{title}</span>
        <span className="hidden-visually">, {words.stepState[state]}</span>
        {state === 'active' && <span className={styles['about']}>{description}</span>}
      </span>
      {ms !== null && <Took ms={ms} />}
      {state === 'active' && since !== null && <Elapsed since={since} />}
    </li>
  )
}
