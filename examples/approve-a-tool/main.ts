/**
 * A tool with an effect asks before it runs. The person who caused the call may not approve it, the owner may; a standing
 * permission covers the same call later, and revoking it asks again. Run it: node_modules/.bin/node examples/approve-a-tool/main.ts
 */
import assert from 'node:assert/strict'
import { z } from 'zod'
// Inside this repository; in your program it is 'parley-runtime'.
import { type Caller, defineAgent, defineTool, memoryStore, owner, parley, ParleyError, team } from '../../src/index.ts'

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

const clerk = defineAgent({
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

const store = memoryStore()
const here = parley({ store, team: team([clerk]) })

// Eve, a customer, wants a refund. The price is read at once; the refund waits for a person.
const dialog = await here.dialogs.open({ text: 'A-17' }, eve)
const asked = await approval(dialog.id)
assert.equal(asked.ask.text, 'Allow clerk to use refund?')
assert.equal(asked.approval?.shown.text, '{\n  "euros": 20,\n  "order": "A-17"\n}')
assert.deepEqual(refunds, [])
console.log(`${asked.ask.text} ${asked.approval?.shown.text.replaceAll(/\s+/g, ' ')}`)

// Eve caused the call: she cannot approve it, and a typed "yes" is only a message.
const refused = await here.questions.answer(asked.id, { decision: 'once' }, eve).catch((error: unknown) => error)
assert.ok(refused instanceof ParleyError && refused.code === 'not_addressed')
await here.dialogs.say(dialog.id, 'yes', eve)
assert.deepEqual(refunds, [])
console.log(`told to Eve: ${refused.message}`)

// Mia allows it once: these bytes run, and nothing else.
await here.questions.answer(asked.id, { decision: 'once' }, mia)
await until(() => refunds.length === 1)
assert.deepEqual(refunds, ['A-17: 20 €'])

// For herself Mia allows it always, for refunds of exactly 20 €.
const own = await here.dialogs.open({ text: 'B-1' }, mia)
await here.questions.answer((await approval(own.id)).id, { decision: 'always', scope: 'tool(refund)', where: { euros: '20' } }, mia)
const covered = await here.dialogs.open({ text: 'B-2' }, mia)
await until(async () => (await here.dialogs.get(covered.id)).status === 'ready' && refunds.length === 3)
const [grant] = await here.grants.list()
assert.equal(grant?.scope, 'tool(refund)')
console.log(`granted: ${grant.scope} for ${grant.agent}, until ${new Date(grant.until).toISOString().slice(0, 10)}`)

// The grant is the owner's: it does not serve a guest. After it is revoked, Mia is asked again as well.
const { decision } = await here.policy.explain({ tool: 'refund', input: { order: 'C-1', euros: 20 }, as: 'guest' })
assert.equal(decision, 'ask')
await here.grants.revoke(grant.id, mia)
const again = await here.dialogs.open({ text: 'B-3' }, mia)
await here.questions.answer((await approval(again.id)).id, { decision: 'deny', note: 'Enough for today.' }, mia)
await until(async () => (await here.dialogs.get(again.id)).status === 'ready')
assert.deepEqual(refunds, ['A-17: 20 €', 'B-1: 20 €', 'B-2: 20 €'])
console.log('denied: Enough for today.')

await here.close()
await store.close()

async function approval(dialogId: string): Promise<Awaited<ReturnType<typeof here.questions.get>>> {
  await until(async () => (await here.dialogs.get(dialogId)).questions.length > 0)
  const [first] = (await here.dialogs.get(dialogId)).questions
  if (!first) throw new Error('nothing is asked')
  return first
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; !(await isSo());) {
    if (Date.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
