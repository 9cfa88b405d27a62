import type { QuestionControl } from '../../../../src/client/index.ts'

/** Every control of a question part takes these. `id` is unique on the page; `describedBy` names its fault and hint. */
export type ControlProps<Type extends QuestionControl['type']> = {
  id: string
  item: string
  label: string
  control: Extract<QuestionControl, { type: Type }>
  value: string
  isInvalid: boolean
  /** The question's heading says the same already. */
  isLabelHidden: boolean
  describedBy: string | undefined
  onChange(value: string): void
}
