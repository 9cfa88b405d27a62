import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { silentLog } from '../../../ports/log.ts'
import type { Store } from '../../../ports/store.ts'
import type { HostPush, WorldsHost, WorldsMember } from '../../../ports/worlds.ts'
import { memoryStore } from '../../../store/memory/memory-store.ts'
import { groupCommitter } from '../../../streams/committer.ts'
import { type SimulatedClock, simulatedClock } from '../../../testing/simulated-clock.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { keptHeads } from '../heads.ts'
import { hostEndpoint } from '../host-endpoint.ts'
import { identityFolder } from '../identities.ts'
import { memberRecords } from '../member-records.ts'
import { requestNonce, type SignedProof } from '../proofs.ts'
import { type WireLimits, wireLimits } from '../wire-limits.ts'
import { wireHost } from '../wire-host.ts'
import { type Link, linkedSockets } from './linked-sockets.ts'
import { scriptedHost } from './scripted-host.ts'

export const origin = 'https://worlds.test'

/** A host endpoint and members that reach it over linked sockets and a direct HTTP. All on one simulated clock. */
export function wirePair(t: TestContext, limits: WireLimits = wireLimits) {
  const clock: SimulatedClock = simulatedClock()
  return wirePairOn(t, clock, memoryStore({ clock }), scriptedHost(), limits)
}

/** The same over any host. */
export function wirePairOn<Host extends WorldsHost>(t: TestContext, clock: SimulatedClock, store: Store, host: Host, limits: WireLimits) {
  const committer = groupCommitter(store)
  const heads = keptHeads({ store, committer, clock })
  const endpoint = hostEndpoint({ host, heads, clock, log: silentLog, limits, origins: () => [origin] })
  const dir = mkdtempSync(join(tmpdir(), 'parley-wire-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const links: Link[] = []
  const net = { isUp: true, httpCalls: [] as string[] }

  /** The routes of the host without a server. */
  const fetchImpl = (async (url: string, { body, headers }: { body: string; headers: Record<string, string> }) => {
    if (!net.isUp) throw new Error('no network')
    const operation = url.split('/').at(-1) ?? ''
    net.httpCalls.push(operation)
    const proof = JSON.parse(Buffer.from(headers['parley-proof'] ?? '', 'base64url').toString()) as SignedProof
    const proven = await endpoint.prove(proof, requestNonce(operation, body), '127.0.0.1', 'en')
    if ('refused' in proven) return Response.json({ error: proven.refused }, { status: 401 })
    const isOpen = operation === 'account.open'
    const { input } = JSON.parse(body)
    const answer = await endpoint.call(proven, isOpen ? 'account.view' : (operation as 'account.view'), isOpen ? {} : input)
    return answer.ok ? Response.json({ result: answer.value }) : Response.json({ error: answer.refusal }, { status: 409 })
  }) as unknown as typeof fetch

  async function join_(member: string, receive?: WorldsMember['receive']) {
    const pushes: HostPush[] = []
    const memberStore = memoryStore({ clock })
    const records = memberRecords({ store: memberStore, committer: groupCommitter(memberStore), clock })
    const identities = identityFolder(join(dir, member), origin)
    const wired = wireHost({
      host: origin,
      identities,
      records,
      dial: async () => {
        if (!net.isUp) throw new Error('no network')
        const link = linkedSockets()
        links.push(link)
        endpoint.accept(link.host, '127.0.0.1')
        return link.member
      },
      clock,
      random: () => 0.5,
      log: silentLog,
      limits,
      fetchImpl,
    })
    const opened = await wired.call('', 'account.open', { member, language: 'en' })
    if (!opened.ok) throw new Error(opened.refusal.code)
    const { agent } = opened.value
    const connect = (): (() => void) => wired.connect(agent, { receive: receive ?? (async (push) => void pushes.push(push)) })
    /** Signatures are made on other threads, so the simulated clock does not wait for them. */
    const online = async (): Promise<void> => void (await eventually(() => wired.state(agent) === 'online', `${member} is online`))
    return { agent, code: opened.value.identity.agentCode, wired, pushes, records, identities, connect, online }
  }

  return { clock, host, endpoint, heads, links, net, join: join_ }
}
