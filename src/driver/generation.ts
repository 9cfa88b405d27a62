import type { AskedQuestion, ToolCall } from '../dialog/decide.ts'
import type { Usage } from '../dialog/events.ts'
import { faultOf } from '../dialog/question.ts'
import { ParleyError } from '../errors.ts'
import type { Agent, GenerationInput } from '../ports/agent-runtime.ts'
import type { Ids } from '../ports/ids.ts'
import type { Draft } from './drafts.ts'
import { mergedQuestions } from './merged-questions.ts'

export const generationLimits = { textChars: 400_000, calls: 32, questions: 8 } as const

/** What one generation came to, ready to be decided on. */
export type Generated = {
  text: string
  calls: ToolCall[]
  questions: AskedQuestion[]
  /** Calls whose question was put into the one of another call. */
  together: string[]
  title?: string
  model: string | null
  usage: Usage
  wantsMore: boolean
}

/** Runs one generation of an agent and gathers it. Throws what the runtime throws. */
export async function generate(
  agent: Agent,
  input: GenerationInput,
  draft: Draft,
  parts: { ids: Ids; now: () => number },
  signal: AbortSignal,
): Promise<Generated> {
  const made: Generated = {
    text: '',
    calls: [],
    questions: [],
    together: [],
    model: null,
    usage: { inputTokens: null, outputTokens: null },
    wantsMore: false,
  }
  const finished: string[] = []
  let streamed = ''
  const tools = new Map(agent.tools.map((tool) => [tool.name, tool]))

  for await (const output of agent.runtime.generate(input, signal)) {
    signal.throwIfAborted()
    switch (output.type) {
      case 'delta':
        streamed += output.text
        draft.add('text', output.text)
        break
      case 'thinking':
        draft.add('thinking', output.text)
        break
      case 'text':
        finished.push(output.text)
        break
      case 'call':
        if (made.calls.length >= generationLimits.calls)
          throw new ParleyError('model_garbled', { why: `more than ${generationLimits.calls} tool calls at once` })
        // An id the agent made up may repeat an older one; ours never does, and it is the tool's idempotency key.
        made.calls.push({
          call: output.call,
          name: output.name,
          input: output.input ?? null,
          policy: tools.get(output.name)?.afterCrash ?? 'repeat',
        })
        break
      case 'question': {
        const fault = faultOf(output.ask)
        if (fault !== null && output.call === undefined)
          throw new ParleyError('agent_failed', { why: `it asked a question that is not well formed: ${fault}` })
        if (fault !== null || made.questions.length >= generationLimits.questions) break
        const expiresAt = output.expiresInMs === undefined ? null : parts.now() + output.expiresInMs
        made.questions.push({
          question: parts.ids.next('q'),
          call: output.call ?? null,
          ask: output.ask,
          expiresAt,
          ...(output.to === undefined ? {} : { to: output.to }),
        })
        break
      }
      case 'title':
        made.title = output.title
        break
      case 'usage':
        made.model = output.model
        made.usage = output.usage
        break
      case 'again':
        made.wantsMore = true
        break
    }
    if (streamed.length > generationLimits.textChars) {
      throw new ParleyError('model_garbled', { why: `it wrote more than ${generationLimits.textChars} characters in one reply` })
    }
  }
  signal.throwIfAborted()
  made.text = clean(finished.length > 0 ? finished.join('\n\n') : streamed)
  if (made.text.length > generationLimits.textChars)
    throw new ParleyError('model_garbled', { why: `it wrote more than ${generationLimits.textChars} characters in one reply` })
  return withOwnCallIds(made, parts.ids)
}

/** What an agent writes is data: broken surrogates and control characters would break pages and terminals. */
const clean = (text: string): string => text.toWellFormed().replace(/\r\n?/g, '\n').replace(control, '')

/** All control characters but line feed and tab. */
const control = /(?![\n\t])\p{Cc}/gu

/** Agents number their calls as they like; in the log an id is used once. */
function withOwnCallIds(made: Generated, ids: Ids): Generated {
  const own = new Map<string, string>()
  const calls = made.calls.map((call) => {
    const id = ids.next('call')
    own.set(call.call, id)
    return { ...call, call: id }
  })
  const questions = made.questions.map((asked) => ({ ...asked, call: asked.call === null ? null : (own.get(asked.call) ?? null) }))
  return { ...made, calls, ...mergedQuestions(questions) }
}
