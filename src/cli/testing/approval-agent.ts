import { z } from 'zod'
import { defineAgent } from '../../agents/runtimes/scripted.ts'
import { defineTool } from '../../agents/tool.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: z.object({ to: z.string(), amount: z.number() }),
  afterCrash: 'ask',
  run: ({ to, amount }) => `paid ${amount} to ${to}`,
})

/**
 * Calls `pay` once for each name in the message, separated by commas, and says what came of it. "ask" asks a question; "yes"
 * and "Allow once" are only repeated.
 */
export default defineAgent({
  name: 'payer',
  about: 'Pays people, for tests of approvals.',
  tools: [pay],
  *reply({ context, turn, generation }) {
    const last = context.at(-1)
    if (last?.kind === 'human' && last.text === 'ask') {
      yield { type: 'question', ask: { text: 'Which colour?', items: [{ id: 'colour', text: 'Colour', kind: 'text' }] } }
      return
    }
    if (last?.kind === 'human' && /^(?:yes|allow once)$/i.test(last.text)) {
      yield { type: 'text', text: `heard ${last.text}` }
      return
    }
    if (last?.kind === 'human') {
      for (const [at, to] of last.text.split(',').entries())
        yield { type: 'call', call: `c${turn}_${generation}_${at}`, name: pay.name, input: { to: to.trim(), amount: 5 } }
      return
    }
    const results = context.flatMap((item) => (item.kind === 'call' && item.result ? [String(item.result.output)] : []))
    yield { type: 'text', text: results.at(-1) ?? 'nothing' }
  },
})
