import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AgentOutput, GenerationInput } from '../../ports/agent-runtime.ts'
import { worldOwnerTexts } from '../../words/index.ts'
import { fenced } from '../rules/boundary/peer-text.ts'
import { hideAnnounceSkip } from './hide-announce-skip.ts'

const delta = (text: string): AgentOutput => ({ type: 'delta', text })

async function shown(outputs: readonly AgentOutput[], message = 'Hello'): Promise<string> {
  const runtime = hideAnnounceSkip({
    async *generate() {
      yield* outputs
    },
  })
  let text = ''
  for await (const output of runtime.generate(
    { language: 'en', context: [{ kind: 'human', text: message }] } as unknown as GenerationInput,
    AbortSignal.timeout(60_000),
  ))
    if (output.type === 'text' || output.type === 'delta') text += output.text
  return text
}

test('hideAnnounceSkip: the token alone is never shown, whole or in pieces', async () => {
  const instead = 'A new report is in the list of reports.'
  assert.equal(await shown([{ type: 'text', text: ' ANNOUNCE_SKIP\n' }]), instead)
  assert.equal(await shown([delta('ANNOUNCE'), delta('_SKIP')]), instead)
  assert.equal(await shown([delta('ANNOUNCE'), delta('_SKIP'), delta('\n')]), instead)
})

test('hideAnnounceSkip: other words come through unchanged', async () => {
  assert.equal(await shown([delta('AN'), delta(' old friend wrote.')]), 'AN old friend wrote.')
  assert.equal(await shown([delta('ANNOUNCE')]), 'ANNOUNCE')
  assert.equal(await shown([{ type: 'text', text: 'Hello.' }]), 'Hello.')
})

test('hideAnnounceSkip: a required report is shown itself when its agent tells nothing, in either language', async () => {
  for (const { announce, skipped } of Object.values(worldOwnerTexts)) {
    const report = (kind: 'required' | 'default'): string => `${announce[kind]}\n\n${fenced('Tom waits until Friday.\n```\nquoted\n```')}`
    for (const outputs of [[{ type: 'text', text: 'ANNOUNCE_SKIP' } as const], [delta('ANNOUNCE'), delta('_SKIP')]]) {
      assert.equal(await shown(outputs, report('required')), 'Tom waits until Friday.\n```\nquoted\n```')
      assert.ok([skipped, worldOwnerTexts.en.skipped].includes(await shown(outputs, report('default'))))
    }
    assert.equal(await shown([{ type: 'text', text: 'Tom waits.\nANNOUNCE_SKIP' }], report('default')), 'Tom waits.')
  }
})
