import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Wire, wires } from '../../../src/agents/wires/wire.ts'
import type { BehaviourLine } from '../../../src/testing/model-behaviours.ts'
import { Chance } from '../../simulation/chance.ts'
import { behaviours, isSayable } from '../replay.ts'
import { checkLine, sentenceChecks } from './check-line.ts'
import { Stage } from './play.ts'

const seed = Number(process.env['PARLEY_REPLAY_SEED'] ?? Date.now() % 1_000_000)
const linesOnStage = 14
/** About as many commits as the plays on a stage make together until the first has ended. */
const lastKill = 90

async function playGroup(wire: Wire, lines: readonly BehaviourLine[], killAt: number): Promise<void> {
  const stage = await Stage.open(wire, lines)
  try {
    const played = await stage.play(
      lines.map((_, at) => at),
      killAt,
    )
    const faults = played.flatMap((one) => {
      try {
        checkLine(one)
        return []
      } catch (error) {
        return [`${one.line.id}: ${error instanceof Error ? error.message : String(error)}`]
      }
    })
    assert.deepEqual(faults, [], `wire ${wire}, seed ${seed}, killed after commit ${killAt}`)
    assert.equal(stage.kills, 1, 'the server was killed once')
  } finally {
    await stage.close()
  }
}

for (const wire of wires)
  describe(`model behaviours on the real server in the wire ${wire}`, () => {
    const lines = behaviours.filter((line) => isSayable(line, wire))
    for (let from = 0; from < lines.length; from += linesOnStage) {
      const group = lines.slice(from, from + linesOnStage)
      const chance = new Chance(seed + from * 3 + wires.indexOf(wire))
      test(`lines ${from + 1} to ${from + group.length}, killed once`, { timeout: 300_000 }, async (t) => {
        const killAt = 1 + chance.below(lastKill)
        t.diagnostic(`seed ${seed}: killed after commit ${killAt}`)
        await playGroup(wire, group, killAt)
      })
    }
  })

test('every sentence of every line has a check or a reason', () => {
  for (const { id, expect } of behaviours) assert.equal(sentenceChecks[id]?.length, expect.length, id)
  assert.equal(Object.keys(sentenceChecks).length, behaviours.length)
})
