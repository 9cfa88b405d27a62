import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialWorld } from '../rules/world-state.ts'
import { operationInputs } from './operation-inputs.ts'

test('worlds.create: takes the facts that a member sends when its owner names no field for members', () => {
  const facts = { ...initialWorld.facts, displayName: 'Reading club' }
  const read = operationInputs['worlds.create'].safeParse({ world: 'wld_1', facts, text: 'We read books.', joinText: 'Atlases.' })
  assert.ok(read.success, read.error?.message)
})
