import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOperations, isHostOperation } from './worlds.ts'

test('isHostOperation: knows each operation and no name that objects have anyway', () => {
  for (const name of Object.keys(hostOperations)) assert.ok(isHostOperation(name))
  for (const name of ['', 'constructor', 'toString', 'account.open ', 'accounts.open']) assert.ok(!isHostOperation(name))
})
