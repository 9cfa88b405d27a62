import { type ReactNode, useContext } from 'react'
import type { ToolItem } from '../../../src/client/index.ts'
import { LanguageContext, useWords } from '../words/use-words.ts'
import { fileChange } from './file-change.ts'
import { secondsText } from './seconds-text.ts'
import styles from './tool-details.module.css'

/** More would make the page slow; the whole text is in the log of the dialog. */
const longestText = 20_000

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

/** Input and output of a call; of one that wrote a file, the lines it wrote. */
export function ToolDetails({ item }: { item: ToolItem }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const { toolParts } = words.chat
  const { output, state, at, startedAt = at, endedAt } = item
  const change = fileChange(item)
  return (
    <dl className={styles['details']}>
      {change ? (
        <div>
          <dt>{change.path}</dt>
          <dd>
            <pre tabIndex={0} dir="ltr" role="region" aria-label={change.path} data-diff>
              {change.lines.map(({ kind, text }, index) => (
                <span key={index} data-line={kind}>
                  {kind === 'added' ? '+ ' : kind === 'removed' ? '- ' : '  '}
                  {text.toWellFormed()}
                  {'\n'}
                </span>
              ))}
            </pre>
          </dd>
        </div>
      ) : (
        <Part name={toolParts.input} text={toText(item.input)} />
      )}
      {state !== 'called' && <Part name={state === 'failed' ? toolParts.error : toolParts.output} text={toText(output)} />}
      {endedAt !== undefined && (
        <div className={styles['time']}>
          <dt>{toolParts.duration}</dt>
          <dd>{secondsText(endedAt - startedAt, language)}</dd>
        </div>
      )}
    </dl>
  )
}

function Part({ name, text }: { name: string; text: string }): ReactNode {
  const words = useWords()
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <pre tabIndex={0} dir="ltr" role="region" aria-label={name}>
          {text.slice(0, longestText).toWellFormed()}
          {text.length > longestText && `\n… ${words.chat.toolParts.cut}`}
        </pre>
      </dd>
    </div>
  )
}
