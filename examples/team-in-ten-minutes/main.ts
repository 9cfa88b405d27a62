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
import { agent, type AgentOutput, type GenerationInput, memoryStore, parley } from '../../src/index.ts'

type Item = GenerationInput['context'][number]

const text = (words: string): AgentOutput => ({ type: 'text', text: words })

/** The item the agent has to react to. */
const latest = (input: GenerationInput): Item | undefined => input.context.at(-1)

/** The result of the last call of this tool; null while there is none. */
const findResult = (input: GenerationInput, tool: string): string | null => {
  const call = input.context.findLast((item) => item.kind === 'call' && item.name === tool)
  return call?.kind === 'call' && call.result ? String(call.result.output).replace(/^【.*】\s*/, '') : null
}

// 1. One who asks others. Two requests in one go: it rests until both are settled.
const chef = agent({
  name: 'chef',
  about: 'Plans a dinner.',
  *reply(input) {
    const menu = findResult(input, 'tellask')
    const wine = findResult(input, 'tellaskSessionless')
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
const cook = agent({
  name: 'cook',
  about: 'Knows dishes.',
  *reply(input) {
    const guests = findResult(input, 'tellaskBack')
    const question = input.context.findLast((item) => item.kind === 'question')
    if (guests === null) return yield { type: 'call', call: 'guests', name: 'tellaskBack', input: { tellaskContent: 'For how many?' } }
    if (question?.kind !== 'question') {
      const options = [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ]
      return yield {
        type: 'question',
        ask: { text: 'Does anyone eat no meat?', items: [{ id: 'meat', text: 'No meat', kind: 'choice', options }] },
      }
    }
    // Its last words are the reply: all goals are done, and nothing it asked for is out.
    yield text(question.outcome?.answers?.['meat'] === 'yes' ? 'Mushroom risotto.' : 'Roast chicken.')
  },
})

// 3. One who never comes to an end, as happens.
const sommelier = agent({
  name: 'sommelier',
  about: 'Tastes for ever.',
  async *reply(_input, { signal }) {
    yield { type: 'delta', text: 'Let me taste one more …' }
    await once(signal, 'abort')
  },
})

const app = await parley({ store: memoryStore(), agents: [chef, cook, sommelier], as: 'me' })

const timeout = setTimeout(() => {
  console.error('The team did not finish within half a minute.')
  process.exit(1)
}, 30_000)

try {
  const dinner = await app.dialogs.open('Plan a dinner for Saturday.')

  // Each teammate that is asked works in a side dialog of its own.
  const sides: string[] = []
  for await (const event of dinner.events()) {
    if (event.type === 'tellask.made') sides.push(event.data.to)
    if (sides.length === 2) break
  }
  const [menu = '', wine = ''] = sides

  // The cook's question is in the inbox like any other, although no person wrote to the cook.
  for await (const event of app.dialog(menu).events()) {
    if (event.type === 'question.asked') await app.questions.answer(event.data.question, 'yes')
  }

  // The whole tree, with the state of each dialog.
  const tree = await app.dialogs.tree(dinner.id)
  for (const { agent: name, status, title } of tree) console.log(`@${name.padEnd(10)} ${status.padEnd(10)} ${title}`)
  assert.deepEqual(tree.map(({ agent: name, status }) => `${name} ${status}`).toSorted(), [
    'chef delegated',
    'cook ready',
    'sommelier working',
  ])

  // The wine has taken long enough. The agent that waits for it gets the reason.
  await app.dialogs.giveUp(wine, 'water will do')

  const reply = await dinner.reply()
  console.log(`\n${reply}`)
  assert.match(reply, /Mushroom risotto\./)
  assert.match(reply, /declared dead[\s\S]*water will do/)
  assert.equal((await app.dialogs.get(wine)).status, 'dead')
  assert.equal((await app.inbox()).count, 0)
} finally {
  clearTimeout(timeout)
  await app.close()
}
