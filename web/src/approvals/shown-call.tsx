import { type ReactNode, useId } from 'react'
import { factInWords } from '../../../src/authority/shown-fact.ts'
import type { ApprovalView } from '../../../src/shapes/wire.ts'
import styles from './approval.module.css'
import { countLines, diffLines } from './diff-lines.ts'
import { withVisibleCharacters } from './visible-characters.ts'
import { useApprovalWords } from './approval-words.ts'

/** Everything that will run, to the last character: it may scroll, and is never cut. */
export function ShownCall({ shown }: { shown: ApprovalView['shown'] }): ReactNode {
  const own = useApprovalWords()
  const id = useId()
  const text = withVisibleCharacters(shown.text)
  const lines = shown.kind === 'write' ? diffLines(text) : null
  const counted = lines && countLines(lines)
  return (
    <figure className={styles['shown']}>
      <figcaption id={id}>
        <span>{own.shown[shown.kind]}</span>
        {counted && (
          <span className={styles['counted']}>
            <ins>+{counted.added}</ins> <del>−{counted.removed}</del>
          </span>
        )}
      </figcaption>
      {/* A region that scrolls has to be reachable by keyboard. */}
      {shown.kind === 'message' ? (
        <div className={styles['paper']} role="region" aria-labelledby={id} tabIndex={0} dir="auto">
          {text}
        </div>
      ) : (
        <pre role="region" aria-labelledby={id} tabIndex={0} dir="ltr" data-diff={lines ? true : undefined}>
          {lines
            ? lines.map((line, index) => (
                <span key={index} data-line={line.kind}>
                  {line.text}
                  {'\n'}
                </span>
              ))
            : text}
        </pre>
      )}
      {shown.facts.length > 0 && (
        <dl className={styles['about']}>
          {shown.facts
            .map((fact) => factInWords(fact, own.factWords))
            .map(({ label, value }) => (
              <div key={label}>
                <dt dir="auto">{label}</dt>
                <dd dir="auto">{withVisibleCharacters(value)}</dd>
              </div>
            ))}
        </dl>
      )}
    </figure>
  )
}
