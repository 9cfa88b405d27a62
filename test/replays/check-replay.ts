import assert from 'node:assert/strict'
import type { BehaviourLine } from '../../src/testing/model-behaviours.ts'
import type { Wire } from '../../src/agents/wires/wire.ts'
import { runtimeExpectations } from './expectations.ts'
import { type Replay, replayLine } from './replay.ts'

/** Replays a line in a wire; throws where the runtime breaks a rule or an expectation of the line. */
export async function checkReplay(line: BehaviourLine, wire: Wire): Promise<Replay> {
  const { check, ...settings } = runtimeExpectations[line.id] ?? { check: null }
  const replay = await replayLine(line, wire, settings)
  checkCalls(replay)
  checkPrefix(replay)
  checkReasoning(replay)
  if (check) check(replay)
  else
    assert.deepEqual(
      replay.generations.map(({ error }) => error?.code ?? null).filter((code) => code !== null),
      [],
    )
  return replay
}

/** P16 and the rule that strict servers accept only objects. */
function checkCalls({ generations, items }: Replay): void {
  const ids = items.flatMap((item) =>
    item.kind === 'output' ? item.parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])) : [],
  )
  assert.equal(new Set(ids).size, ids.length, `ids repeat: ${ids.join(', ')}`)
  for (const id of ids) assert.match(id, /^[a-zA-Z0-9_-]{1,64}$/)
  for (const { outputs } of generations)
    for (const output of outputs)
      if (output.type === 'call') assert.ok(typeof output.input === 'object' && output.input !== null && !Array.isArray(output.input))
}

const marker = /,"cache_control":\{"type":"ephemeral"\}/g

/** Tools, system prompt and elements, without markers and the closing brackets. */
function normal(text: string): string {
  const start = ['"tools":[', '"messages":[', '"input":['].map((sign) => text.indexOf(sign)).filter((at) => at >= 0)
  return text
    .slice(Math.min(...start))
    .replaceAll(marker, '')
    .replace(/\]\}$/, '')
}

/** P1: a request begins with the one before it, unless the list was laid out anew. */
function checkPrefix({ generations }: Replay): void {
  let before: string | null = null
  for (const { requests, outputs } of generations) {
    const isNew = outputs.some(({ type }) => type === 'epoch')
    for (const text of requests) {
      const now = normal(text)
      if (before !== null && !isNew) assert.ok(now.startsWith(before), `${before.slice(-300)}\nis no prefix of\n${now.slice(0, 2_000)}`)
      before = now
    }
  }
}

/** P17: reasoning of an output is in every later request, as it was received. */
function checkReasoning({ generations, wire }: Replay): void {
  for (const [at, { outputs }] of generations.entries()) {
    for (const output of outputs) {
      if (output.type !== 'reasoning' || wire === 'chat') continue
      for (const { requests } of generations.slice(at + 1))
        for (const text of requests) assert.ok(text.includes(JSON.stringify(output.data)), `lost: ${JSON.stringify(output.data)}`)
    }
  }
}
