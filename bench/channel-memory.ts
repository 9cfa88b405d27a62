import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  discordEmulator,
  feishuEmulator,
  lineEmulator,
  mattermostEmulator,
  slackEmulator,
  teamsEmulator,
  telegramEmulator,
} from '../src/testing/index.ts'
import { many, median, print } from './figure.ts'
import { scratch } from './scratch.ts'
import { rssBytes, serverProcess } from './server-process.ts'

/**
 * Memory of an idle server that knows all kinds of accounts: with none configured, and what one connected account of each kind
 * adds. `--before ../other` also starts the server of another checkout without an account, in turn with this one.
 */
const bench = 'channel-memory'
const at = process.argv.indexOf('--before')
const before = at === -1 ? null : resolve(process.argv[at + 1] ?? '')

const discord = await discordEmulator()
const feishu = await feishuEmulator()
const line = await lineEmulator()
const mattermost = await mattermostEmulator()
const slack = await slackEmulator()
const teams = await teamsEmulator()
const telegram = await telegramEmulator({ checks: false })

const accounts: Record<string, Record<string, string>> = {
  discord: { token: discord.token, apiRoot: discord.url },
  feishu: { appId: feishu.appId, appSecret: feishu.appSecret, apiRoot: feishu.url },
  line: { token: line.token, channelSecret: line.channelSecret, apiRoot: line.url },
  mattermost: { url: `${mattermost.url}/`, token: mattermost.token },
  slack: { token: slack.token, appToken: slack.appToken, apiRoot: slack.url },
  teams: {
    appId: teams.appId,
    appPassword: teams.appPassword,
    openIdUrl: teams.openIdUrl,
    loginRoot: teams.url,
    apiRoot: teams.serviceUrl,
  },
  telegram: { token: telegram.token, apiRoot: telegram.url },
}

const folder = scratch(bench)
let starts = 0

/** Memory in MB once the account has had time to connect and the start is forgotten. */
async function idleMemory(kind: string | null, tree?: string): Promise<number> {
  const own = join(folder, String((starts += 1)))
  mkdirSync(own)
  if (kind !== null) {
    const channels = { [kind]: { ...accounts[kind], allow: { people: ['*'] } } }
    writeFileSync(join(own, 'parley.yaml'), JSON.stringify({ channels }))
  }
  const { child, url, token, end } = await serverProcess(own, tree)
  for (let tries = 0; kind !== null; tries += 1) {
    const response = await fetch(`${url}/v1/channels`, { headers: { authorization: `Bearer ${token}` } })
    const text = await response.text()
    if (text.includes('"connected"')) break
    if (tries > 100) throw new Error(`${kind} did not connect: ${text}`)
    await pause(100)
  }
  await pause(3_000)
  const bytes = rssBytes(child.pid ?? 0)
  await end()
  return bytes / 1e6
}

const memory = new Map<string, number[]>()
const add = (name: string, value: number): void => void memory.set(name, [...(memory.get(name) ?? []), value])
for (let round = -1; round < many(5, 2); round += 1) {
  const took = new Map<string, number>([['none', await idleMemory(null)]])
  if (before !== null) took.set('before', await idleMemory(null, before))
  for (const kind of Object.keys(accounts)) took.set(kind, await idleMemory(kind))
  // The first start of each compiles the sources.
  if (round >= 0) for (const [name, value] of took) add(name, value)
}
const of = (name: string): number => median(memory.get(name) ?? [])
const none = of('none')
const compared = before === null ? {} : { floor: of('before'), aim: '≤ 1.05 × before', met: none <= 1.05 * of('before') }
print({ bench, figure: 'idle memory with no account', value: none, unit: 'MB', ...compared })
for (const kind of Object.keys(accounts))
  print({ bench, figure: `memory that one account adds, ${kind}`, value: Math.max(0, of(kind) - none), unit: 'MB' })
await Promise.all([discord, feishu, line, mattermost, slack, teams, telegram].map((emulator) => emulator.close()))
