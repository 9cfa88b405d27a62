import assert from 'node:assert/strict'
import { test } from 'node:test'
import pc from 'picocolors'
import type { EventView } from '../shapes/wire.ts'
import { terminal } from '../words/en/terminal.ts'
import { EventReader } from './event-lines.ts'

test('EventReader: "You" is the caller, and the owner of the terminal is named for others', () => {
  const getLine = (name: string, reader: string): string => {
    const events = new EventReader(terminal, pc.createColors(false), 80)
    events.reader = reader
    const by = { kind: 'human', name }
    const event = { stream: 'dlg_1', seq: 1, at: 0, type: 'message.said', data: { message: 'msg_1', text: 'hi', by } }
    return events.lines(event as unknown as EventView)[0]?.replace(/ [\d:]+$/, '') ?? ''
  }
  assert.deepEqual(
    [getLine('owner', 'owner'), getLine('owner', 'ann'), getLine('ann', 'ann'), getLine('ci', 'ann')],
    ['You', 'The owner', 'You', 'ci'],
  )
})
