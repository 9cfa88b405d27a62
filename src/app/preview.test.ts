import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { previewChannels, previewMessage } from './preview.ts'

const sample: unknown = JSON.parse(readFileSync(new URL('../../examples/approval.json', import.meta.url), 'utf8'))

test('one message as every channel would get it, with what is lost on each', async () => {
  const { channels, dropped } = await previewMessage(sample)
  assert.deepEqual(Object.keys(channels), previewChannels)
  assert.deepEqual(dropped, [])
  const { telegram, plain } = channels
  assert.equal(telegram?.requests[0]?.operation, 'sendMessage')
  assert.deepEqual(
    telegram?.losses.map(({ what }) => what),
    ['block 3'],
  )
  for (const label of ['Deploy', 'Not today', 'What changed']) assert.ok(plain?.text.includes(label))
  assert.equal(plain?.text.includes('later'), false, 'what is meant for machines is not read to people')
})

test('an unknown channel and the form of one platform are refused in words', async () => {
  const presentation = { title: 'T', blocks: [{ type: 'text', text: 'hi' }] }
  assert.deepEqual(await previewMessage(presentation), await previewMessage({ presentation }))
  await assert.rejects(() => previewMessage(sample, ['fax']), {
    code: 'bad_request',
    message: /no channel called fax; there are .*slack, teams, telegram/,
  })
  await assert.rejects(() => previewMessage({ text: 'x', components: [] }), { code: 'native_field' })
  await assert.rejects(() => previewMessage({}), { code: 'empty_message' })
})
