import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parleyClient } from '../../src/client/index.ts'
import { telegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import { eventually } from '../fixtures/eventually.ts'
import { Fleet, type FleetProcess } from '../fixtures/fleet.ts'
import { startPostgres, type PostgresServer } from '../fixtures/postgres-server.ts'
import { startProxy } from '../fixtures/proxy.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres.stop())

test('one process reads a chat account; when it is killed, another one takes over', { timeout: 180_000 }, async (t) => {
  const telegram = await telegramEmulator()
  t.after(() => telegram.close())
  const account = `channels:\n  telegram:\n    token: ${JSON.stringify(telegram.token)}\n    apiRoot: ${telegram.url}\n    allow: { people: ["*"] }\n`
  const fleet = new Fleet(await postgres.database(), ['chat', 'colleague'], account)
  t.after(() => fleet.close())
  const workers = await Promise.all([fleet.start('worker'), fleet.start('worker')])
  const mia = telegram.person({ first_name: 'Mia', language_code: 'en' })
  const chat = telegram.privateChat(mia)
  const replies = (): number => telegram.messages(chat).filter(({ isMine }) => isMine).length
  // Telegram ends the older of two readers with a conflict, which the reader logs.
  const conflicts = (): number => workers.filter(({ said }) => said().includes('Conflict')).length
  telegram.say(chat, mia, 'hello')
  await eventually(() => replies() === 1, 'a reply')
  const owner = workers.find(({ said }) => said().includes('is connected as'))
  assert.ok(owner)
  await owner.end('SIGKILL')
  const killedAt = performance.now()
  telegram.say(chat, mia, 'still there?')
  await eventually(
    () => replies() === 2,
    () => `a reply after the fail-over: ${workers.map(({ said }) => said()).join('\n')}`,
  )
  t.diagnostic(`reply ${Math.round(performance.now() - killedAt)} ms after the kill`)
  assert.equal(conflicts(), 0, 'there were never two readers')
  assert.deepEqual(telegram.failures, [])
})

test('a rolling restart refuses no request and loses no turn', { timeout: 300_000 }, async (t) => {
  const limits = 'limits: { requestsPerMinute: 1000000, drainSeconds: 1 }\n'
  const fleet = new Fleet(await postgres.database(), ['load'], limits)
  t.after(() => fleet.close())
  const proxy = await startProxy()
  t.after(() => proxy.close())
  const webs: FleetProcess[] = await Promise.all([fleet.start('web'), fleet.start('web')])
  const workers: FleetProcess[] = await Promise.all([fleet.start('worker'), fleet.start('worker')])
  proxy.targets = webs.map(({ url }) => url)
  // No retries: each refused request is counted.
  const refused: string[] = []
  const client = parleyClient({
    baseUrl: proxy.url,
    token: fleet.token,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      if (response.status >= 500) refused.push(`${init.method ?? 'GET'} ${response.status} ${await response.clone().text()}`)
      return response
    },
  })
  await eventually(async () => (await fetch(`${proxy.url}/healthz`)).ok, 'the proxy')
  let isOver = false
  const dialogs: string[] = []
  const people = Array.from({ length: 2 }, async (_, number) => {
    for (let round = 0; !isOver; round += 1) {
      const { id } = await client.dialogs.open({ title: `${number}.${round}`, text: `mark ${number}.${round}` })
      dialogs.push(id)
      await eventually(async () => (await client.dialogs.get(id)).status === 'ready', `the reply of ${id}`, { everyMs: 50 })
    }
  })
  for (const group of [webs, workers]) {
    for (const [index, old] of group.entries()) {
      const replacement = await fleet.start(group === webs ? 'web' : 'worker')
      if (group === webs) proxy.targets = [...proxy.targets, replacement.url]
      await fetch(`${replacement.url}/readyz`)
      await old.end('SIGTERM')
      proxy.targets = proxy.targets.filter((url) => url !== old.url)
      group[index] = replacement
    }
  }
  isOver = true
  await Promise.all(people)
  assert.deepEqual(refused, [])
  const marks = fleet.marks().map((line) => line.split(' ')[0])
  assert.equal(new Set(marks).size, dialogs.length, 'each dialog had its effect')
  assert.ok(dialogs.length >= 8, `${dialogs.length} dialogs`)
  t.diagnostic(`${dialogs.length} dialogs over 4 restarts, ${marks.length - dialogs.length} effects repeated under the same key`)
})
