/**
 * A team in ten minutes: the code of docs/guides/team.md. It checks what it says and ends with 1 when something is
 * not so. Run it: node_modules/.bin/node examples/team-in-ten-minutes/main.ts
 *
 * Chef asks a teammate for a menu. The teammate asks back, asks the human, and replies; a second one never comes to an end
 * and is given up.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
// In a project of your own: import … from 'parley-runtime'
import { type AgentOutput, defineAgent, type GenerationInput, memoryStore, owner, parley, team } from '../../src/index.ts'

type Item = GenerationInput['context'][number]

const text = (words: string): AgentOutput => ({ type: 'text', text: words })

/** What the agent has to react to. */
const latest = (input: GenerationInput): Item | undefined => input.context.at(-1)

/** What came back from the last call of this tool; null while there is nothing. */
const resultOf = (input: GenerationInput, tool: string): string | null => {
  const found = input.context.findLast((item) => item.kind === 'call' && item.name === tool)
  return found?.kind === 'call' && found.result ? String(found.result.output).replace(/^【.*】\s*/, '') : null
}

// 1. One who asks others. Two requests in one go: it rests until both are settled.
const chef = defineAgent({
  name: 'chef',
  about: 'Plans a dinner.',
  *reply(input) {
    const menu = resultOf(input, 'tellask')
    const wine = resultOf(input, 'tellaskSessionless')
    if (menu !== null && wine !== null) return yield text(`Dinner: ${menu} Wine: ${wine}`)
    // A teammate asks back. What is said now goes to that teammate.
    if (latest(input)?.kind === 'prompt') return yield text('Six people.')
    yield {
      type: 'call',
      call: 'menu',
      name: 'tellask',
      input: { targetAgentId: '@cook', sessionSlug: 'dinner', tellaskContent: 'Propose a menu.' },
    }
    yield {
      type: 'call',
      call: 'wine',
      name: 'tellaskSessionless',
      input: { targetAgentId: '@sommelier', tellaskContent: 'Choose a wine.' },
    }
  },
})

// 2. One who is asked. It finds its place in the work from the context alone, so a crash changes nothing.
const cook = defineAgent({
  name: 'cook',
  about: 'Knows dishes.',
  *reply(input) {
    const guests = resultOf(input, 'tellaskBack')
    const asked = input.context.findLast((item) => item.kind === 'question')
    if (guests === null) return yield { type: 'call', call: 'guests', name: 'tellaskBack', input: { tellaskContent: 'For how many?' } }
    if (asked?.kind !== 'question') {
      const options = [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ]
      return yield {
        type: 'question',
        ask: { text: 'Does anybody eat no meat?', items: [{ id: 'meat', text: 'No meat', kind: 'choice', options }] },
      }
    }
    // Its last words are the reply: all goals are done, and nothing it asked for is out.
    yield text(asked.outcome?.answers?.['meat'] === 'yes' ? 'Mushroom risotto.' : 'Roast chicken.')
  },
})

// 3. One who never comes to an end, as happens.
const sommelier = defineAgent({
  name: 'sommelier',
  about: 'Tastes for ever.',
  async *reply(_input, { signal }) {
    yield { type: 'delta', text: 'Let me taste one more …' }
    await once(signal, 'abort')
  },
})

const here = parley({ store: memoryStore(), team: team([chef, cook, sommelier]) })
const me = owner('me')

/** Looks again on every change until it is so. */
async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (;;) {
    const changed = new Promise<void>((resolve) => {
      const stop = here.events.onChange(() => {
        stop()
        resolve()
      })
    })
    const found = await look()
    if (found !== undefined) return found
    await changed
  }
}

const late = setTimeout(() => {
  console.error('The team did not come to an end within half a minute.')
  process.exit(1)
}, 30_000)

try {
  const dinner = await here.dialogs.open({ text: 'Plan a dinner for Saturday.' }, me)

  // The cook's question is in the inbox like any other, although nobody wrote to the cook.
  const question = await until(async () => (await here.inbox()).items[0]?.question)
  assert.equal(question.agent, 'cook')
  await here.questions.answer(question.id, { choice: 'yes' }, me)

  // The whole tree, with the state of each.
  const tree = await until(async () => {
    const all = await here.dialogs.tree(dinner.id)
    return all.some(({ agent, status }) => agent === 'cook' && status === 'ready') ? all : undefined
  })
  for (const { agent, status, title } of tree) console.log(`@${agent.padEnd(10)} ${status.padEnd(10)} ${title}`)
  assert.deepEqual(tree.map(({ agent, status }) => `${agent} ${status}`).toSorted(), ['chef delegated', 'cook ready', 'sommelier working'])

  // The wine has taken long enough. Whoever waits for it is told why.
  const tasting = tree.find(({ agent }) => agent === 'sommelier')
  assert.ok(tasting)
  await here.dialogs.declareDead(tasting.id, 'water will do', me)

  const done = await until(async () => {
    const now = await here.dialogs.get(dinner.id)
    return now.status === 'ready' ? now : undefined
  })
  console.log(`\n${done.preview}`)
  const said = (await here.events.read({ stream: dinner.id, after: 0, limit: 100 })).findLast(({ type }) => type === 'message.said')
  const words = said && 'text' in said.data ? String(said.data.text) : ''
  assert.match(words, /Mushroom risotto\./)
  assert.match(words, /declared dead[\s\S]*water will do/)
  assert.equal((await here.dialogs.get(tasting.id)).status, 'dead')
  assert.equal((await here.inbox()).count, 0)
} finally {
  clearTimeout(late)
  await here.close()
}
