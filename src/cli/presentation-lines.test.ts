import assert from 'node:assert/strict'
import { test } from 'node:test'
import pc from 'picocolors'
import type { MessagePresentation } from '../chats/message/presentation.ts'
import { terminal } from '../words/en/terminal.ts'
import { presentationLines } from './presentation-lines.ts'

const card: MessagePresentation = {
  tone: 'warning',
  title: 'Disk is nearly full',
  blocks: [
    {
      type: 'table',
      caption: 'Disks',
      headers: ['Name', 'Used'],
      rows: [
        ['/var', 91],
        ['/home', 7],
      ],
    },
    { type: 'divider' },
    {
      type: 'buttons',
      buttons: [
        { label: 'Clean up', value: 'clean' },
        { label: 'Look', url: 'https://example.org/disk' },
      ],
    },
    { type: 'select', placeholder: 'Remind me', options: [{ label: 'Tomorrow', value: '1d' }] },
  ],
}

const draw = (width: number): string[] => presentationLines(card, { words: terminal, paint: pc.createColors(false), width })

test('presentationLines: a table has columns, and controls have the numbers of /tap', () => {
  assert.deepEqual(draw(80), [
    '  ! Disk is nearly full',
    '  Disks',
    '  Name   Used',
    '  /var   91',
    '  /home  7',
    `  ${'─'.repeat(20)}`,
    '  [1] Clean up',
    '  - Look: https://example.org/disk',
    '  Remind me',
    '  [2] Tomorrow',
    '  Tap a button: /tap 1',
  ])
})

test('presentationLines: a table that is too wide is read line by line', () => {
  assert.ok(draw(12).join(' ').includes('Used: 91'))
})
