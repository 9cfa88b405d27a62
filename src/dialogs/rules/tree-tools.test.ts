import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTreeTool, mindTools, treeTools } from './tree-tools.ts'

const names = (dialog: Parameters<typeof treeTools>[0]): string[] => treeTools(dialog).map(({ name }) => name)
const mind = Object.values(mindTools)

test('treeTools: a dialog gets only the tools it can use', () => {
  assert.deepEqual(names({ isSide: false, teammates: 0, canReason: false }), mind)
  assert.deepEqual(names({ isSide: true, teammates: 0, canReason: false }), ['tellaskBack', ...mind])
  assert.deepEqual(names({ isSide: false, teammates: 1, canReason: false }), ['tellask', 'tellaskSessionless', ...mind])
  assert.deepEqual(names({ isSide: false, teammates: 0, canReason: true }), ['freshBootsReasoning', ...mind])
})

test('treeTools: a position may be 0, reminders are numbered from 1, unknown fields are refused', () => {
  const tools = treeTools({ isSide: false, teammates: 0, canReason: false })
  const schema = (name: string) =>
    tools.find((tool) => tool.name === name)?.inputSchema as { properties: Record<string, { minimum?: number }> }
  assert.equal(schema(mindTools.add).properties['position']?.minimum, 0)
  assert.equal(schema(mindTools.update).properties['reminder_no']?.minimum, 1)
  assert.equal(schema(mindTools.delete).properties['reminder_no']?.minimum, 1)
  for (const tool of tools) assert.equal((tool.inputSchema as { additionalProperties: boolean }).additionalProperties, false, tool.name)
})

test('isTreeTool: knows the names of the runtime and no others', () => {
  for (const name of ['tellask', 'clear_mind', 'askHuman']) assert.equal(isTreeTool(name), true, name)
  assert.equal(isTreeTool('read_file'), false)
})
