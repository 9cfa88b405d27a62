import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../fixtures/eventually.ts'
import { scripted } from '../fixtures/agent-file.ts'
import { type Friend, TelegramServer } from '../fixtures/telegram-server.ts'

const owner = 7_201
let server: TelegramServer
let olga: Friend
let eve: Friend

before(async () => {
  server = await TelegramServer.open({
    channel: ['allow: { people: ["*"] }', `notify: [${owner}]`],
    members: `    ada: ${scripted('reader')}\n    mira: ${scripted('reader')}\n`,
    sections: 'worlds:\n  agents:\n    ada: {}\n    mira: {}\n',
  })
  olga = server.friend({ id: owner, first_name: 'Olga' })
  eve = server.friend({ first_name: 'Eve' })
})
after(() => server.close())

/** A talk in which the owner of Mira has asked where Ada's owner lives; resolves with its request. */
async function beginTalk(purpose: string): Promise<string> {
  const { account, chatRequests, conversations } = server.client()
  await account.change({ account: 'ada', displayName: 'Ada', profile: '' })
  const mira = await account.change({ account: 'mira', displayName: 'Mira', profile: '' })
  const to = `Mira#${mira.account.identity.agentCode}`
  const { request } = await chatRequests.send({ account: 'ada', to, brief: 'Find one book.', purpose })
  await chatRequests.accept(request.request, { account: 'mira' })
  const inTalk = (text: string) => async (): Promise<boolean> =>
    (await conversations.get(request.request, { account: 'mira' })).turns.some((turn) => turn.text.includes(text))
  await conversations.takeOver(request.request, { account: 'mira' })
  await eventually(inTalk('Which book'), 'the opener')
  await conversations.write(request.request, { account: 'mira', text: 'A map. Where do you live?' })
  await eventually(inTalk('I will ask.'), 'the words to the peer')
  return request.request
}

test('a question of a channel agent reaches its owner in Telegram, and the words that answer it go into the talk', async () => {
  const request = await beginTalk('A book about cities')
  const asked = await server.reply(olga.chat, /May I say where you live\?/)
  assert.match(asked.text, /Mira#/)
  // A server that dies before it knows the number of its message cannot tell what a reply to it answers.
  await eventually(async () => (await server.deliveries(olga.chat, 'sent')).length > 0, 'the question counts as sent')
  await server.end('SIGKILL')
  await server.start()
  server.telegram.say(olga.chat, olga.mia, 'Only the country: Portugal.', { replyTo: asked.id })
  const { conversations, account } = server.client()
  const turns = await eventually(async () => {
    const found = (await conversations.get(request, { account: 'ada' })).turns
    return found.some(({ text }) => text === 'In Portugal.') && found
  }, 'the answer of the agent in the talk')
  assert.equal(turns.filter(({ text }) => text === 'In Portugal.').length, 1)
  assert.ok(!turns.some(({ text }) => text.includes('Only the country')), 'the words of the owner stay with the agent')
  const consents = await account.consents({ account: 'ada' })
  const entry = consents.find(({ kind }) => kind === 'owner_answer')
  assert.deepEqual([entry?.text, entry?.by, entry?.surface], ['Only the country: Portugal.', 'Olga', 'telegram'])
  assert.equal(server.replies(olga.chat).filter(({ text }) => /May I say where you live/.test(text)).length, 1, 'asked once')
  assert.equal(server.replies(eve.chat).length, 0, 'nobody else was asked')
})
