import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialogEvent } from '../dialogs/rules/dialog-events.ts'
import type { DialogSummary, EventView } from '../shapes/wire.ts'
import { exportDialog, type exportFormats } from './export-dialog.ts'

const mia = { kind: 'human', name: 'Mia' } as const
const ada = { kind: 'agent', name: 'ada' } as const
const dialog = (id: string, parent: string | null): DialogSummary =>
  ({ id, agent: 'ada', title: `Title of ${id}`, language: 'en', origin: parent === null ? null : { parent } }) as DialogSummary
const said = (text: string): DialogEvent => ({
  type: 'message.said',
  at: 0,
  data: { message: 'm', by: mia, text, turn: null, via: 'web' },
})
const logs: Record<string, DialogEvent[]> = {
  root: [
    said('Hello'),
    { type: 'tool.called', at: 0, data: { call: 'c', turn: 1, name: 'run', input: { command: 'echo ```' }, policy: 'repeat' } },
    {
      type: 'question.asked',
      at: 0,
      data: {
        question: 'q',
        turn: 1,
        call: null,
        by: ada,
        ask: { text: 'Where?', items: [{ id: 'w', text: '', kind: 'choice', options: [{ value: 'eu', label: 'Europe' }] }] },
        expiresAt: null,
        audience: { kind: 'owner' },
      },
    },
    { type: 'question.answered', at: 0, data: { question: 'q', answers: { w: 'eu' }, by: mia, via: 'web' } },
  ],
  side: [said('Below')],
  other: [said('Elsewhere')],
}
const reader = {
  tree: () => Promise.resolve([dialog('root', null), dialog('side', 'root'), dialog('other', 'another')]),
  // One event a page: the end is an empty page.
  events: (id: string, after: number) =>
    Promise.resolve(
      (logs[id] ?? []).slice(after, after + 1).map((event) => ({ ...event, stream: id, seq: after + 1 }) as unknown as EventView),
    ),
}

async function written(format: (typeof exportFormats)[number]): Promise<string> {
  const parts: string[] = []
  for await (const part of exportDialog(reader, dialog('root', null), format)) parts.push(part)
  return parts.join('')
}

test('jsonl: every event of the dialog and of those below it, one in each line', async () => {
  const lines = (await written('jsonl')).trimEnd().split('\n')
  const events = lines.map((line) => JSON.parse(line) as EventView)
  assert.deepEqual(
    events.map(({ stream, seq }) => `${stream} ${seq}`),
    ['root 1', 'root 2', 'root 3', 'root 4', 'side 1'],
  )
  assert.deepEqual(events[0]?.data, logs['root']?.[0]?.data)
})

test('markdown: names, times, words, questions with their answers, and calls in a fence that their text cannot end', async () => {
  const text = await written('markdown')
  assert.match(text, /^# Title of root\n/)
  assert.ok(text.includes('## Mia · 1970-01-01T00:00:00.000Z\n\nHello\n'))
  assert.ok(text.includes('? Where?\n- Europe'))
  assert.ok(text.includes('→ Europe'))
  assert.ok(text.includes('````\n{\n  "command": "echo ```"\n}\n````'))
  assert.ok(text.includes('# Title of side') && text.includes('Below'))
  assert.ok(!text.includes('Elsewhere'))
})
