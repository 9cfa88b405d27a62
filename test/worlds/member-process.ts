// The Parley of one owner: node member-process.ts DIR HOST WHO. It plays its part of the reading club and goes on after a kill.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { joinHost } from '../../src/app/joined-host.ts'
import { openParley } from '../../src/app/library.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { randomIds } from '../../src/ports/ids.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { streamHandler } from '../../src/streams/stream-handler.ts'
import { withChannelAgents } from '../../src/worlds/member/channel-agents.ts'
import { applyView } from '../../src/worlds/member/receive-push.ts'
import { seatKind } from '../../src/worlds/member/seat-kind.ts'
import { worldsMember } from '../../src/worlds/member/worlds-member.ts'
import { ledgerStream, reportStream, seatStream } from '../../src/worlds/rules/streams.ts'
import { teamFor } from '../../src/worlds/test/household.ts'
import { lia, readingClub } from '../../src/worlds/test/reading-club.ts'
import { wireLimits } from '../../src/worlds/wire/wire-limits.ts'
import { writeFileAtomic } from '../../src/app/config/write-file-atomic.ts'
import { killAt } from './kill-at.ts'

const [dir = '', url = '', who = 'ada'] = process.argv.slice(2)
const request = 'crq_1'
const store = killAt(sqliteStore({ path: join(dir, `${who}.db`) }))
const committer = groupCommitter(store)
const clock = systemClock
const base = { store, committer, clock, log: silentLog, metrics: noMetrics }
const limits = { ...wireLimits, ackMs: 2_000, firstRetryMs: 100, longestRetryMs: 500 }
const { host, records, origin } = joinHost({ ...base, url, dataDir: join(dir, who), limits })
const seats = streamHandler(seatKind, store, committer)
const plays = { [who]: readingClub[who] ?? (() => []) }
const team = withChannelAgents(teamFor(plays), { store, seats })
const parley = openParley({ ...base, team, timeZone: 'UTC' })
const settings = [{ name: who, member: `local:${who}`, language: 'en' as const }]
const member = worldsMember({ ...base, ids: randomIds, host, dialogs: parley.streams, team, timeZone: 'UTC', seats, settings })

/** Repeats a step until it succeeds: the host may be down, and the other owner may not be there yet. */
async function until<Value>(step: () => Promise<Value | null | false>): Promise<Value> {
  for (;;) {
    try {
      const value = await step()
      if (value) return value
    } catch (error) {
      if (process.env['PARLEY_LOUD']) console.error(who, error)
    }
    await sleep(25)
  }
}

await until(async () => {
  await member.start()
  return true
})
const [account] = member.accounts()
if (!account) throw new Error('no account')
const { agent, code } = account
const isOk = async (result: Promise<{ ok: boolean; refusal?: { code: string } }>, ...fine: string[]): Promise<boolean> => {
  const got = await result
  if (!got.ok && process.env['PARLEY_LOUD']) console.error(who, got)
  return got.ok || fine.includes(got.refusal?.code ?? '')
}
await until(() => isOk(host.call(agent, 'account.name', { displayName: who === 'ada' ? 'Ada' : 'Mira' })))
await until(() => isOk(host.call(agent, 'account.describe', { profile: `${who} reads.` })))
writeFileAtomic(join(dir, `${who}.code`), code, 0o600)

if (who === 'ada') {
  const peer = await until(async () => existsSync(join(dir, 'mira.code')) && readFileSync(join(dir, 'mira.code'), 'utf8'))
  const text = 'Find one book about cities.'
  const by = { id: 'web:lia', name: 'Lia', role: 'owner' as const }
  const at = clock.now()
  const consent = `cns_${request}`
  await until(async () => {
    await member.parts.ledgers.handle(ledgerStream(agent), [
      { type: 'record-consent', at, consent, kind: 'brief', text, about: request, by, surface: 'web' },
    ])
    const draft = { request, agentCode: peer, displayName: 'Mira', world: null, purpose: 'Books about cities', hasBrief: true, trace: null }
    const sent = await host.call(agent, 'requests.submit', draft)
    if (!sent.ok) throw new Error(sent.refusal.code)
    await applyView(member.parts, account, sent.value.request, null)
    await member.parts.seats.handle(seatStream(request, agent), (state) =>
      state.briefs.length > 0 ? [] : [{ type: 'write-brief', at, text, consent }],
    )
    writeFileAtomic(join(dir, 'sent'), 'yes', 0o600)
    return true
  })
} else {
  await until(async () => existsSync(join(dir, 'sent')))
  await until(() => isOk(host.call(agent, 'requests.accept', { request })))
}

const report = await until(async () => {
  for (const { id } of (await parley.questions.list({ state: 'open' })).items)
    await parley.questions.answer(id, { text: 'Only the country: Portugal.' }, lia)
  const state = await member.parts.reports.load(reportStream(request, agent))
  return state.outcome === null ? null : state
})
const view = await until(async () => {
  const got = await host.call(agent, 'requests.get', { request })
  return got.ok && got.value.end !== null ? got.value : null
})
const dialogs = (await parley.dialogs.list()).items
const told: number[] = []
for (const { id } of dialogs) {
  const events = await parley.events.read({ stream: id, after: 0, limit: 500 })
  told.push(events.filter(({ type }) => type === 'message.said').length)
}
const turns = await until(async () => {
  const all = await host.call(agent, 'conversations.turns', { request })
  return all.ok && all.value.turns
})
const kept = await records.turns(agent, request)
process.send?.({
  outcome: {
    turns: turns.map(({ side, text }) => `${side}: ${text}`),
    isSigned: turns.every(({ signature }) => signature !== null),
    end: view.end && { reason: view.end.reason, by: view.end.by },
    feedback: view.feedback,
    report: { text: report.filed?.text, source: report.filed?.source, turns: report.facts?.turns, how: report.outcome },
    told: told.toSorted((one, other) => one - other),
    questions: (await parley.questions.list()).items.map(({ state }) => state),
    kept: kept.length,
  },
  origin,
})
