/** Dialogs of older versions have no list of items: a model that continues one begins with a course of its own. */
import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openParley } from '../../src/app/library.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { modelTeam, wholeText } from '../dialogs/model-scene.ts'
import { type Brain, call, text, you } from '../dialogs/team-scene.ts'
import { type Manifest, readManifest, recordedFolder, type Recording, recordings } from './project.ts'

const brain: Brain = function* ({ isSide }) {
  yield isSide ? call('reply', { text: 'At the end.', status: 'partial' }) : text('Fine.')
}

type Opened = {
  dialogs: Manifest['dialogs']
  /** Says something in a dialog; returns the first prompt of its model, and the causes of its courses. */
  resume(dialog: string, words: string): Promise<{ read: string; courses: unknown[] }>
  firstPrompts(agent: string): string[]
}

async function withRecording(version: Recording, play: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-course-'))
  const path = join(folder, 'parley.db')
  copyFileSync(join(recordedFolder(version), 'parley.db'), path)
  const { dialogs, recordedAt } = readManifest(version)
  const clock = simulatedClock(recordedAt + 60_000)
  const store = sqliteStore({ path, clock })
  const model = modelTeam({ guide: brain, helper: brain, maker: brain, planner: brain })
  const parley = openParley({ store, team: model.team, clock })
  try {
    await clock.advance(1_000)
    await play({
      dialogs,
      async resume(dialog, words) {
        await parley.dialogs.say(dialog, words, you)
        await clock.advance(1_000)
        const first = model.requests.find((request) => request.dialog === dialog) ?? assert.fail('it was asked nothing')
        const events = await parley.events.read({ stream: dialog, after: 0, limit: 1_000 })
        const courses = events.filter(({ type }) => type === 'course.started').map(({ data }) => (data as { why: string }).why)
        return { read: wholeText(first), courses }
      },
      firstPrompts(agent) {
        const first = new Map(model.requests.toReversed().flatMap((each) => (each.agent === agent ? [[each.dialog, each] as const] : [])))
        return [...first.values()].map(wholeText)
      },
    })
  } finally {
    await parley.close(0)
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const version of recordings)
  test(`${version}: a model that continues a recorded dialog begins with a course that has messages, requests and what is out`, async () => {
    await withRecording(version, async ({ dialogs, resume, firstPrompts }) => {
      const kept = await resume(dialogs.kept, 'Please continue.')
      assert.deepEqual(kept.courses, ['upgrade'])
      assert.match(
        kept.read,
        /^<message [^>]*>delegate a first task<\/message>\n<message [^>]*>Please continue\.<\/message>\n<runtime>Course 2\./,
      )
      const painting = await resume(dialogs.painting, 'How far is it?')
      assert.deepEqual(painting.courses, ['upgrade'])
      assert.match(
        painting.read,
        /^<waiting>\n- t1 to @helper \(work\), 1 min: paint\n<\/waiting>\n<message [^>]*>delegate paint<\/message>/,
      )
      const choose = await resume(dialogs.choose, 'Whatever you like.')
      assert.match(choose.read, /^<waiting>\n- q1 to a person, 1 min: [^\n]+\n<\/waiting>\n<message [^>]*>choose<\/message>/)
      const askBack = await resume(dialogs.askBack, 'And?')
      assert.match(askBack.read, /<ask-back id="b1" from="@helper" about="t1"[^]*> Which colour\?[^]*Answer b1 with reply\./)
      const side = firstPrompts('helper').find((read) => read.includes('> slow work')) ?? assert.fail('the helper was asked nothing')
      assert.match(side, /<request id="r1" from="@guide" session="work"[^]*You are the responder[^]*> slow work\n\nDeliver with reply\./)
      // It never finished a generation: its first course is its first.
      assert.deepEqual((await resume(dialogs.failed, 'Try again.')).courses, ['first'])
    })
  })
