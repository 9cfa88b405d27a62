import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../authority/roles.ts'
import type { PromptSource } from '../../ports/agent-runtime.ts'
import { initialDialog } from '../rules/dialog-state.ts'
import { measureRoom } from '../rules/prompt/context-levels.ts'
import { evolveDialog } from '../rules/evolve-dialog.ts'
import { preparePrompt, readSnapshot } from './prepare-prompt.ts'

const window = { windowTokens: 100_000, inputLimitTokens: 100_000, maxOutputTokens: null }
const source: PromptSource = {
  maker: 'm',
  about: '',
  persona: () => '',
  answersIn: null,
  teammates: () => [],
  notes: () => [],
  memories: () => 'Be kind.',
  taskdoc: () => 'Build a bridge.',
  sections: () => [{ name: 'goals', hash: 'h', text: 'Build a bridge.' }],
  window: () => window,
  zoneOffset: () => 0,
}

test('A27: members and above have memories and the task document; once a guest or a group has written, the agent reads neither', () => {
  const snapshots = roles.map((floor) => readSnapshot({ ...initialDialog, floor, taskdoc: 'plan.tsk' }, source, measureRoom(window)))
  assert.deepEqual(
    snapshots.map(({ memories }) => memories !== null),
    [true, true, true, false, false, false],
  )
  assert.deepEqual(
    snapshots.map(({ taskdoc, sections }) => taskdoc !== null && sections !== undefined),
    [true, true, true, false, false, false],
  )
})

test('a note of a plugin is an arrival with the name of the plugin', () => {
  const by = { kind: 'human', name: 'Mia', role: 'owner' } as const
  const state = evolveDialog(initialDialog, {
    type: 'dialog.opened',
    at: 1,
    data: { agent: 'ada', by, language: 'en' },
  } as never)
  const agent = { name: 'ada', tools: [], runtime: { async *generate() {} }, prompt: source }
  const notes = { lines: [{ plugin: 'weather', text: 'It rains.' }], followUps: 'allowed' as const }
  const prepared = preparePrompt(state, { agent, source, notes, at: 2 })
  const told = 'commands' in prepared ? prepared.commands.flatMap((one) => (one.type === 'tell-prompt' ? [one.told] : [])) : []
  assert.deepEqual(told, [{ block: 'plugin', name: 'weather', text: 'It rains.' }])
})
