/**
 * Opens each recorded database with the code of today and continues everything that was left open in it.
 * They stand for the data of people who upgrade: change the code, not this test, when it fails.
 */
import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import {
  type BuildAnswer,
  ClientError,
  type DeliveryView,
  type DialogDetail,
  type EventView,
  parleyClient,
  type ParleyClient,
} from '../../src/client/index.ts'
import { localToken } from '../../src/server/auth/access.ts'
import { loadSecret } from '../../src/server/auth/secret.ts'
import { upgradeMark } from '../../src/server/auth/upgrade-mark.ts'
import { type Clock, systemClock } from '../../src/ports/clock.ts'
import { foldedViews, foldViews } from '../../src/app/stream-kinds.ts'
import { type RunningParley, startParley } from '../../src/app/serve.ts'
import type { ViewRow } from '../../src/ports/store.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Person } from '../../src/testing/telegram-emulator/chats.ts'
import { type TelegramEmulator, telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { everything } from '../fixtures/killable-server.ts'
import { groupId, invite, type PersonName, readManifest, recordedFolder, recordings, writeProject } from './project.ts'
import { eventually } from '../fixtures/eventually.ts'

for (const version of recordings) {
  describe(`a database of ${version}`, () => {
    const isFirst = version === 'v0.1'
    const manifest = readManifest(version)
    const { dialogs, questions, builds, deliveries, keys } = manifest

    /** The upgrade happens a minute after the recording: codes, cookies and remembered keys of that time still count. */
    const shiftMs = manifest.recordedAt + 60_000 - Date.now()
    const clock: Clock = { now: () => Date.now() + shiftMs, after: systemClock.after }

    const dir = mkdtempSync(join(tmpdir(), 'parley-upgrade-'))
    const dataDir = join(dir, '.parley')
    let telegram: TelegramEmulator
    let people: Record<PersonName, Person>
    let running: RunningParley
    let client: ParleyClient

    before(async () => {
      mkdirSync(dataDir)
      for (const file of ['parley.db', 'secret']) copyFileSync(join(recordedFolder(version), file), join(dataDir, file))
      telegram = await telegramEmulator({ numbersFrom: 10_000, now: () => clock.now() })
      people = invite(telegram)
      for (const [chat, messages] of Object.entries(manifest.chats)) for (const message of messages) telegram.restore(Number(chat), message)
      writeProject(dir, telegram)
      running = await startParley({ dir, port: 0, clock })
      assert.deepEqual(running.problems(), [])
      client = clientWith(tokenWith('admin'))
    })

    after(async () => {
      await running.close()
      await telegram.close()
      rmSync(dir, { recursive: true, force: true })
      assert.deepEqual(telegram.failures, [], 'every request keeps the rules of Telegram')
    })

    const clientWith = (token: string): ParleyClient => parleyClient({ baseUrl: running.url, token, tries: 1 })

    function tokenWith(scope: string): string {
      const match = manifest.tokens.find(({ scopes }) => scopes.join() === scope)
      assert.ok(match, `a recorded token with the scope ${scope}`)
      return match.token
    }

    /** Tools that declare no gate ask since the upgrade: the owner allows each call once. */
    async function allowWaiting(): Promise<void> {
      for (const { id, approval } of (await client.questions.list({ state: 'open', limit: 100 })).items)
        if (approval) await client.questions.answer(id, { decision: 'once' })
    }

    async function rest(dialog: string): Promise<DialogDetail> {
      let detail: DialogDetail | undefined
      return eventually(
        async () => {
          await allowWaiting()
          detail = await client.dialogs.get(dialog)
          return detail.status === 'ready' ? detail : undefined
        },
        () => `${dialog} did not come to rest: ${JSON.stringify(detail)}`,
      )
    }

    const texts = (events: readonly EventView[]): string[] =>
      events.flatMap(({ type, data }) => (type === 'message.said' ? [(data as { text: string }).text] : []))

    const lastWords = async (dialog: string): Promise<string | undefined> => texts(await everything(client, dialog)).at(-1)

    /** Waits until the last words in a dialog are these. */
    async function says(dialog: string, words: string): Promise<void> {
      await rest(dialog)
      assert.equal(await lastWords(dialog), words)
    }

    const inChat = (chat: number, text: RegExp): Promise<unknown> =>
      telegram.until(
        () => telegram.messages(chat).find((message) => message.isMine && text.test(message.text)),
        `${text} in ${chat}; there is ${JSON.stringify(telegram.messages(chat).map((message) => message.text))}`,
      )

    async function tap(chat: number, person: Person, text: RegExp, button: string): Promise<void> {
      const message = telegram.messages(chat).find((one) => one.isMine && text.test(one.text))
      assert.ok(message, `a recorded message ${text}`)
      const query = telegram.tap(chat, person, message.id, button)
      await telegram.until(() => telegram.isAnswered(query), `an answer to the tap on ${button}`)
    }

    it('is the recording: every kind of open work is in it', async () => {
      assert.equal(Object.keys(dialogs).length, isFirst ? 16 : 18)
      assert.equal(Object.keys(questions).length, isFirst ? 6 : 7)
      const pristine = sqliteStore({ path: copyOfRecording() })
      assert.ok((await pristine.position()) > 300)
      for (const kind of ['turn', 'build-turn', 'deliver', 'timer', 'inbound', 'build-silence'])
        assert.notEqual(await pristine.nextDue(kind), null, `work of kind ${kind}`)
      await pristine.close()
    })

    it('shows once that agents ask now, after an upgrade from 0.1 only', async () => {
      assert.equal(await running.takeUpgradeNotice(), isFirst)
      assert.equal(await running.takeUpgradeNotice(), false)
      const again = sqliteStore({ path: join(dataDir, 'parley.db'), clock })
      assert.equal(await upgradeMark(again).take(), false)
      await again.close()
    })

    if (isFirst)
      it('gives its tokens the role operator, with admin owner, its browsers owner, and its questions to the owner', async () => {
        const tokens = await client.tokens.list()
        for (const { scopes, role, isLegacy, limit } of tokens.filter((token) => token.isLegacy)) {
          assert.deepEqual([role, isLegacy, limit], [scopes.includes('admin') ? 'owner' : 'operator', true, null])
          assert.ok(!scopes.includes('chat') || scopes.includes('send'), 'chat keeps send')
          assert.ok(!scopes.includes('pair') && !scopes.includes('approve'))
        }
        assert.ok(tokens.length > 3)
        const response = await fetch(`${running.url}/v1/sessions`, { headers: { cookie: manifest.cookie } })
        assert.equal(response.status, 200, 'an owner manages')
        const { items } = (await response.json()) as { items: { person: string | null; isLegacy?: true }[] }
        assert.ok(items.every(({ person }) => person === null))
        for (const question of Object.values(questions)) assert.equal((await client.questions.get(question)).audience, undefined)
      })

    it('lets its tokens in with their scopes, and keeps a revoked one out', async () => {
      const read = clientWith(tokenWith('read'))
      const chat = clientWith(tokenWith('chat'))
      const answer = clientWith(tokenWith('answer'))
      await read.dialogs.list()
      await chat.dialogs.open({ title: 'by a token that may chat' })
      await client.tokens.list()
      await assert.rejects(read.dialogs.open({ title: 'no' }), refusedAs('not_allowed'))
      await assert.rejects(chat.tokens.list(), refusedAs('not_allowed'))
      await assert.rejects(answer.dialogs.open({ title: 'no' }), refusedAs('not_allowed'))
      // The answer token passes the check of its scope: the next check is whether the question exists.
      await assert.rejects(answer.questions.answer('q_1m7mnkwxyk11dgt2cfs85999', { text: 'x' }), refusedAs('question_not_found'))
      await assert.rejects(read.questions.answer(questions.choose, { choice: 'yes' }), refusedAs('not_allowed'))
      await assert.rejects(clientWith(manifest.revokedToken).dialogs.list(), refusedAs('bad_token'))
    })

    it('lets the cookie of a signed-in browser in, and a used sign-in link not', async () => {
      const response = await fetch(`${running.url}/v1/info`, { headers: { cookie: manifest.cookie } })
      assert.equal(response.status, 200)
      assert.equal((await fetch(`${running.url}/v1/info`, { headers: { cookie: `${manifest.cookie}x` } })).status, 401)
      await assert.rejects(client.signIn(manifest.usedSignInKey), refusedAs('link_used'))
    })

    it('gives the first result for a repeated idempotency key', async () => {
      const owner = clientWith(getLocalToken())
      const opened = await owner.dialogs.open({ text: 'opened once', title: 'opened once' }, { key: keys.open.key })
      assert.equal(opened.id, keys.open.result)
      const saidAgain = await owner.dialogs.say(opened.id, 'said once', { key: keys.say.key })
      assert.equal(String(saidAgain.seq), keys.say.result)
      const tokenAgain = await owner.tokens.create('made once', ['read'], { key: keys.token.key })
      assert.equal(tokenAgain.token, keys.token.result)
      const started = await owner.builds.start({ prompt: 'started once', agent: 'maker' }, { key: keys.build.key })
      assert.equal(started.build_id, keys.build.result)
      const message = { target: String(people.mia.id), message: 'sent once', waitMs: 5_000 }
      assert.equal((await owner.messages.send(message, { key: keys.send.key })).delivery.id, keys.send.result)
      const answered = await owner.questions.answer(keys.answer.result, { choice: 'yes' }, { key: keys.answer.key })
      assert.deepEqual([answered.id, answered.state], [keys.answer.result, 'answered'])
      await assert.rejects(owner.dialogs.open({ text: 'something else' }, { key: keys.open.key }), refusedAs('key_reused'))
      assert.equal(texts(await everything(client, opened.id)).filter((text) => text === 'said once').length, 1)
    })

    if (!isFirst)
      it('runs a call once its recorded approval is answered, and lists the recorded grant', async () => {
        const { approving, granted } = dialogs
        assert.ok(approving && granted && questions.approving)
        assert.equal((await client.questions.get(questions.approving)).approval?.tool, 'publish')
        await client.questions.answer(questions.approving, { decision: 'once' })
        await says(approving, 'Result: published')
        const grants = await client.grants.list()
        assert.deepEqual(
          grants.map(({ tool, madeIn }) => [tool, madeIn]),
          [['publish', granted]],
        )
      })

    it('takes the answers to its open questions, and their dialogs go on', async () => {
      const open = (await client.questions.list({ state: 'open', limit: 100 })).items.map(({ id }) => id)
      for (const [name, question] of Object.entries(questions))
        if (name !== 'approving') assert.ok(open.includes(question), `${name} is open`)
      const later = await client.questions.get(questions.later)
      assert.ok((later.expiresAt ?? 0) > clock.now())

      await clientWith(tokenWith('answer')).questions.answer(questions.form, { answers: { city: 'Rome', pace: 'slow' } })
      await says(dialogs.form, 'You answered Rome and slow.')
      await client.questions.answer(questions.later, { text: 'Nori' })
      await says(dialogs.later, 'You answered Nori.')
      await client.questions.answer(questions.repeat, { choice: 'again' })
      await says(dialogs.repeat, 'Result: paid')
      await client.questions.answer(questions.painting, { choice: 'red' })
      await says(dialogs.painting, 'Result: painted it red')
      // Asked on the page, answered by the button that the owner's chat got before the upgrade.
      await tap(people.olga.id, people.olga, /^Ship it\?[\s\S]*choose$/, 'no')
      await says(dialogs.choose, 'You answered no.')
      await tap(people.noor.id, people.noor, /Ship it/, 'yes')
      if (isFirst) {
        // A question of 0.1 names no audience, so it is for the owner: a guest's tap changes nothing.
        assert.equal((await client.questions.get(questions.noor)).state, 'open')
        await client.questions.answer(questions.noor, { choice: 'yes' })
      }
      await says(dialogs.noor, 'You answered yes.')
      await inChat(people.noor.id, /You answered yes/)
    })

    it('runs turns again that were cut, with the messages that waited', async () => {
      await says(dialogs.cut, 'Heard: hang until the end, first waiting, second waiting.')
      await says(dialogs.cutTool, 'Result: looked up')
      await says(dialogs.lena, 'Heard: hang in a chat, still there?.')
      await inChat(people.lena.id, /Heard: hang in a chat, still there/)
    })

    it('finishes its delegations: one cut in a side dialog, one that was asked back, one in a kept session', async () => {
      await says(dialogs.slowWork, 'Result: done with slow work')
      await says(dialogs.askBack, 'Result: understood: Paint it green.')
      const ids = (await client.dialogs.tree(dialogs.kept)).map(({ id }) => id)
      assert.equal(ids.length, 2)
      await client.dialogs.say(dialogs.kept, 'delegate a second task')
      await says(dialogs.kept, 'Result: done with a second task')
      assert.deepEqual(
        (await client.dialogs.tree(dialogs.kept)).map(({ id }) => id),
        ids,
        'the second task went on in the side dialog of the first',
      )
    })

    it('continues a stopped and a failed dialog when it is told to', async () => {
      assert.equal((await client.dialogs.get(dialogs.stopped)).status, 'stopped')
      assert.equal((await client.dialogs.get(dialogs.failed)).status, 'failed')
      await client.dialogs.continue(dialogs.stopped)
      await client.dialogs.continue(dialogs.failed)
      await says(dialogs.stopped, 'Continued.')
      await says(dialogs.failed, 'Heard: fail.')
    })

    it('continues its builds to the end', async () => {
      const answer = async (build: string, question: string, given: BuildAnswer): Promise<void> => {
        await eventually(
          async () => {
            await allowWaiting()
            return (await client.builds.get(build)).question?.id === question ? true : undefined
          },
          () => `${build} did not ask ${question}`,
        )
        await client.builds.answer(build, given)
      }
      const details = { answers: { name: 'Nori', motto: 'Read on' } }
      for (const { build_id: build } of [builds.asked, builds.cut]) {
        await answer(build, 'region', { question_id: 'region', answer: 'Europe' })
        await answer(build, 'details', details)
      }
      await answer(builds.askedSet.build_id, 'details', details)
      const { question } = await client.builds.get(builds.tools.build_id)
      assert.ok(question)
      await client.builds.answer(builds.tools.build_id, { question_id: question.id, answer: 'US' })
      for (const { build_id: build } of Object.values(builds)) {
        const { status } = await eventually(
          async () => {
            await allowWaiting()
            const summary = await client.builds.get(build)
            return ['complete', 'failed', 'cancelled'].includes(summary.status) ? summary : undefined
          },
          () => `${build} did not end`,
        )
        assert.equal(status, 'complete')
      }
    })

    it('sends what was pending, reports what may have arrived, and repeats nothing', async () => {
      const settled = (delivery: string): Promise<DeliveryView> =>
        eventually(
          async () => {
            const view = await client.deliveries.get(delivery)
            return view.state === 'waiting' ? undefined : view
          },
          () => `${delivery} still waits`,
        )
      assert.equal((await settled(deliveries.delayed)).state, 'sent')
      await inChat(people.ida.id, /^delayed$/)
      for (const [delivery, why] of [
        [deliveries.maybeSent, 'no answer from Telegram (ECONNRESET)'],
        [deliveries.inFlight, 'Parley ended while it was being sent, and this channel cannot say whether it arrived'],
      ] as const) {
        const view = await settled(delivery)
        assert.equal(view.state, 'unknown')
        assert.deepEqual(view.error, {
          message: `Not confirmed: ${why}.`,
          hint: `Check whether it arrived. If not: parley deliveries retry ${delivery}`,
        })
      }
      // The chat may have read by now that a message is perhaps missing, and nothing else.
      for (const { text } of telegram.messages(people.kim.id)) assert.match(text, /“in flight”/)
      const waiting = (await client.inbox()).items.flatMap((item) => (item.kind === 'delivery' ? [item.delivery.id] : []))
      assert.ok(waiting.includes(deliveries.maybeSent) && waiting.includes(deliveries.inFlight))
      await client.deliveries.retry(deliveries.inFlight)
      await inChat(people.kim.id, /^in flight$/)
    })

    it('takes a tap on the buttons a plugin put below a reply', async () => {
      const [recorded] = manifest.chats[String(people.mia.id)] ?? []
      const [stop] = recorded?.reply_markup?.inline_keyboard?.flat().slice(-1) ?? []
      assert.ok(recorded && stop, 'buttons were recorded')
      const query = telegram.tap(people.mia.id, people.mia, recorded.message_id, stop.text)
      const { text } = await telegram.until(() => telegram.toasts.find((toast) => toast.query === query), 'an answer to the tap')
      assert.doesNotMatch(text, /not sent by me|no longer valid/)
      await telegram.until(
        () => telegram.messages(people.mia.id).find(({ id }) => id === recorded.message_id)?.keyboard.length === 0,
        'the buttons to go',
      )
    })

    it('answers in the chats that were bound, and lets in who asked', async () => {
      telegram.say(people.mia.id, people.mia, 'hello again')
      await inChat(people.mia.id, /Heard: hello again/)
      assert.ok(texts(await everything(client, dialogs.mia)).includes('hello again'), 'in the dialog it was bound to')
      telegram.say(groupId, people.mia, 'hello from mia')
      await inChat(groupId, /Heard: hello from mia/)
      assert.ok(texts(await everything(client, dialogs.group)).includes('hello from mia'))
      await client.pairings.accept(manifest.pairingCode)
      await inChat(people.eve.id, /Heard: may I come in/)
    })

    it('has views equal to a fold of the log from zero, and no orphaned work', async () => {
      await eventually(
        async () => ((await client.deliveries.list({ state: 'waiting' })).items.length === 0 ? true : undefined),
        () => 'deliveries still wait',
      )
      await running.close()
      const store = sqliteStore({ path: join(dataDir, 'parley.db'), clock })
      const folded = await foldViews(store)
      assert.ok(folded.size > 100, `${folded.size} rows were compared`)
      const pristine = sqliteStore({ path: copyOfRecording() })
      // Later versions may add fields to a row; what version 0.1 wrote must still be what follows from the log.
      let unindexed = 0
      for (const row of folded.values()) {
        const stored = await store.row(row.view, row.key)
        const recorded = await pristine.row(row.view, row.key)
        // Messages that were sent before there was an index have no row in it; they are found by searching the deliveries.
        if (row.view === 'delivery-messages' && stored === null) {
          const { delivery } = row.body as { delivery: string }
          assert.notEqual(await pristine.row('deliveries', delivery), null, `${row.key} was sent by this version`)
          unindexed += 1
          continue
        }
        assert.partialDeepStrictEqual(withRecordedText(row, stored, recorded), stored, `${row.view}/${row.key}`)
      }
      await pristine.close()
      for (const view of foldedViews) {
        const expected = [...folded.values()].filter((row) => row.view === view).length
        assert.equal(await store.countRows(view), expected - (view === 'delivery-messages' ? unindexed : 0), `rows of ${view}`)
      }
      for (const kind of ['turn', 'build-turn', 'deliver']) assert.equal(await store.nextDue(kind), null, kind)
      await store.close()
    })

    /**
     * A row that was not written since the upgrade keeps the error text of the old version, character by character.
     * Every other row has the text of today, and the code and details of an error never change.
     */
    function withRecordedText(folded: ViewRow, stored: ViewRow | null, recorded: ViewRow | null): ViewRow {
      const error = readError(folded)
      const old = readError(recorded)
      if (!error || !old || !isDeepStrictEqual(readError(stored), old)) return folded
      return { ...folded, body: { ...folded.body, error: { ...error, message: old.message, hint: old.hint } } }
    }

    function readError(row: ViewRow | null): { message: string; hint: string } | null {
      return row && 'error' in row.body ? (row.body.error as { message: string; hint: string } | null) : null
    }

    function copyOfRecording(): string {
      const path = join(mkdtempSync(join(dir, 'pristine-')), 'parley.db')
      copyFileSync(join(recordedFolder(version), 'parley.db'), path)
      return path
    }

    function getLocalToken(): string {
      return localToken(loadSecret({ dataDir }))
    }
  })
}

const refusedAs =
  (code: string) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof ClientError)
    assert.equal(error.code, code)
    return true
  }
