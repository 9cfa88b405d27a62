import type { Inbox, QuestionView } from './wire.ts'

/** What agents ask, of everything that waits. */
export const questionsIn = ({ items }: Pick<Inbox, 'items'>): QuestionView[] =>
  items.flatMap((item) => (item.kind === 'question' ? [item.question] : []))
