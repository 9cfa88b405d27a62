import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noHooks } from '../ports/hooks.ts'
import type { Caller } from '../shapes/parley.ts'
import { memoryStore } from '../store/memory/memory-store.ts'
import { simulatedClock } from '../testing/simulated-clock.ts'
import { pageControls } from './page-controls.ts'

const caller: Caller = { by: { kind: 'human', name: 'owner' }, via: 'web' }

test('a button of a plugin on the page counts only while it is shown', async () => {
  const clock = simulatedClock()
  let isOffered = true
  const taps: string[] = []
  const detail = { status: 'ready', turns: 1, agent: 'ada', language: 'en', origin: null, preview: 'Hello' }
  const controls = pageControls({
    parley: { dialogs: { get: async () => detail } } as never,
    store: memoryStore({ clock }),
    hooks: {
      ...noHooks,
      prepareReply: async ({ message }) => {
        const action = { type: 'plugin' as const, plugin: 'words', value: 'more' }
        return isOffered ? { ...message, presentation: { blocks: [{ type: 'buttons', buttons: [{ label: 'More', action }] }] } } : message
      },
      actionTapped: async ({ plugin, value }) => {
        taps.push(`${plugin} ${value}`)
        return { toast: 'Coming', act: async () => {} }
      },
    },
    now: () => clock.now(),
    newId: () => 'tap_1',
  })
  const { rows } = await controls.of('dlg_1')
  const data = rows[0]?.[0]?.data ?? ''
  assert.deepEqual(await controls.tap('dlg_1', 1, data, caller), { toast: 'Coming' })
  await assert.rejects(controls.tap('dlg_1', 2, data, caller), { code: 'control_unknown' })
  await assert.rejects(controls.tap('dlg_1', 1, 'p1:g:words:other', caller), { code: 'control_unknown' })
  isOffered = false
  await assert.rejects(controls.tap('dlg_1', 1, data, caller), { code: 'control_unknown' })
  assert.deepEqual(taps, ['words more'])
})
