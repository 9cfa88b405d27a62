/**
 * Records the database of the upgrade test: `node test/upgrade/record.ts <folder>`.
 *
 * `v0.1` was recorded with commit 9705761, `v0.2` after roles and approvals were added. Neither is recorded again: they stand
 * for the data of people who upgrade. Every release records a folder of its own and adds it to `recordings` in project.ts.
 *
 * It runs the real server as a process, with the Telegram emulator and scripted agents that hang or fail while
 * PARLEY_UPGRADE_RECORDING is set, kills it in the middle of work, and leaves parley.db (checkpointed into one file),
 * the signing secret and manifest.json.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { DialogDetail, Scope } from '../../src/client/index.ts'
import { telegramEmulator, type TelegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { telegramFaults } from '../../src/testing/telegram-emulator/telegram-fault.ts'
import { everything, KillableServer } from '../fixtures/killable-server.ts'
import { eventually } from '../fixtures/eventually.ts'
import { groupId, invite, type Manifest, writeProject } from './project.ts'

/** The most a recorded database may have, so that the repository stays small. */
const mostBytes = 1024 * 1024

const [target] = process.argv.slice(2)
assert.ok(target, 'usage: node test/upgrade/record.ts <folder>')
process.env['PARLEY_UPGRADE_RECORDING'] = '1'

class RecordedServer extends KillableServer {
  readonly #telegram: TelegramEmulator

  constructor(telegram: TelegramEmulator) {
    super()
    this.#telegram = telegram
  }

  protected override yaml(): string {
    writeProject(this.dir, this.#telegram)
    return readFileSync(join(this.dir, 'parley.yaml'), 'utf8')
  }
}

const telegram = await telegramEmulator()
const people = invite(telegram)
const server = new RecordedServer(telegram)
// A recording that fails must not leave its server running.
process.on('exit', () => server.child.kill('SIGKILL'))
await server.start()
const data = join(server.dir, '.parley', 'parley.db')
let client = server.client()

const open = async (text: string): Promise<string> => (await client.dialogs.open({ text, title: text })).id
const reached = (dialog: string, isReached: (detail: DialogDetail) => boolean, what: string): Promise<DialogDetail> =>
  eventually(async () => {
    const detail = await client.dialogs.get(dialog)
    return isReached(detail) && detail
  }, what)
/** Streams of deliveries cannot be read over HTTP. */
const inLog = (delivery: string, type: string): Promise<true> =>
  eventually(() => {
    const db = new DatabaseSync(data, { readOnly: true })
    try {
      return db.prepare('SELECT 1 FROM event WHERE stream = ? AND type = ?').get(`delivery:${delivery}`, type) ? true : undefined
    } finally {
      db.close()
    }
  }, `${type} of ${delivery}`)
const hangs = (id: string): Promise<true> => eventually(() => server.marks().includes(id) || undefined, `${id} to hang`)
const questionIn = async (dialog: string): Promise<string> =>
  (await reached(dialog, ({ questions }) => questions.length > 0, 'a question')).questions[0]?.id ?? ''
const getSide = (dialog: string): Promise<string> =>
  eventually(async () => (await client.dialogs.tree(dialog))[1]?.id, `a side dialog of ${dialog}`)
const boundTo = (address: number): Promise<string> =>
  eventually(
    async () => (await client.pairings.list()).find((one) => one.address === String(address))?.dialog ?? undefined,
    `a dialog of ${address}`,
  )
const seenBy = (chat: number, text: RegExp): Promise<unknown> =>
  telegram.until(() => telegram.messages(chat).find((message) => message.isMine && text.test(message.text)), `${text} in ${chat}`)

// A tool that must not be repeated unasked is cut by a kill, so the next process asks.
const repeat = await open('pay the bill')
await hangs(repeat)
await server.end('SIGKILL')
await server.start()
client = server.client()
const questions = { repeat: await questionIn(repeat) } as Manifest['questions']
const dialogs = { repeat } as Manifest['dialogs']

for (const name of ['choose', 'form', 'later'] as const) {
  dialogs[name] = await open(name)
  questions[name] = await questionIn(dialogs[name])
}

dialogs.painting = await open('delegate paint')
questions.painting = await questionIn(await getSide(dialogs.painting))
dialogs.kept = await open('delegate a first task')
await reached(dialogs.kept, ({ status }) => status === 'ready', 'the first delegation')
dialogs.slowWork = await open('delegate slow work')
await hangs(await getSide(dialogs.slowWork))
dialogs.askBack = await open('delegate unclear')
await hangs(dialogs.askBack)

dialogs.stopped = await open('hang until it is stopped')
await hangs(dialogs.stopped)
await client.dialogs.stop(dialogs.stopped)
await reached(dialogs.stopped, ({ status }) => status === 'stopped', 'the stop')
dialogs.failed = await open('fail')
await reached(dialogs.failed, ({ status }) => status === 'failed', 'the failure')

// An approval that is still open, and one that made a grant.
dialogs.approving = await open('publish the first page')
questions.approving = await questionIn(dialogs.approving)
dialogs.granted = await open('publish the second page')
await client.questions.answer(await questionIn(dialogs.granted), { decision: 'always' })
await reached(dialogs.granted, ({ status }) => status === 'ready', 'the approved call')

// Builds: one asks, one asks a set, one is cut, one asks through the tools of a dialog.
const build = async (prompt: string, agent: string): Promise<Manifest['builds']['cut']> => client.builds.start({ prompt, agent })
const isAsked = (id: string): Promise<true> =>
  eventually(async () => (await client.builds.get(id)).status === 'waiting' || undefined, 'a question of a build')
const builds = {
  asked: await build('a list', 'maker'),
  askedSet: await build('a set', 'maker'),
  cut: await build('cut', 'maker'),
  tools: await build('a plan', 'planner'),
}
for (const name of ['asked', 'askedSet', 'tools'] as const) await isAsked(builds[name].build_id)
await client.builds.answer(builds.askedSet.build_id, { question_id: 'region', answer: 'Europe' })
await eventually(
  async () => (await client.builds.get(builds.askedSet.build_id)).question?.id === 'details' || undefined,
  'the set of questions',
)
await hangs(builds.cut.build_id)

// Chats: Mia has buttons below a reply, Noor is asked, Lena waits for a reply, the group is bound, Eve asks to be let in.
telegram.say(people.mia.id, people.mia, 'hello')
await seenBy(people.mia.id, /Heard: hello/)
dialogs.mia = await boundTo(people.mia.id)
telegram.say(people.noor.id, people.noor, 'choose')
await seenBy(people.noor.id, /Ship it/)
dialogs.noor = await boundTo(people.noor.id)
questions.noor = await questionIn(dialogs.noor)
telegram.say(groupId, people.noor, 'hello all')
await seenBy(groupId, /Heard: hello all/)
dialogs.group = await boundTo(groupId)
telegram.say(people.eve.id, people.eve, 'may I come in?')
const pairingCode = await eventually(
  async () => (await client.pairings.list('requested')).find(({ address }) => address === String(people.eve.id))?.pairing?.code,
  'the request of Eve',
)

// Access.
const tokens: Manifest['tokens'] = []
for (const scopes of [['admin'], ['read'], ['chat'], ['answer']] as Scope[][]) {
  const { token, view } = await client.tokens.create(`${scopes[0]} only`, scopes, { role: scopes[0] === 'admin' ? 'owner' : 'operator' })
  tokens.push({ id: view.id, scopes, token })
}
const revoked = await client.tokens.create('revoked', ['admin'])
await client.tokens.revoke(revoked.view.id)
const usedSignInKey = (await client.link()).url.split('#k=')[1] ?? ''
const session = await fetch(`http://127.0.0.1:${server.port}/v1/session`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: `http://127.0.0.1:${server.port}` },
  body: JSON.stringify({ key: usedSignInKey }),
})
const cookie = /^[^;]+/.exec(session.headers.get('set-cookie') ?? '')?.[0] ?? ''
assert.match(cookie, /^parley_[\w-]+=./)

// Requests whose keys must be remembered.
const opened = await client.dialogs.open({ text: 'opened once', title: 'opened once' }, { key: 'recorded-open' })
await reached(opened.id, ({ status }) => status === 'ready', 'a reply')
const saidOnce = await client.dialogs.say(opened.id, 'said once', { key: 'recorded-say' })
const keyed = await client.tokens.create('made once', ['read'], { key: 'recorded-token' })
const started = await client.builds.start({ prompt: 'started once', agent: 'maker' }, { key: 'recorded-build' })
const sentOnce = await client.messages.send(
  { target: String(people.mia.id), message: 'sent once', waitMs: 5_000 },
  { key: 'recorded-send' },
)
assert.equal(sentOnce.delivery.state, 'sent')
const toAnswer = await open('choose')
const answered = await questionIn(toAnswer)
await client.questions.answer(answered, { choice: 'yes' }, { key: 'recorded-answer' })
await reached(toAnswer, ({ status }) => status === 'ready', 'the use of an answer')
const keys: Manifest['keys'] = {
  open: { key: 'recorded-open', result: opened.id },
  say: { key: 'recorded-say', result: String(saidOnce.seq) },
  token: { key: 'recorded-token', result: keyed.token },
  build: { key: 'recorded-build', result: started.build_id },
  send: { key: 'recorded-send', result: sentOnce.delivery.id },
  answer: { key: 'recorded-answer', result: answered },
}

// Everything has arrived that can; what follows is left open.
await reached(opened.id, ({ status }) => status === 'ready', 'a second reply')
await isAsked(started.build_id)
await eventually(async () => (await client.deliveries.list({ state: 'waiting' })).items.length === 0 || undefined, 'all deliveries')

dialogs.cutTool = await open('look it up')
await hangs(dialogs.cutTool)
dialogs.cut = await open('hang until the end')
await hangs(dialogs.cut)
await client.dialogs.say(dialogs.cut, 'first waiting')
await client.dialogs.say(dialogs.cut, 'second waiting')
telegram.say(people.lena.id, people.lena, 'hang in a chat')
dialogs.lena = await boundTo(people.lena.id)
await hangs(dialogs.lena)
telegram.say(people.lena.id, people.lena, 'still there?')
await eventually(
  async () => (await everything(client, dialogs.lena)).filter(({ type }) => type === 'message.said').length === 2 || undefined,
  'the second message of Lena',
)

const to = (chat: number) => (params: Record<string, unknown>) => params['chat_id'] === chat
telegram.fault({ does: 'drop-after', method: 'sendMessage', when: to(people.jon.id) })
const maybeSent = (await client.messages.send({ target: String(people.jon.id), message: 'maybe sent' })).delivery.id
await eventually(async () => (await client.deliveries.get(maybeSent)).state === 'unknown' || undefined, 'an unclear delivery')
telegram.fault({ does: 'hold-before', method: 'sendMessage', when: to(people.kim.id), until: new Promise(() => {}) })
const inFlight = (await client.messages.send({ target: String(people.kim.id), message: 'in flight' })).delivery.id
telegram.fault({ does: 'answer', method: 'sendMessage', when: to(people.ida.id), fault: telegramFaults.tooManyRequests(30) })
const delayed = (await client.messages.send({ target: String(people.ida.id), message: 'delayed' })).delivery.id
await inLog(delayed, 'delivery.postponed')
await inLog(inFlight, 'delivery.intended')
await server.end('SIGKILL')

mkdirSync(target, { recursive: true })
const db = new DatabaseSync(data)
const { at: recordedAt } = db.prepare('SELECT max(at) AS at FROM event').get() as { at: number }
db.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
db.close()
copyFileSync(data, join(target, 'parley.db'))
copyFileSync(join(server.dir, '.parley', 'secret'), join(target, 'secret'))

const chats = Object.fromEntries(
  [...Object.values(people).map(({ id }) => id), groupId].map((chat) => [
    String(chat),
    telegram
      .messages(chat)
      .filter(({ isMine }) => isMine)
      .map(({ raw: { chat: _chat, from: _from, ...message } }) => message),
  ]),
)
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
const manifest: Manifest = {
  recordedBy: `test/upgrade/record.ts with version ${version} (${commit})`,
  recordedAt,
  dialogs,
  questions,
  builds,
  deliveries: { delayed, maybeSent, inFlight },
  pairingCode,
  tokens,
  revokedToken: revoked.token,
  cookie,
  usedSignInKey,
  keys,
  chats,
}
writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
const bytes = statSync(join(target, 'parley.db')).size
assert.ok(bytes < mostBytes, `the database has ${bytes} bytes`)
console.log(`recorded ${Object.keys(dialogs).length} dialogs, ${Object.keys(builds).length} builds, ${bytes} bytes, in ${target}`)

await telegram.close()
server.remove()
