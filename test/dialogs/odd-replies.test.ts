import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { readChat, lastText, modelTeam, wholeText } from './model-scene.ts'
import { call, gate, text, withTeam } from './team-scene.ts'

const askBob = (content: string) => call('tellask', { targetAgentId: '@bob', sessionSlug: 'facts', tellaskContent: content })

test('two replies in one step: the second one does not answer a request that the agent has not read', async () => {
  const isBusy = gate()
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield* [askBob('Find one.'), askBob('Find two.')]
      yield text('Thanks.')
    },
    async *bob(input) {
      await isBusy.passed
      if (!wholeText(input).includes('Find two.')) {
        yield call('reply', { text: 'One.', status: 'done' })
        return yield call('reply', { text: 'One again.', status: 'done' })
      }
      yield call('reply', { text: 'Two.', status: 'done' })
    },
  })
  await withTeam(model.team, async ({ begin, rest, events }) => {
    const root = await begin('go')
    isBusy.open()
    await rest()
    assert.deepEqual(
      (await events(root, 'reply.received')).map((reply) => reply.text),
      ['【最终完成】\nOne.', '【最终完成】\nTwo.'],
    )
  })
})

test('a reply that was written before an ask-back came answers the request, and not the ask-back', async () => {
  const [isAsked, isWritten] = [gate(), gate()]
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield askBob('Find it.')
      yield text('Thanks.')
    },
    async *bob(input) {
      const read = wholeText(input)
      if (readChat(input).length === 1) return yield call('tellaskSessionless', { targetAgentId: '@cy', tellaskContent: 'Count.' })
      if (read.includes('Hurry') && !read.includes('Delivered')) {
        isAsked.open()
        await isWritten.passed
        return yield call('reply', { text: 'Half of it.', status: 'partial' })
      }
      if (read.includes('Count what?')) return yield call('reply', { to: 'b1', text: 'Sheep.', status: 'done' })
      yield text('Waiting.')
    },
    async *cy(input) {
      await isAsked.passed
      if (readChat(input).length === 1) return yield call('tellaskBack', { tellaskContent: 'Count what?' })
      yield call('reply', { text: `Got ${lastText(input)}`, status: 'done' })
    },
  })
  await withTeam(model.team, async ({ begin, children, say, rest, events }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'Hurry')
    await eventually(async () => (await events(bob, 'tellask.received')).length === 2, 'the ask-back')
    isWritten.open()
    await rest()
    assert.deepEqual(
      (await events(bob, 'reply.given')).map((reply) => reply.text),
      ['【部分完成】\nHalf of it.', 'Sheep.'],
    )
  })
})

test('a result that came while the agent wrote "done" is read before the reply is delivered', async () => {
  const [isAsked, isWritten] = [gate(), gate()]
  const model = modelTeam({
    *ada(input) {
      if (readChat(input).length === 1) return yield askBob('Find it.')
      yield text('Thanks.')
    },
    async *bob(input) {
      const read = wholeText(input)
      if (readChat(input).length === 1) return yield call('tellaskSessionless', { targetAgentId: '@cy', tellaskContent: 'Count.' })
      if (!read.includes('Hurry')) return yield text('Waiting.')
      if (!read.includes('still out')) {
        isAsked.open()
        await isWritten.passed
      }
      yield call('reply', { text: read.includes('Seven.') ? 'Seven sheep.' : 'Sheep.', status: 'done' })
    },
    async *cy() {
      await isAsked.passed
      yield call('reply', { text: 'Seven.', status: 'done' })
    },
  })
  await withTeam(model.team, async ({ begin, children, say, rest, events }) => {
    const root = await begin('go')
    const [bob = ''] = await children(root)
    await say(bob, 'Hurry')
    await eventually(async () => (await events(bob, 'reply.received')).length === 1, 'the count')
    isWritten.open()
    await rest()
    assert.deepEqual(
      (await events(root, 'reply.received')).map((reply) => reply.text),
      ['【最终完成】\nSeven sheep.'],
    )
  })
})

test('questions beyond those of one step are refused with the reason, and a question is withdrawn once, however often it is tried', async () => {
  const model = modelTeam({
    *ada(input) {
      const read = wholeText(input)
      if (readChat(input).length === 1)
        for (let number = 1; number <= 10; number += 1) yield call('askHuman', { tellaskContent: `Question ${number}?` })
      else if (read.includes('Never mind') && !read.includes('q1 is withdrawn')) yield call('withdraw_question', { question: 'q1' })
      else if (read.includes('outcome="cancelled"') && !read.includes('Fine')) {
        yield text('Fine.')
        yield call('withdraw_question', { question: 'q1' })
      } else yield text('Noted.')
    },
  })
  await withTeam(model.team, async ({ begin, say, events, parley }) => {
    const root = await begin('go')
    await say(root, 'Never mind')
    await say(root, 'And?')
    const outputs = (await events(root, 'tool.returned')).map(({ ok, output }) => `${ok}: ${String(output)}`)
    assert.equal(outputs.filter((output) => /^false: .*only 8 questions are asked in one step/.test(output)).length, 2)
    assert.equal(outputs.filter((output) => output === 'true: q1 is withdrawn.').length, 2)
    assert.equal((await parley.inbox()).count, 0)
  })
})
