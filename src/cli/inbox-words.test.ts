import assert from 'node:assert/strict'
import { test } from 'node:test'
import pc from 'picocolors'
import type { InboxItem } from '../shapes/wire.ts'
import { terminalWords } from '../words/index.ts'

// Read when the module is loaded.
process.env['npm_lifecycle_event'] = 'parley'
const { inboxLines } = await import('./inbox-words.ts')

const items: InboxItem[] = [
  {
    kind: 'pairing',
    pairing: {
      channel: 'telegram',
      address: '7',
      state: 'requested',
      dialog: null,
      pairing: { code: '111111', from: { id: '7', name: 'Mia' }, text: 'I use parley serve', requestedAt: 1, expiresAt: 2 },
    },
  },
  {
    kind: 'failure',
    failure: {
      dialog: 'dlg_1',
      root: 'dlg_1',
      agent: 'ada',
      title: 'Dinner',
      error: { code: 'command_failed', message: 'It ended.', hint: '' },
      at: 1,
      isSide: false,
      canRetry: true,
      isTold: false,
      replyDueAt: null,
    },
  },
]

test('inbox: its commands are typed as the person started it, and words of people stay', () => {
  for (const item of items) {
    const lines = inboxLines(item, terminalWords.en, pc.createColors(false))
    const commands = lines.filter((line) => !line.includes('I use'))
    assert.ok(commands.some((line) => line.includes('npm run parley -- ')))
    assert.doesNotMatch(commands.join('\n'), /(?<!npm run )parley [a-z]/)
  }
  const [pairing] = items
  assert.ok(pairing && inboxLines(pairing, terminalWords.en, pc.createColors(false)).some((line) => line.includes('I use parley serve')))
})
