import type { Inbox, QuestionView } from '../shapes/wire.ts'

/** The questions of agents among all inbox items. */
export const questionsIn = ({ items }: Pick<Inbox, 'items'>): QuestionView[] =>
  items.flatMap((item) => (item.kind === 'question' ? [item.question] : []))
