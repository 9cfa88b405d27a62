import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { defineTool } from './tool.ts'

test('defineTool: an unknown key inside gate is an error that names the right place', () => {
  const define = (gate: object): unknown =>
    defineTool({
      name: 'refund',
      description: 'x',
      input: z.object({}),
      afterCrash: 'ask',
      gate: gate as { guests: 'allow' },
      run: () => 1,
    })
  assert.throws(
    () => define({ irreversible: true }),
    /gate of the tool "refund" has the unknown key "irreversible"\. Write irreversible: true beside gate/,
  )
  assert.throws(() => define({ guest: 'allow' }), /unknown key "guest"\. Known is guests: 'allow'\./)
  assert.doesNotThrow(() => define({ guests: 'allow' }))
})
