import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ParleyError } from '../../errors.ts'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { toOutputs, sampleInput } from '../../testing/agent-contract.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { defineAgent, pieces, scriptedRuntime } from './scripted.ts'

describe('a hand-written agent', () => {
  it('speaks in pieces that together are the text', () => {
    assert.deepEqual(pieces('Hello, dear world.'), ['Hello,', ' dear ', 'world.'])
    assert.ok(pieces('你好世界，今天好吗？').length > 3)
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => pieces(text).join('') === text))
  })

  it('speaks at the pace of the clock', async () => {
    const clock = simulatedClock(0)
    const agent = defineAgent({ name: 'a', about: '', reply: (_, { say }) => say('one two three', 100) })
    const outputs: AgentOutput[] = []
    const finished = (async () => {
      for await (const output of scriptedRuntime(agent, { clock }).generate(sampleInput, new AbortController().signal)) outputs.push(output)
    })()
    for (const expected of [0, 1, 2, 3]) {
      assert.equal(outputs.length, expected)
      await clock.advance(100)
    }
    await finished
    assert.equal(outputs.length, 3)
  })

  it('passes on an error of the catalogue and wraps any other', async () => {
    const failing = (error: Error): Promise<unknown> =>
      toOutputs(
        scriptedRuntime({
          reply: () => {
            throw error
          },
        }).generate(sampleInput, new AbortController().signal),
      )
    await assert.rejects(failing(new ParleyError('model_not_set', { model: 'x' })), (error: ParleyError) => error.code === 'model_not_set')
    await assert.rejects(
      failing(new Error('oh no')),
      (error: ParleyError) => error.code === 'agent_failed' && error.message === 'The agent failed: oh no.',
    )
  })
})
