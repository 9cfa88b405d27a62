import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { SeenMessage } from '../../src/testing/telegram-emulator/people.ts'
import { eventually } from '../fixtures/eventually.ts'
import { TelegramServer } from '../fixtures/telegram-server.ts'

/** A long reply that is read while it is written, until the process is killed at this call; then it is written to its end. */
async function cutOff(
  t: TestContext,
  does: 'drop-before' | 'drop-after',
  method: string,
): Promise<{ final: SeenMessage; others: SeenMessage[] }> {
  const server = await TelegramServer.open()
  t.after(() => server.close())
  const { mia, chat } = server.friend()
  server.telegram.fault({ does, method, first: () => server.end('SIGKILL') })
  server.telegram.say(chat, mia, 'slowly here')
  await server.gone()
  server.touch('enough-here')
  await server.start()
  const final = await server.reply(chat, ({ text, keyboard }) => text.endsWith('and ends.') && keyboard.length > 0, 'the finished reply')
  await eventually(async () => (await server.deliveries(chat, 'sent')).length === 1, 'its receipt')
  assert.deepEqual(await server.saidIn(await server.dialogOf(chat)), ['slowly here'])
  return { final, others: server.replies(chat).filter(({ id }) => id !== final.id) }
}

suite('killed while a reply can be read as it is written', { concurrency: true }, () => {
  test('at a change of it: the finished words replace what was there, in the same message', async (t) => {
    const { final, others } = await cutOff(t, 'drop-after', 'editMessageText')
    assert.ok(final.isEdited)
    assert.deepEqual(others, [])
  })

  test('before its beginning was sent: the finished words come, once', async (t) => {
    const { others } = await cutOff(t, 'drop-before', 'sendMessage')
    assert.deepEqual(others, [])
  })

  test('after an unrecorded preview was sent, the finished text is still sent', async (t) => {
    const { others } = await cutOff(t, 'drop-after', 'sendMessage')
    assert.deepEqual(
      others.map(({ text }) => text.endsWith('and ends.')),
      [false],
      'beside a preview that cannot be removed',
    )
  })
})
