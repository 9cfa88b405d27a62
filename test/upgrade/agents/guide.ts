import { z } from 'zod'
import { defineAgent } from '../../../src/agents/runtimes/scripted.ts'
import { defineTool } from '../../../src/agents/tool.ts'
import type { Question } from '../../../src/dialogs/rules/question.ts'
import type { ContextItem } from '../../../src/dialogs/rules/dialog-state.ts'
import { failWhileRecording, hangWhileRecording } from './recording.ts'

const options = (...values: string[]): { value: string; label: string }[] => values.map((value) => ({ value, label: value }))

const questions: Record<string, Question> = {
  choose: { text: 'Ship it?', items: [{ id: 'ship', text: '', kind: 'choice', options: options('yes', 'no') }] },
  form: {
    text: 'Two things:',
    items: [
      { id: 'city', text: 'Which city?', kind: 'text' },
      { id: 'pace', text: 'Which pace?', kind: 'choice', options: options('slow', 'fast') },
    ],
  },
  later: { text: 'Which name?', items: [{ id: 'name', text: '', kind: 'text' }] },
}

const yearMs = 365 * 24 * 60 * 60_000

const pay = defineTool({
  name: 'pay',
  description: 'Pays once. Running it twice would do harm.',
  input: z.object({}),
  afterCrash: 'ask',
  gate: 'allow',
  async run(_, { dialog, signal }) {
    await hangWhileRecording(dialog, signal)
    return 'paid'
  },
})

const look = defineTool({
  name: 'look',
  description: 'Looks something up. Safe to repeat.',
  input: z.object({}),
  afterCrash: 'repeat',
  gate: 'allow',
  async run(_, { dialog, signal }) {
    await hangWhileRecording(dialog, signal)
    return 'looked up'
  },
})

/** Declares no gate, so a person has to approve each call. */
const publish = defineTool({
  name: 'publish',
  description: 'Publishes a page.',
  input: z.object({ page: z.string() }),
  afterCrash: 'ask',
  run: async () => 'published',
})

/** Messages of people since the agent last spoke. */
function unanswered(context: readonly ContextItem[]): string[] {
  const lastReply = context.findLastIndex((item) => item.kind === 'agent')
  return context.slice(lastReply + 1).flatMap((item) => (item.kind === 'human' ? [item.text] : []))
}

/** Answers in the root dialogs of the recorded database. The first word of a message says what to do. */
export default defineAgent({
  name: 'guide',
  about: 'Answers, asks, delegates.',
  tools: [pay, look, publish],
  async *reply({ dialog, context }, { signal }) {
    const last = context.at(-1)
    if (last?.kind === 'question') {
      const { outcome } = last
      return yield { type: 'text', text: `You answered ${Object.values(outcome?.answers ?? {}).join(' and ')}.` }
    }
    if (last?.kind === 'call') return yield { type: 'text', text: `Result: ${String(last.result?.output).split('\n').at(-1)}` }
    if (last?.kind === 'prompt') {
      await hangWhileRecording(dialog, signal)
      return yield { type: 'text', text: 'Paint it green.' }
    }
    const text = last?.kind === 'human' ? last.text : ''
    const [word = '', ...rest] = text.split(' ')
    const ask = questions[word]
    if (ask) return yield { type: 'question', ask, ...(word === 'later' && { expiresInMs: yearMs }) }
    if (word === 'fail') failWhileRecording()
    if (word === 'hang') {
      yield { type: 'delta', text: 'It begins' }
      await hangWhileRecording(dialog, signal)
    }
    if (word === 'pay' || word === 'look') return yield { type: 'call', call: word, name: word, input: {} }
    if (word === 'publish') return yield { type: 'call', call: `publish ${context.length}`, name: word, input: { page: rest.join(' ') } }
    if (word === 'delegate')
      return yield {
        type: 'call',
        call: `delegate ${context.length}`,
        name: 'tellask',
        input: { targetAgentId: '@helper', sessionSlug: 'work', tellaskContent: rest.join(' ') },
      }
    const lastWords = unanswered(context)
    yield { type: 'text', text: lastWords.length > 0 ? `Heard: ${lastWords.join(', ')}.` : 'Continued.' }
  },
})
