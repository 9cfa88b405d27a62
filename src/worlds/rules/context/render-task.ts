import type { LeakKind } from '../boundary/leak-filter.ts'
import { fenced } from '../boundary/peer-text.ts'
import type { WrapUpCause } from '../conversation-events.ts'
import type { DocumentTexts } from './document-texts.ts'
import { bullets, type Section, section } from './sections.ts'

/** Task of a channel agent in this turn; none for an ordinary one. */
export type Task =
  | { kind: 'kickoff' }
  /** `answer` is null when the owner declined. */
  | { kind: 'resume'; question: string; answer: string | null }
  | { kind: 'wrap-up'; why: WrapUpCause }
  /** `isOver`: the conversation has ended already, so nothing more reaches the peer. */
  | { kind: 'report'; isOver: boolean }
  | { kind: 'rewrite'; leaks: readonly LeakKind[] }

export function renderTask(task: Task, texts: DocumentTexts): Section {
  return section('Task Instruction', taskText(task, texts))
}

function taskText(task: Task, { P6, wrapUp, tasks }: DocumentTexts): string {
  switch (task.kind) {
    case 'kickoff':
      return bullets(P6)
    case 'resume': {
      const question = `${tasks.question}\n\n${fenced(task.question)}`
      if (task.answer === null) return `${question}\n\n${bullets([tasks.declined])}`
      return `${question}\n\n${tasks.answer}\n\n${fenced(task.answer)}\n\n${bullets([tasks.answered, tasks.resume])}`
    }
    case 'wrap-up':
      return bullets([wrapUp[task.why]])
    case 'report':
      return bullets([task.isOver ? tasks.report.ended : tasks.report.ending])
    case 'rewrite':
      return bullets([tasks.rewrite(task.leaks.map((kind) => tasks.leaks[kind]))])
  }
}
