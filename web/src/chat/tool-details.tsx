import { type ReactNode, useContext } from 'react'
import type { ToolItem } from '../../../src/client/index.ts'
import { LanguageContext, useWords } from '../words/use-words.ts'
import styles from './tool-details.module.css'

/** More would make the page slow; the whole text is in the log of the dialog. */
const longestText = 20_000

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

export function ToolDetails({ item }: { item: ToolItem }): ReactNode {
  const words = useWords()
  const language = useContext(LanguageContext)
  const { toolParts } = words.chat
  const { input, output, state, at, startedAt = at, endedAt } = item
  const seconds = new Intl.NumberFormat(language, { style: 'unit', unit: 'second', maximumFractionDigits: 1 })
  return (
    <dl className={styles['details']}>
      <Part name={toolParts.input} text={toText(input)} />
      {state !== 'called' && <Part name={state === 'failed' ? toolParts.error : toolParts.output} text={toText(output)} />}
      {endedAt !== undefined && (
        <div>
          <dt>{toolParts.duration}</dt>
          <dd>{seconds.format(Math.max(0, endedAt - startedAt) / 1_000)}</dd>
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
        <pre tabIndex={0} dir="ltr" aria-label={name}>
          {text.slice(0, longestText).toWellFormed()}
          {text.length > longestText && `\n… ${words.chat.toolParts.cut}`}
        </pre>
      </dd>
    </div>
  )
}
