import { type ChoiceItem, choiceKind } from './choice.ts'
import { type ChoicesItem, choicesKind } from './choices.ts'
import { type DateItem, dateKind } from './date.ts'
import type { QuestionKind } from './kind.ts'
import { type NumberItem, numberKind } from './number.ts'
import { type TextItem, textKind } from './text.ts'

export type QuestionItem = { id: string; text: string } & (ChoiceItem | ChoicesItem | TextItem | NumberItem | DateItem)

/** Every kind of question. A new kind is a line here; validation, schemas, terminal, page and chats follow from its entry. */
export const questionKinds: { readonly [Kind in QuestionItem['kind']]: QuestionKind<Extract<QuestionItem, { kind: Kind }>> } = {
  choice: choiceKind,
  choices: choicesKind,
  text: textKind,
  number: numberKind,
  date: dateKind,
}

export const findKind = ({ kind }: QuestionItem): QuestionKind<QuestionItem> => questionKinds[kind]
