import type { Interrupt } from '@ag-ui/core'
import type { SetQuestion } from '../rules/build-events.ts'
import { buildLimits } from '../rules/build-limits.ts'
import type { AgUiQuestion } from './build-picture.ts'

/** One for each question; those of a set are answered together, by one `resume`. */
export const toInterrupts = (asked: AgUiQuestion): Interrupt[] =>
  asked.questions.map((question) => ({
    id: question.question_id,
    reason: 'input_required',
    message: question.prompt,
    responseSchema: buildSchema(question),
    ...(asked.isSet ? { metadata: { questionSet: asked.id, setPrompt: asked.prompt } } : {}),
  }))

/** The answer is a text; a choice is answered by the id of its option. */
function buildSchema({ prompt, input, options = [] }: SetQuestion): Record<string, unknown> {
  if (input === 'text') return { type: 'string', title: prompt, minLength: 1, maxLength: buildLimits.answerChars }
  return {
    type: 'string',
    title: prompt,
    enum: options.map(({ id }) => id),
    oneOf: options.map(({ id, label, description }) => ({
      const: id,
      title: label,
      ...(description === undefined ? {} : { description }),
    })),
  }
}
