import type { Team } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { randomIds } from '../../ports/ids.ts'
import type { Log } from '../../ports/log.ts'
import type { Metrics } from '../../ports/metrics.ts'
import type { Store } from '../../ports/store.ts'
import type { Worlds } from '../../shapes/worlds.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { type Seats, withChannelAgents } from '../../worlds/member/channel-agents.ts'
import { seatKind } from '../../worlds/member/seat-kind.ts'
import { worldsMember } from '../../worlds/member/worlds-member.ts'
import { noPeerKeys, worldsNouns } from '../../worlds/member/worlds-nouns.ts'
import { withWorldTools } from '../../worlds/member/world-tools.ts'
import { type RunningHost, worldsHost } from '../../worlds/host/worlds-host.ts'
import type { WorldsHost } from '../../ports/worlds.ts'
import { joinHost, peerKeys } from '../joined-host.ts'
import type { OpenParley } from '../library.ts'
import type { Part } from './part-stack.ts'
import type { Settings } from './settings.ts'

export type WorldsTeam = { team: Team; seats: Seats; use(worlds: Worlds, dialogs: OpenParley['streams']): void }

/** The team for dialogs: members that take part have the tools of worlds, and each is also the agent of conversations with peers. */
export function worldsTeam(
  team: Team,
  { store, committer, settings }: { store: Store; committer: Committer; settings: Settings },
): WorldsTeam {
  const seats = streamHandler(seatKind, store, committer)
  let running: { worlds: Worlds; dialogs: OpenParley['streams'] } | null = null
  const takesPart = (name: string): boolean => Object.hasOwn(settings.initial.config.worlds.agents, name)
  const equipped = withWorldTools(team, {
    worlds: () => running?.worlds ?? null,
    takesPart,
    async approver(dialog, call) {
      const closed = Object.values((await running?.dialogs.known(dialog))?.closed ?? {})
      const approval = closed.find(({ asked, end }) => asked.call === call && asked.approval && end.outcome === 'answered')
      return approval?.end.by ? { name: approval.end.by, via: approval.end.via } : null
    },
  })
  return { team: withChannelAgents(equipped, { store, seats }), seats, use: (worlds, dialogs) => void (running = { worlds, dialogs }) }
}

export type ServedWorldsParts = {
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  metrics: Metrics
  settings: Settings
  /** False for a process that only answers requests: another one talks. */
  works: boolean
  dataDir: string
  parley: OpenParley
  members: WorldsTeam
}

type Running = { worlds: Worlds; stop(graceMs: number): Promise<void> }

/** Host and member of worlds in this process; nothing runs while parley.yaml names no agent. */
export const worldsPart = (parts: ServedWorldsParts): Part<Running | null> => ({
  name: 'worlds',
  async start() {
    const { store, committer, clock, log, metrics, settings, works, dataDir, parley, members } = parts
    const { worlds, server, team } = settings.initial.config
    const agentSettings = Object.entries(worlds.agents)
    if (agentSettings.length === 0) return null
    const base = { store, committer, clock, log, metrics }
    // The agents of a household are connected wherever they work.
    const joined = worlds.host === undefined ? null : joinHost({ ...base, url: worlds.host, dataDir })
    const host = joined ? outsideHost(joined.host) : worldsHost({ ...base, ids: randomIds, isElsewhere: !works })
    const timeZone = server.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
    const member = worldsMember({
      ...base,
      ids: randomIds,
      host,
      dialogs: parley.streams,
      team: members.team,
      timeZone,
      seats: members.seats,
      settings: agentSettings.map(([name, { reporting, tokens, money }]) => ({
        name,
        member: `local:${name}`,
        language: team.members[name]?.language ?? 'en',
        reporting,
        limits: { ...(tokens === undefined ? {} : { tokens }), ...(money === undefined ? {} : { money }) },
      })),
    })
    if (works) host.start()
    await member.start(works)
    const nouns = worldsNouns(member.parts, member.accounts, joined ? peerKeys(joined, store) : noPeerKeys)
    members.use(nouns, parley.streams)
    return {
      worlds: nouns,
      async stop(graceMs) {
        await member.stop(graceMs)
        await host.stop(graceMs)
      },
    }
  },
  stop: async (running, graceMs) => running?.stop(graceMs),
})

/** A host that runs elsewhere: nothing of it is started or stopped here. */
const outsideHost = (host: WorldsHost): RunningHost => ({ ...host, start: () => {}, stop: async () => {} })
