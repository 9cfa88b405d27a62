import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTreeTool } from './tree-tools.ts'

test('isTreeTool: knows the names of the runtime and no others', () => {
  for (const name of ['tellask', 'clear_mind', 'askHuman', 'reply', 'withdraw_question', 'recall_output'])
    assert.equal(isTreeTool(name), true, name)
  assert.equal(isTreeTool('read_file'), false)
})
