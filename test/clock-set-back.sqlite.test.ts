import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { team } from '../src/agents/scripted-team.ts'
import { defineAgent } from '../src/agents/runtimes/scripted.ts'
import { ParleyError } from '../src/errors.ts'
import type { Caller } from '../src/shapes/parley.ts'
import type { Store } from '../src/ports/store.ts'
import { openParley } from '../src/app/library.ts'
import { memoryBacking } from '../src/store/memory/memory-backing.ts'
import { memoryStore } from '../src/store/memory/memory-store.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { simulatedClock, type SimulatedClock } from '../src/testing/simulated-clock.ts'

const hourMs = 60 * 60_000
const caller: Caller = { by: { kind: 'human', name: 'mia' }, via: 'test' }

/** Answers; fails once when asked to, as a model that is overloaded; asks a question that ends after a minute. */
const getAgent = () => {
  let failures = 0
  return defineAgent({
    name: 'ada',
    about: '',
    *reply({ context }) {
      const last = context.at(-1)
      const text = last?.kind === 'human' ? last.text : ''
      if (text === 'retry' && ++failures === 1) throw new ParleyError('model_overloaded', { status: 529 }, { retryable: true })
      if (text === 'ask')
        return yield {
          type: 'question',
          ask: { text: 'Name?', items: [{ id: 'name', text: '', kind: 'text' }] },
          expiresInMs: 60_000,
        }
      yield { type: 'text', text: `heard ${text}` }
    },
  })
}

const stores: Record<string, () => { open(clock: SimulatedClock): Store; remove(): void }> = {
  memory() {
    const backing = memoryBacking()
    return { open: (clock) => memoryStore({ clock, backing }), remove() {} }
  },
  SQLite() {
    const folder = mkdtempSync(join(tmpdir(), 'parley-set-back-'))
    return {
      open: (clock) => sqliteStore({ clock, path: join(folder, 'parley.db') }),
      remove: () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}

for (const [name, make] of Object.entries(stores)) {
  test(`${name}: a clock set back by hours, while Parley runs and while it does not, delays no turn, retry or timer`, async (t) => {
    const clock = simulatedClock()
    const data = make()
    t.after(data.remove)
    const agent = getAgent()
    const begin = () => {
      const store = data.open(clock)
      const parley = openParley({ store, clock, team: team([agent], { clock, fast: true }) })
      return { store, parley }
    }
    let { store, parley } = begin()
    const status = async (dialog: string): Promise<string> => (await parley.dialogs.get(dialog)).status

    const retried = await parley.dialogs.open({ text: 'retry' }, caller)
    const askingDialog = await parley.dialogs.open({ text: 'ask' }, caller)
    await clock.advance(100)
    assert.equal(await status(retried.id), 'working', 'it waits for its retry')
    clock.stepBack(3 * hourMs)
    const talkingDialog = await parley.dialogs.open({ text: 'hello' }, caller)
    await clock.advance(1_500)
    assert.equal(await status(talkingDialog.id), 'ready')
    await clock.advance(3_000)
    assert.equal(await status(retried.id), 'ready', 'the retry came after seconds, not hours')

    // A message just before a stop and a step back of the clock is answered by the next process at once.
    const late = await parley.dialogs.say(talkingDialog.id, 'still there?', caller)
    await parley.close(0)
    await store.close()
    clock.stepBack(5 * hourMs)
    ;({ store, parley } = begin())
    await clock.advance(2_500)
    assert.equal(await status(late.dialog), 'ready')

    assert.equal((await parley.dialogs.get(askingDialog.id)).questions.length, 1, 'the question is still open')
    await clock.advance(61_000)
    const [question] = (await parley.questions.list({ limit: 5 })).items
    assert.equal(question?.state, 'expired', 'its minute passed once, not hours later')
    await parley.close(0)
    await store.close()
  })
}
