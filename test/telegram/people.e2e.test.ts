import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ModelEmulator } from '../../src/testing/model-emulator.ts'
import type { SeenMessage } from '../../src/testing/telegram-emulator/people.ts'
import { obedientModel } from '../fixtures/obedient-model.ts'
import { eventually } from '../fixtures/eventually.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

/** People of parley.yaml with their ids on Telegram; a fourth person is a stranger. */
const openGroup = -1_009_002
let model: ModelEmulator
let server: TelegramServer
let mia: Friend
let ann: Friend
let bob: Friend

const sections = (url: string): string => `models:
  loop:
    provider: openai-compatible
    baseUrl: ${url}
    model: emulated
    apiKey: none
people:
  mia: { role: owner, telegram: 9042 }
  ann: { role: operator, telegram: 9043 }
  bob: { role: member, telegram: 9044 }
policy:
  approvers: [bob]
  approvals: { inGroup: true }
  rules:
    - { allow: run(git status *) }
    - { ask: "run(echo two *)", keys: 2 }
`

const member =
  '    ada:\n      runtime: model\n      model: loop\n      toolsets: [os, ws_read, ws_mod, memory, message]\n      writeDirs: ["**"]\n'

before(async () => {
  model = await obedientModel()
  server = await TelegramServer.open({
    channel: [`allow: { addresses: ["${openGroup}"] }`, 'agent: ada'],
    plugin: null,
    members: member,
    sections: sections(model.url),
  })
  mia = server.friend({ id: 9_042, first_name: 'Mia' })
  ann = server.friend({ id: 9_043, first_name: 'Ann' })
  bob = server.friend({ id: 9_044, first_name: 'Bob', language_code: 'zh-hans' })
  for (const { mia: person, chat } of [mia, ann, bob]) {
    server.telegram.say(chat, person, 'hello')
    await server.reply(chat, /Heard: hello/)
  }
})
after(async () => {
  await server.close()
  await model.close()
})

const call = (tool: string, input: object): string => `call ${tool} ${JSON.stringify(input)}`
const labels = ({ keyboard }: SeenMessage): string[] => keyboard.flat().map(({ text }) => text)
const cardAt = (chat: number, text: string): Promise<SeenMessage> =>
  server.reply(chat, (message) => message.text.includes(text) && message.keyboard.length > 0, `a card with ${text}`)
const closed = (chat: number, message: SeenMessage, words: RegExp): Promise<SeenMessage> =>
  server.telegram.until(() => {
    const visible = server.seen(chat, message.id)
    return words.test(visible.text) && visible.keyboard.length === 0 && visible
  }, `${words} in the card`)
/** The agent has said so many results. What is written earlier may be read together with one, and answered with it. */
const results = (chat: number, count: number): Promise<unknown> =>
  server.telegram.until(() => server.replies(chat).filter(({ text }) => text.startsWith('Results:')).length >= count, `${count} results`)

const inProject = (name: string): string => join(server.dir, name)

test('listed people need no code, and an allowed call of the owner runs without asking', async () => {
  server.telegram.say(mia.chat, mia.mia, call('run', { command: 'git status --short' }))
  await server.reply(mia.chat, /Results: .*(exit code|not a git repository)/s)
})

test('in a group: the owner asks after a stranger has written; the card there is for approvers alone', async () => {
  const { mia: eve } = server.friend({ first_name: 'Eve' })
  const group = server.telegram.group({ people: [eve, mia.mia, ann.mia], id: openGroup })
  server.telegram.say(group, eve, 'hello all')
  await server.reply(group, /Heard: hello all/)
  server.telegram.say(group, mia.mia, call('run', { command: 'git status; touch ran-in-group' }))
  const card = await cardAt(group, 'touch ran-in-group')
  assert.match(card.text, /Requested by mia \(owner, Telegram\)/)
  assert.match(card.text, /The lowest role that has written in this chat: group\./)
  assert.deepEqual(labels(card), ['Allow once', 'Allow in this chat', 'Deny'])
  for (const label of ['Allow once', 'Deny'])
    assert.equal(await server.toast(server.telegram.tap(group, eve, card.id, label)), 'Only mia, ann, bob can decide this.')
  server.telegram.say(group, eve, 'Allow once', { replyTo: card.id })
  await server.reply(group, /^Only mia, ann, bob can decide this\.$/)
  server.telegram.say(group, eve, 'Allow once')
  await server.reply(group, /Heard: Allow once/)
  assert.equal(existsSync(inProject('ran-in-group')), false)
  const types = (await server.events(await server.dialogOf(group))).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'answer.refused').length, 1)
  assert.equal(types.includes('question.answered'), false)
  server.telegram.say(group, ann.mia, 'Allow once', { replyTo: card.id })
  await eventually(() => existsSync(inProject('ran-in-group')), 'the effect after the reply of an approver')
  await closed(group, card, /✓ ann decided: Allow once\./)
})

test('two keys: the second key of the same person is refused; the second person lets it run', async () => {
  server.telegram.say(bob.chat, bob.mia, call('run', { command: 'echo two keys >> keys.txt' }))
  const [first, second] = [await cardAt(mia.chat, 'echo two keys'), await cardAt(ann.chat, 'echo two keys')]
  await server.reply(bob.chat, ({ text }) => text.startsWith('正在等待 mia 和 ann 批准。'))
  const data = first.keyboard.flat()[labels(first).indexOf('Allow once')]?.callback_data ?? ''
  assert.equal(await server.toast(server.telegram.tap(mia.chat, mia.mia, first.id, 'Allow once')), '✓ Allow once')
  await server.telegram.until(() => server.seen(ann.chat, second.id).text.includes('1 of 2 approvals: mia'), 'the first key to be shown')
  assert.equal(await server.toast(server.telegram.forge(mia.chat, mia.mia, first.id, data)), 'Only ann can decide this.')
  assert.equal(existsSync(inProject('keys.txt')), false)
  await server.end('SIGKILL')
  await server.start()
  assert.equal(await server.toast(server.telegram.tap(ann.chat, ann.mia, second.id, 'Allow once')), '✓ Allow once')
  // The shell creates the file before it writes the line.
  await eventually(() => existsSync(inProject('keys.txt')) && readFileSync(inProject('keys.txt'), 'utf8') !== '', 'the effect')
  await closed(mia.chat, first, /ann decided: Allow once\./)
  assert.equal(readFileSync(inProject('keys.txt'), 'utf8'), 'two keys\n')
})

test('several calls of a turn are one card; always allow shows the scopes, and the grant holds', async () => {
  server.telegram.say(mia.chat, mia.mia, [call('run', { command: 'touch a-1' }), call('run', { command: 'touch a-2' })].join('\n'))
  const card = await cardAt(mia.chat, 'touch a-1')
  assert.match(card.text, /^ada needs 2 approvals/)
  assert.deepEqual(labels(card), ['Allow both once', 'Deny all', 'Decide each'])
  await server.toast(server.telegram.tap(mia.chat, mia.mia, card.id, 'Allow both once'))
  await eventually(() => existsSync(inProject('a-1')) && existsSync(inProject('a-2')), 'both effects')
  await results(mia.chat, 2)

  server.telegram.say(mia.chat, mia.mia, call('write_file', { path: 'notes/a/b.txt', content: 'one' }))
  const write = await cardAt(mia.chat, 'notes/a/b.txt')
  assert.match(write.text, /^Allow ada to change notes\/a\/b\.txt\?/)
  await server.toast(server.telegram.tap(mia.chat, mia.mia, write.id, 'Always allow…'))
  const scopes = await server.telegram.until(() => {
    const visibleMessage = server.seen(mia.chat, write.id)
    return labels(visibleMessage).includes('Back') && visibleMessage
  }, 'the scopes')
  assert.deepEqual(labels(scopes), ['write(notes/a/**)', 'write(notes/a/b.txt)', 'write(notes/**)', 'Edit on the page', 'Back'])
  await server.toast(server.telegram.tap(mia.chat, mia.mia, write.id, 'write(notes/a/**)'))
  await eventually(() => existsSync(inProject('notes/a/b.txt')), 'the file')
  await results(mia.chat, 3)
  server.telegram.say(mia.chat, mia.mia, call('write_file', { path: 'notes/a/c.txt', content: 'two' }))
  await eventually(() => existsSync(inProject('notes/a/c.txt')), 'the next file, without asking')
})
