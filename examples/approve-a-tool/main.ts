/**
 * A tool with an effect asks before it runs. The person who caused the call may not approve it, the owner may; a standing
 * permission covers the same call later, and revoking it asks again. Run it: node_modules/.bin/node examples/approve-a-tool/main.ts
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
// Inside this repository; in your program it is 'parley-runtime'.
import { agent, type Caller, defineTool, type Dialog, memoryStore, owner, parley, ParleyError, type QuestionView } from '../../src/index.ts'

const refunds: string[] = []

/** Without `gate` a tool asks. `gate: 'allow'` is for tools without an effect. */
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input: z.object({ order: z.string(), euros: z.number().positive() }),
  afterCrash: 'ask',
  gate: 'ask',
  run({ order, euros }) {
    refunds.push(`${order}: ${euros} €`)
    return `${euros} € refunded for ${order}`
  },
})

const lookUp = defineTool({
  name: 'look_up',
  description: 'Reads the price of an order.',
  input: z.object({ order: z.string() }),
  afterCrash: 'repeat',
  // It only reads, so it may also run for people who are not trusted.
  gate: { guests: 'allow' },
  run: () => ({ euros: 20 }),
})

const clerk = agent({
  name: 'clerk',
  about: 'Refunds orders.',
  tools: [refund, lookUp],
  *reply({ context, turn }) {
    const last = context.at(-1)
    if (last?.kind === 'human') return yield { type: 'call', call: `price_${turn}`, name: 'look_up', input: { order: last.text } }
    if (last?.kind === 'call' && last.name === 'look_up') {
      const order = context.findLast((item) => item.kind === 'human')?.text ?? ''
      return yield { type: 'call', call: `refund_${turn}`, name: 'refund', input: { order, euros: 20 } }
    }
    yield { type: 'text', text: last?.kind === 'call' && last.result?.ok ? String(last.result.output) : 'I may not do that.' }
  },
})

const mia = owner('Mia')
const eve: Caller = { by: { kind: 'human', name: 'Eve', id: 'shop:eve', role: 'guest' }, via: 'shop' }

await using app = await parley({ store: memoryStore(), agents: [clerk], as: mia })

// Eve, a customer, wants a refund. The price is read at once; the refund waits for a person.
const dialog = await app.dialogs.open('A-17', eve)
const request = await findApproval(dialog)
assert.equal(request.ask.text, 'Allow clerk to use refund?')
assert.equal(request.approval?.shown.text, '{\n  "euros": 20,\n  "order": "A-17"\n}')
assert.deepEqual(refunds, [])
console.log(`${request.ask.text} ${request.approval?.shown.text.replaceAll(/\s+/g, ' ')}`)

// Eve caused the call: she cannot approve it, and a typed "yes" is only a message.
const refused: unknown = await app.questions.approve(request.id, {}, eve).catch((error: unknown) => error)
assert.ok(refused instanceof ParleyError && refused.code === 'not_addressed')
await dialog.say('yes', eve)
assert.deepEqual(refunds, [])
console.log(`shown to Eve: ${refused.message}`)

// Mia allows it once: exactly this call runs, and nothing else.
await app.questions.approve(request.id)
await dialog.reply()
assert.deepEqual(refunds, ['A-17: 20 €'])

// For herself Mia allows it always, for refunds of exactly 20 €.
const own = await app.dialogs.open('B-1')
await app.questions.approve((await findApproval(own)).id, { decision: 'always', scope: 'tool(refund)', where: { euros: '20' } })
assert.equal(await own.reply(), '20 € refunded for B-1')
const covered = await app.dialogs.open('B-2')
assert.equal(await covered.reply(), '20 € refunded for B-2')
const [grant] = await app.grants.list()
assert.equal(grant?.scope, 'tool(refund)')
console.log(`granted: ${grant.scope} for ${grant.agent}, until ${new Date(grant.until).toISOString().slice(0, 10)}`)

// The grant is the owner's: it does not cover a guest. After it is revoked, Mia is asked again as well.
const { decision } = await app.policy.explain({ tool: 'refund', input: { order: 'C-1', euros: 20 }, as: 'guest' })
assert.equal(decision, 'ask')
await app.grants.revoke(grant.id)
const again = await app.dialogs.open('B-3')
await app.questions.deny((await findApproval(again)).id, 'Enough for today.')
assert.equal(await again.reply(), 'I may not do that.')
assert.deepEqual(refunds, ['A-17: 20 €', 'B-1: 20 €', 'B-2: 20 €'])
console.log('denied: Enough for today.')

async function findApproval({ events }: Dialog): Promise<QuestionView> {
  for await (const event of events()) if (event.type === 'question.asked') return app.questions.get(event.data.question)
  throw new Error('The agent asked for no approval.')
}
