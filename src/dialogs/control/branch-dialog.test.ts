import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agent, memoryStore, parley } from '../../index.ts'
import { itemsToSend } from '../rules/prompt/prompt-list.ts'
import { evolveDialog } from '../rules/evolve-dialog.ts'
import type { DialogEvent } from '../rules/dialog-events.ts'
import { initialDialog } from '../rules/dialog-state.ts'

/** Says what it has read of people and of itself. */
const echo = agent({
  name: 'ada',
  *reply({ context }) {
    const read = context.flatMap((item) => (item.kind === 'human' ? [`you: ${item.text}`] : item.kind === 'agent' ? ['me'] : []))
    yield { type: 'text', text: read.join(' | ') }
  },
})

test('a branch begins with the words up to a message, and the chat it comes from stays', async () => {
  const store = memoryStore()
  await using app = await parley({ store, agents: [echo], as: 'mia' })
  const dialog = await app.dialogs.open('one')
  await dialog.reply()
  await dialog.say('two')
  assert.equal(await dialog.reply(), 'you: one | me | you: two')
  const events = (await store.read(dialog.id, 0, 100)) as unknown as DialogEvent[]
  const messages = events.flatMap((event) => (event.type === 'message.said' ? [event.data.message] : []))
  const [, firstReply = '', second = '', secondReply = ''] = messages

  const edited = await app.dialogs.branch(dialog.id, { message: second, text: 'three' })
  assert.equal(await edited.reply(), 'you: one | me | you: three')
  const again = await app.dialogs.branch(dialog.id, { message: secondReply, again: true })
  assert.equal(await again.reply(), 'you: one | me | you: two')
  const copied = await app.dialogs.branch(dialog.id, { message: firstReply })
  assert.equal((await app.dialogs.get(copied.id)).status, 'ready', 'nothing runs before somebody speaks')
  await copied.say('four')
  assert.equal(await copied.reply(), 'you: one | me | you: four')
  const twice = await app.dialogs.branch(copied.id, { message: firstReply })
  await twice.say('five')
  assert.equal(await twice.reply(), 'you: one | me | you: five', 'a branch of a branch')

  assert.equal((await app.dialogs.get(dialog.id)).head, events.length)
  assert.equal((await app.dialogs.get(edited.id)).title, 'one (branch)')
  await assert.rejects(app.dialogs.branch(dialog.id, { message: 'msg_none' }), { code: 'message_not_found' })
})

test('a model reads what was said before a branch as messages and as its own output', () => {
  const human = { kind: 'human', name: 'mia' } as const
  const at = 5
  const history: DialogEvent[] = [
    { type: 'dialog.opened', at, data: { agent: 'ada', by: human, language: 'en' } },
    {
      type: 'dialog.branched',
      at,
      data: {
        from: 'dlg_1',
        message: 'm2',
        messages: [
          { message: 'm1', by: human, text: 'one', at: 1 },
          { message: 'm2', by: { kind: 'agent', name: 'ada' }, text: 'first', at: 2 },
        ],
        floor: 'member',
        writers: [],
        by: human,
        via: 'web',
      },
    },
    { type: 'message.said', at, data: { message: 'm3', by: human, text: 'two', turn: null, via: 'web' } },
    {
      type: 'course.started',
      at,
      data: { course: 1, why: 'first', prompt: '', offset: 0, snapshot: { memories: 'notes', taskdoc: null, reminders: [] } },
    },
  ]
  const state = history.reduce(evolveDialog, initialDialog)
  const items = itemsToSend(state.prompt?.list ?? assert.fail()).map((item) =>
    item.kind === 'arrival' && item.arrival.kind === 'message'
      ? `${item.arrival.from}: ${item.arrival.text}`
      : item.kind === 'output'
        ? item.parts.map((part) => (part.type === 'words' ? part.text : part.type)).join()
        : item.kind,
  )
  assert.deepEqual(items, ['course', 'mia: one', 'first', 'mia: two'])
  assert.equal(state.floor, 'member', 'text of a member lowers the branch as it lowered the chat')
})
