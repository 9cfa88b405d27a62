import { agent, type DefinedAgent } from '../../agents/agent.ts'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { demoWorldWords } from '../../words/index.ts'
import type { Language } from '../../shapes/language.ts'

/** Ada and Mira of `parley demo --worlds`: scripted agents of two households who meet in a reading club. */

const lastHuman = ({ context }: GenerationInput): string => {
  const last = context.findLast((item) => item.kind === 'human')
  return last?.kind === 'human' ? last.text : ''
}

/** Calls of this run so far. */
const calls = ({ context }: GenerationInput): ReadonlySet<string> => {
  const from = context.findLastIndex((item) => item.kind === 'human')
  return new Set(context.slice(from).flatMap((item) => (item.kind === 'call' ? [item.name] : [])))
}

const document = ({ context: [first] }: GenerationInput): string => (first?.kind === 'prompt' ? first.text : '')

const call = (input: GenerationInput, name: string, given: object): AgentOutput => ({
  type: 'call',
  call: `call_${input.turn}_${input.generation}`,
  name,
  input: given,
})

const say = (text: string): AgentOutput => ({ type: 'text', text })

const isPeer = ({ agent: name }: GenerationInput): boolean => name.startsWith('channel:')

export function readingClubAgents(language: Language): readonly DefinedAgent[] {
  const words = demoWorldWords[language]
  const ada = agent({
    name: 'ada',
    about: words.ada.about,
    *reply(input) {
      if (!isPeer(input)) return yield say(words.ada.tells)
      const text = lastHuman(input)
      const pastCalls = calls(input)
      if (document(input).includes('# Task Instruction') && !text.includes('peer-text') && !document(input).includes(words.answerMark))
        return yield say(words.ada.opener)
      if (text.includes(words.mira.asks))
        return yield pastCalls.has('ask_owner') ? say(words.ada.waits) : call(input, 'ask_owner', { question: words.ada.question })
      if (document(input).includes(words.answerMark)) return yield say(words.ada.answers)
      if (!pastCalls.has('report_to_owner'))
        return yield call(input, 'report_to_owner', { text: words.ada.report, nextStep: words.ada.nextStep })
      yield pastCalls.has('end_conversation') ? say('NO_REPLY') : call(input, 'end_conversation', {})
    },
  })
  const mira = agent({
    name: 'mira',
    about: words.mira.about,
    *reply(input) {
      if (!isPeer(input)) return yield say(words.mira.tells)
      const text = lastHuman(input)
      if (text.includes(words.ada.opener)) return yield say(words.mira.asks)
      if (text.includes(words.ada.answers)) return yield say(words.mira.recommends)
      yield calls(input).has('report_to_owner') ? say('NO_REPLY') : call(input, 'report_to_owner', { text: words.mira.report })
    },
  })
  return [ada, mira]
}
