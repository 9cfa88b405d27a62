import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ClientError } from '../../client/client-error.ts'
import type { ParleyClient } from '../../client/client.ts'
import { ParleyError } from '../../errors.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { ReplyControls } from './control-routes.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

const refusedWith = (code: string) => (error: unknown) => error instanceof ClientError && error.code === code

describe('buttons below the last reply, over HTTP', () => {
  const taps: { dialog: string; turn: number; data: string; caller: Caller }[] = []
  const controls: ReplyControls = {
    of: async () => ({ turn: 3, rows: [[{ label: 'Go on', data: 'go' }], [{ label: 'Enough', data: 'no' }]] }),
    async tap(dialog, turn, data, caller) {
      if (data === 'strange') throw new ParleyError('control_unknown')
      taps.push({ dialog, turn, data, caller })
      return { toast: `Noted: ${data}` }
    },
  }
  let under: ServerUnderTest
  let client: ParleyClient
  let dialog: string
  before(async () => {
    under = await serverUnderTest({ controls })
    client = await under.client(['chat'])
    dialog = (await client.dialogs.open({ title: 'Controls' })).id
  })
  after(() => under.close())

  test('they are read, and a tap is handed on with its turn, its data and its key', async () => {
    const { turn, rows } = await client.controls.of(dialog)
    assert.deepEqual([turn, rows.flat().map(({ label }) => label)], [3, ['Go on', 'Enough']])
    assert.deepEqual(await client.controls.tap(dialog, { turn, data: 'go' }, { key: 'once' }), { toast: 'Noted: go' })
    const [tap] = taps
    assert.deepEqual([tap?.dialog, tap?.turn, tap?.data], [dialog, 3, 'go'])
    assert.match(tap?.caller.once?.key ?? '', /:once$/)
  })

  test('unknown controls, unknown dialogs and missing rights are refused', async () => {
    const tapped = taps.length
    await assert.rejects(client.controls.tap(dialog, { turn: 3, data: 'strange' }), refusedWith('control_unknown'))
    await assert.rejects(client.controls.tap('dlg_none', { turn: 3, data: 'go' }), refusedWith('dialog_not_found'))
    await assert.rejects(client.controls.tap(dialog, { turn: -1, data: 'go' }), refusedWith('bad_request'))
    const reader = await under.client(['read'])
    await assert.rejects(reader.controls.of(dialog), refusedWith('not_allowed'))
    await assert.rejects(reader.controls.tap(dialog, { turn: 3, data: 'go' }), refusedWith('not_allowed'))
    assert.equal(taps.length, tapped)
  })
})

test('without plugins there are none, and nothing to tap', async () => {
  const under = await serverUnderTest()
  const client = await under.client()
  const { id } = await client.dialogs.open({ title: 'Plain' })
  assert.deepEqual(await client.controls.of(id), { turn: 0, rows: [] })
  await assert.rejects(client.controls.of('dlg_none'), refusedWith('dialog_not_found'))
  await assert.rejects(client.controls.tap(id, { turn: 0, data: 'go' }), refusedWith('control_unknown'))
  await under.close()
})
