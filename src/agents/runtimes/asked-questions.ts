import { askHuman } from '../../dialogs/rules/question.ts'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { readQuestion } from '../ask-human.ts'

type Call = Extract<AgentOutput, { type: 'call' }>

/** Outputs of a program or script, where a call of `askHuman` asks its question, unless the script itself asks it next. */
export async function* withAskedQuestions(outputs: AsyncIterable<AgentOutput>): AsyncGenerator<AgentOutput> {
  let open: Call | null = null
  for await (const output of outputs) {
    if (open && !(output.type === 'question' && output.call === open.call)) yield* yieldQuestion(open)
    open = output.type === 'call' && output.name === askHuman ? output : null
    yield output
  }
  if (open) yield* yieldQuestion(open)
}

/** A call whose input does not fit asks nothing; the check of the tool says why. */
function* yieldQuestion({ call, input }: Call): Generator<AgentOutput> {
  const read = readQuestion(input)
  if ('ask' in read) yield { type: 'question', ...read, call }
}
