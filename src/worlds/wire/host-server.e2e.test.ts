import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { WebSocket } from 'ws'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { systemClock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import type { HostPush } from '../../ports/worlds.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { groupCommitter } from '../../streams/committer.ts'
import { keptHeads } from './heads.ts'
import { hostEndpoint } from './host-endpoint.ts'
import { hostServer } from './host-server.ts'
import { identityFolder } from './identities.ts'
import { memberRecords } from './member-records.ts'
import { request, scriptedHost } from './test/scripted-host.ts'
import { wireHost } from './wire-host.ts'
import { type WireLimits, wireLimits } from './wire-limits.ts'
import { wsDial } from './ws-socket.ts'

async function serveHost(t: TestContext, change: Partial<WireLimits> = {}) {
  const limits: WireLimits = { ...wireLimits, ...change }
  const host = scriptedHost()
  const store = memoryStore({ clock: systemClock })
  const heads = keptHeads({ store, committer: groupCommitter(store), clock: systemClock })
  let origin = ''
  const endpoint = hostEndpoint({ host, heads, clock: systemClock, log: silentLog, limits, origins: () => [origin] })
  const server = await hostServer({ endpoint, a2a: null, log: silentLog, clock: systemClock, limits, port: 0, hostname: '127.0.0.1' })
  origin = `http://127.0.0.1:${server.port}`
  t.after(() => server.close())
  return { host, origin, endpoint, server, limits }
}

async function joinHost(t: TestContext, origin: string, name: string) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-wire-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const store = memoryStore({ clock: systemClock })
  const wired = wireHost({
    host: origin,
    identities: identityFolder(dir, origin),
    records: memberRecords({ store, committer: groupCommitter(store), clock: systemClock }),
    dial: wsDial(origin, wireLimits),
    clock: systemClock,
    random: Math.random,
    log: silentLog,
  })
  const opened = await wired.call('', 'account.open', { member: name, language: 'en' })
  assert.ok(opened.ok)
  const pushes: HostPush[] = []
  const stop = wired.connect(opened.value.agent, { receive: async (push) => void pushes.push(push) })
  t.after(stop)
  return { wired, agent: opened.value.agent, pushes }
}

test('world host: members connect with real WebSockets, are pushed to, and call', async (t) => {
  const { host, origin } = await serveHost(t)
  const ada = await joinHost(t, origin, 'ada')
  const mira = await joinHost(t, origin, 'mira')
  await eventually(() => host.online.size === 2, 'both are online')
  await host.push(ada.agent, { type: 'request.updated', request: request() })
  assert.equal(ada.pushes.length, 1)
  assert.equal(mira.pushes.length, 0)
  assert.ok((await mira.wired.call(mira.agent, 'worlds.get', { world: 'w' })).ok)
  assert.deepEqual(host.calls.at(-1), { account: mira.agent, name: 'worlds.get', input: { world: 'w' } })
  const health = (await (await fetch(`${origin}/healthz`)).json()) as { connections: number }
  assert.equal(health.connections, 2)
})

test('world host: requests without a proof, with a proof for another body, and too long ones are refused', async (t) => {
  const { host, origin } = await serveHost(t)
  const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/v1/worlds-host/worlds.get`, { method: 'POST', body, headers })
  assert.equal((await post('{}')).status, 401)
  assert.equal((await post('x'.repeat(wireLimits.memberFrameBytes + 1))).status, 413)
  assert.equal((await fetch(`${origin}/v1/worlds-host/worlds.get`)).status, 404)
  assert.equal((await fetch(`${origin}/v1/worlds-host/__proto__`, { method: 'POST', body: '{}' })).status, 404)
  const seen: Record<string, string>[] = []
  const dir = mkdtempSync(join(tmpdir(), 'parley-wire-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const store = memoryStore({ clock: systemClock })
  const wired = wireHost({
    host: origin,
    identities: identityFolder(dir, origin),
    records: memberRecords({ store, committer: groupCommitter(store), clock: systemClock }),
    dial: wsDial(origin, wireLimits),
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    fetchImpl: ((url: string, init: RequestInit) => {
      seen.push(init.headers as Record<string, string>)
      return fetch(url, init)
    }) as typeof fetch,
  })
  assert.ok((await wired.call('', 'account.open', { member: 'ada', language: 'en' })).ok)
  const proof = seen[0]?.['parley-proof'] ?? ''
  assert.equal((await post('{"input":{"world":"w"}}', { 'parley-proof': proof })).status, 401)
  assert.ok(!host.calls.some(({ name }) => name === 'worlds.get'))
})

test('world host: a flood of frames ends the connection, and so does one frame that is too long', async (t) => {
  const { origin } = await serveHost(t, { framesAtOnce: 20 })
  const open = async (): Promise<{ socket: WebSocket; closed: Promise<number> }> => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`)
    const closed = new Promise<number>((resolve) => socket.on('close', resolve))
    await new Promise((resolve) => socket.once('open', resolve))
    return { socket, closed }
  }
  const flood = await open()
  for (let number = 0; number < 50; number += 1) flood.socket.send('{}')
  assert.equal(await flood.closed, 1008)
  const long = await open()
  long.socket.send('x'.repeat(wireLimits.memberFrameBytes + 1))
  assert.equal(await long.closed, 1009)
})

test('world host: members return by themselves after the host was stopped and started', async (t) => {
  const first = await serveHost(t)
  const ada = await joinHost(t, first.origin, 'ada')
  await eventually(() => first.host.online.size === 1, 'Ada is online')
  const { port } = first.server
  await first.server.close()
  await eventually(() => ada.wired.state(ada.agent) === 'waiting', 'Ada has noticed')
  await assert.rejects(ada.wired.call(ada.agent, 'worlds.get', { world: 'w' }), /cannot be reached/)
  const server = await hostServer({
    endpoint: first.endpoint,
    a2a: null,
    log: silentLog,
    clock: systemClock,
    limits: first.limits,
    port,
    hostname: '127.0.0.1',
  })
  t.after(() => server.close())
  await eventually(() => first.host.online.size === 1, 'Ada is online again')
  assert.ok((await ada.wired.call(ada.agent, 'worlds.get', { world: 'w' })).ok)
})
