import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/ports/clock.ts'
import { silentLog } from '../../src/ports/log.ts'
import type { HostDelivery, HostInput, HostOperation, HostOutput, HostPush, HostResult } from '../../src/ports/worlds.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { sha256 } from '../../src/worlds/keys/statements.ts'
import { turnHash } from '../../src/worlds/rules/turn-chain.ts'
import { identityFolder } from '../../src/worlds/wire/identities.ts'
import { memberRecords } from '../../src/worlds/wire/member-records.ts'
import { wireHost } from '../../src/worlds/wire/wire-host.ts'
import { wireLimits } from '../../src/worlds/wire/wire-limits.ts'
import { wsDial } from '../../src/worlds/wire/ws-socket.ts'
import { Chance } from '../simulation/chance.ts'

export type CitySize = { accounts: number; talks: number; seconds: number; killEveryMs: number | null; hostileShare: number; seed: number }

export type CityFigures = {
  accounts: number
  conversations: number
  turns: number
  kills: number
  hostileActs: number
  /** Hostile acts that the host took although it must not. */
  hostileTaken: number
  lost: number
  doubled: number
  unfinished: number
  cpuMsPerTurn: number
  memoryKbPerAccount: number
  hostMemoryMb: number
  deliveryMs: { p50: number; p99: number; most: number }
}

type Citizen = { agent: string; code: string; isHostile: boolean; isBusy: boolean }
type Talk = { request: string; sides: [Citizen, Citizen]; isOver: boolean; acknowledged: Set<string>; received: Map<number, string>[] }

const turnsOfTalk = 6
/** Time for what is open to come to its end when the city closes. */
const longestEndMs = 90_000

/** Many members in this process, their host in another one that is killed again and again. */
export async function runCity({ accounts, talks: most, seconds, killEveryMs, hostileShare, seed }: CitySize): Promise<CityFigures> {
  const chance = new Chance(seed)
  const dir = mkdtempSync(join(tmpdir(), 'parley-city-'))
  const usage = { cpuMs: 0, current: 0, rss: 0 }
  let child: ChildProcess
  let port = '0'
  async function start(): Promise<string> {
    child = fork(fileURLToPath(new URL('./host.ts', import.meta.url)), [dir, port], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const url = await new Promise<string>((resolve, reject) => {
      child.on('exit', (code) => reject(new Error(`the host ended with ${code}`)))
      child.on('message', (said: { url?: string; cpuMs?: number; rss?: number }) => {
        if (said.url !== undefined) resolve(said.url)
        usage.current = said.cpuMs ?? usage.current
        usage.rss = said.rss ?? usage.rss
      })
    })
    port = new URL(url).port
    return new URL(url).origin
  }
  async function kill(): Promise<void> {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
    await once(child, 'exit')
    usage.cpuMs += usage.current
    usage.current = 0
  }

  const origin = await start()
  const limits = { ...wireLimits, firstRetryMs: 100, longestRetryMs: 1_000 }
  const store = memoryStore({ clock: systemClock })
  const wired = wireHost({
    host: origin,
    identities: identityFolder(join(dir, 'keys'), origin),
    records: memberRecords({ store, committer: groupCommitter(store), clock: systemClock }),
    dial: wsDial(origin, limits),
    clock: systemClock,
    random: Math.random,
    log: silentLog,
    limits,
  })
  /** Repeats what a dead host did not answer. Every call has a key of its own, so a repeated one changes nothing. */
  async function ask<Name extends HostOperation>(agent: string, name: Name, input: HostInput<Name>): Promise<HostResult<HostOutput<Name>>> {
    for (;;) {
      try {
        return await wired.call(agent, name, input)
      } catch {
        await sleep(50 + chance.below(100))
      }
    }
  }

  const citizens: Citizen[] = []
  const disconnects: (() => void)[] = []
  const talks = new Map<string, Talk>()
  const sentAt = new Map<string, number>()
  const latencies: number[] = []
  const figures = { turns: 0, kills: 0, hostileActs: 0, hostileTaken: 0 }

  const makeLink = ({ code }: Citizen, { request }: HostDelivery, text: string) => {
    const turn = request.turns + 1
    const previous = request.head
    const value = { from: code, to: request.counterparty.agentCode, intent: request.request, turn, previous, text }
    return { turn, previous, hash: turnHash(value, sha256), signature: null }
  }

  async function receive(citizen: Citizen, push: HostPush): Promise<void> {
    if (push.type === 'request.updated') {
      const talk = talks.get(push.request.request)
      if (talk && push.request.end) finish(talk)
      return
    }
    if (push.type !== 'delivery') return
    const { delivery } = push
    const talk = talks.get(delivery.request.request)
    if (!talk) return
    const own = talk.received[talk.sides.indexOf(citizen)]
    for (const { turn, text } of delivery.turns) {
      const at = sentAt.get(text)
      if (own && !own.has(turn) && at !== undefined) latencies.push(performance.now() - at)
      own?.set(turn, text)
    }
    void answer(citizen, talk, delivery)
  }

  const answering = new Set<string>()
  async function answer(citizen: Citizen, talk: Talk, delivery: HostDelivery): Promise<void> {
    const key = `${citizen.agent} ${delivery.delivery}`
    if (answering.has(key)) return
    answering.add(key)
    const { request } = talk
    const { delivery: id } = delivery
    if (citizen.isHostile) await attack(citizen, talk, delivery)
    const last = delivery.request.turns + 1 >= turnsOfTalk
    const text = `${sha256(key).slice(0, 24)} ${sha256(`${key} words`).replace(/\d/g, ' ')}`
    sentAt.set(text, performance.now())
    const reply = { request, delivery: id, text, author: 'agent' as const, asksOwner: false, asksEnd: last }
    const result = await ask(citizen.agent, 'deliveries.reply', { ...reply, link: makeLink(citizen, delivery, text) })
    if (result.ok) talk.acknowledged.add(text)
  }

  /** One act of a hostile member, which the host must refuse. */
  async function attack(citizen: Citizen, talk: Talk, delivery: HostDelivery): Promise<void> {
    figures.hostileActs += 1
    const { request } = talk
    const stranger = chance.one(citizens)
    const text = 'x'.repeat(chance.one([1, 4_001, 40_000]))
    const base = { request, delivery: delivery.delivery, author: 'agent' as const, asksOwner: false, asksEnd: false }
    const acts: (() => Promise<{ ok: boolean }>)[] = [
      // A chain that does not fit, a text that is too long, a delivery that is not there, the seat of another citizen.
      () =>
        wired.call(citizen.agent, 'deliveries.reply', {
          ...base,
          text: 'short',
          link: { ...makeLink(citizen, delivery, 'short'), previous: sha256('other') },
        }),
      () =>
        wired.call(citizen.agent, 'deliveries.reply', {
          ...base,
          text: `${text}${'y'.repeat(4_001)}`,
          link: makeLink(citizen, delivery, text),
        }),
      () =>
        wired.call(citizen.agent, 'deliveries.reply', {
          ...base,
          delivery: `${request}.d99`,
          text: 'z',
          link: makeLink(citizen, delivery, 'z'),
        }),
      () =>
        talk.sides.includes(stranger)
          ? Promise.resolve({ ok: false })
          : wired.call(stranger.agent, 'deliveries.reply', { ...base, text: 'mine', link: makeLink(stranger, delivery, 'mine') }),
      () => wired.call(citizen.agent, 'requests.accept', { request: 'crq_of_nobody' }),
    ]
    const act = chance.one(acts)
    const taken = await act().catch(() => ({ ok: false }))
    if (taken.ok) figures.hostileTaken += 1
  }

  function finish(talk: Talk): void {
    if (talk.isOver) return
    talk.isOver = true
    for (const side of talk.sides) side.isBusy = false
  }

  try {
    await until(() => usage.rss > 0, 10_000)
    const before = usage.rss
    for (let from = 0; from < accounts; from += 20)
      await Promise.all(
        Array.from({ length: Math.min(20, accounts - from) }, async (_, index) => {
          const opened = await ask('', 'account.open', { member: `city:${from + index}`, language: 'en' })
          if (!opened.ok) throw new Error(opened.refusal.code)
          const { agent, identity } = opened.value
          const citizen: Citizen = { agent, code: identity.agentCode, isHostile: chance.happens(hostileShare), isBusy: false }
          await ask(agent, 'account.name', { displayName: `Citizen ${from + index}` })
          await ask(agent, 'account.describe', { profile: 'Lives in the city.' })
          await ask(agent, 'account.set-policy', { policy: { mode: 'open', blocks: { originTypes: [], worldIds: [] } } })
          disconnects.push(wired.connect(agent, { receive: (push) => receive(citizen, push) }))
          citizens.push(citizen)
        }),
      )
    await until(() => citizens.every(({ agent }) => wired.state(agent) === 'online'), 60_000)
    await sleep(300)
    const memoryKbPerAccount = Math.round((usage.rss - before) / 1_024 / accounts)
    const cpuBefore = usage.cpuMs + usage.current

    let number = 0
    async function begin(): Promise<void> {
      const free = citizens.filter(({ isBusy }) => !isBusy)
      const from = free[chance.below(free.length)]
      const to = free[chance.below(free.length)]
      if (!from || !to || from === to) return
      from.isBusy = true
      to.isBusy = true
      number += 1
      const request = `crq_city${seed}x${number}`
      const talk: Talk = { request, sides: [from, to], isOver: false, acknowledged: new Set(), received: [new Map(), new Map()] }
      talks.set(request, talk)
      const draft = {
        request,
        agentCode: to.code,
        displayName: '',
        world: null,
        purpose: `Talk ${sha256(request).replace(/\d/g, '')}`,
        hasBrief: true,
        trace: null,
      }
      const result = await ask(from.agent, 'requests.submit', draft)
      if (result.ok) return
      talks.delete(request)
      // Throttled or met before: another citizen has to begin.
      from.isBusy = result.refusal.code === 'request_throttled'
      to.isBusy = false
    }

    const end = performance.now() + seconds * 1_000
    let nextKill = performance.now() + (killEveryMs ?? Infinity)
    while (performance.now() < end) {
      const live = [...talks.values()].filter(({ isOver }) => !isOver).length
      await Promise.all(Array.from({ length: Math.min(most - live, 20) }, begin))
      if (performance.now() >= nextKill) {
        await kill()
        figures.kills += 1
        await start()
        nextKill = performance.now() + (killEveryMs ?? Infinity)
      }
      await sleep(20)
    }
    await until(() => [...talks.values()].every(({ isOver }) => isOver), longestEndMs)
    const cpuMs = usage.cpuMs + usage.current - cpuBefore

    let lost = 0
    let doubled = 0
    let unfinished = 0
    for (const talk of talks.values()) {
      const [one] = talk.sides
      const read = await ask(one.agent, 'conversations.turns', { request: talk.request })
      if (!read.ok) throw new Error(read.refusal.code)
      const { turns } = read.value
      figures.turns += turns.length
      if (!talk.isOver) unfinished += 1
      const texts = turns.map(({ text }) => text)
      doubled += texts.length - new Set(texts).size
      lost += [...talk.acknowledged].filter((text) => !texts.includes(text)).length
      // The last turn ends the conversation, so no delivery follows it.
      for (const { turn, side, text } of turns.slice(0, -1))
        if (talk.isOver && talk.received[side === 'sender' ? 1 : 0]?.get(turn) !== text) lost += 1
    }
    const sorted = latencies.toSorted((a, b) => a - b)
    const at = (share: number): number => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
    return {
      accounts,
      conversations: talks.size,
      ...figures,
      lost,
      doubled,
      unfinished,
      cpuMsPerTurn: Math.round((cpuMs / Math.max(1, figures.turns)) * 100) / 100,
      memoryKbPerAccount,
      hostMemoryMb: Math.round(usage.rss / 1_048_576),
      deliveryMs: { p50: at(0.5), p99: at(0.99), most: at(1) },
    }
  } finally {
    for (const disconnect of disconnects) disconnect()
    await kill()
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function until(holds: () => boolean, longestMs: number): Promise<void> {
  for (const end = performance.now() + longestMs; !holds() && performance.now() < end;) await sleep(50)
}
