import { type ReactNode, useContext, useId } from 'react'
import { controlFor, explainAnswer } from '../../../src/client/index.ts'
import type { Question } from '../../../src/shapes/wire.ts'
import { LanguageContext } from '../words/use-words.ts'
import type { ControlProps } from './controls/control-props.ts'
import { ChecksControl } from './controls/checks-control.tsx'
import { DateControl } from './controls/date-control.tsx'
import { FieldControl } from './controls/field-control.tsx'
import { OptionsControl } from './controls/options-control.tsx'
import styles from './question-card.module.css'

type PartProps = {
  item: Question['items'][number]
  /** Its text is then the question's own and not repeated when it says the same. */
  isOnly: boolean
  value: string
  fault: string | undefined
  onChange(value: string): void
}

type Controls = { [Type in ReturnType<typeof controlFor>['type']]: (props: ControlProps<Type>) => ReactNode }

const controls: Controls = { options: OptionsControl, checks: ChecksControl, field: FieldControl, date: DateControl }

/** One item of a question, with the control its kind asks for. */
export function QuestionPart({ item, isOnly, value, fault, onChange }: PartProps): ReactNode {
  const id = useId()
  const language = useContext(LanguageContext)
  const noteId = `${id}note`
  const control = controlFor(item)
  // Options and free text explain themselves; other kinds say what fits before anything is wrong.
  const isPlain = control.type === 'options' || (control.type === 'field' && control.lines === 'many')
  const note = fault ?? (isPlain ? null : explainAnswer(item, '', language))
  const Control = controls[control.type] as (props: ControlProps<typeof control.type>) => ReactNode
  return (
    <div className={styles['part']}>
      <Control
        id={id}
        item={item.id}
        label={item.text}
        control={control}
        value={value}
        isInvalid={fault !== undefined}
        isLabelHidden={isOnly}
        describedBy={note === null ? undefined : noteId}
        onChange={onChange}
      />
      {note !== null && (
        <p id={noteId} className={fault === undefined ? styles['hint'] : styles['fault']}>
          {note}
        </p>
      )}
    </div>
  )
}
