import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { chatApps, type SeenThere } from '../fixtures/chat-apps.ts'
import { eventually } from '../fixtures/eventually.ts'

const payer = fileURLToPath(new URL('../fixtures/approval-agent.ts', import.meta.url))

describe('an approval that is shown in a group: a stranger taps and types "Allow once" in vain', { concurrency: 2 }, () => {
  for (const [kind, open] of Object.entries(chatApps))
    test(kind, { timeout: 240_000 }, async () => {
      const app = await open(({ server, mia }) => {
        server.moreMembers = `    payer:\n      runtime: scripted\n      module: ${JSON.stringify(payer)}\n`
        server.defaultAgent = 'payer'
        server.sections = `people:\n  mia: { role: owner, ${kind}: ${JSON.stringify(mia)} }\npolicy:\n  approvals: { inGroup: true }\n`
      })
      const { server, mia, eve, group } = app
      const there = (): string => `there is ${JSON.stringify(app.seen(group))}; the server said ${server.said.slice(-2_000)}`
      const find = (text: RegExp): Promise<SeenThere> => eventually(() => app.seen(group).find((one) => text.test(one.text)), there)
      try {
        app.say(group, eve, 'Bob')
        const card = await eventually(() => app.seen(group).find((one) => one.hasControls && one.text.includes('Bob')), there)
        await app.tap(group, eve, card.id, 'Allow once')
        app.say(group, eve, 'Allow once')
        app.say(group, eve, 'Allow once', card.id)
        const client = server.client()
        const [question] = (await client.questions.list({ state: 'open' })).items
        assert.ok(question, 'it is open')
        // A reply to the card is refused; other words, and those in a thread, are an ordinary message. LINE has no toasts.
        const outcomes = kind === 'line' ? 3 : 2
        const isOutcome = ({ text }: SeenThere): boolean => /^Only mia can decide this|^heard Allow once/.test(text)
        await eventually(() => app.seen(group).filter(isOutcome).length >= outcomes, there)
        const events = (await client.events.read({ stream: question.dialog, limit: 500 })).items
        assert.ok(events.some(({ type }) => type === 'answer.refused'))
        assert.equal((await client.questions.get(question.id)).state, 'open')
        assert.equal(
          app.seen(group).some(({ text }) => text.includes('paid 5')),
          false,
          'nothing was paid',
        )
        await app.tap(group, mia, card.id, 'Allow once')
        await find(/paid 5 to Bob/)
        assert.equal(app.seen(group).filter(({ text }) => text.includes('paid 5 to Bob')).length, 1)
      } finally {
        await app.finish()
      }
    })
})
