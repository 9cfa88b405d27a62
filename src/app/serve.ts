import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { OpenMessaging } from '../chats/open-messaging.ts'
import { systemClock } from '../ports/clock.ts'
import { silentLog } from '../ports/log.ts'
import { localToken } from '../server/auth/access.ts'
import { loadSecret } from '../server/auth/secret.ts'
import { prometheus } from '../server/metrics.ts'
import type { Worlds } from '../shapes/worlds.ts'
import { signInUrl } from '../server/routes/token-routes.ts'
import { installedPackage } from './config/installed-package.ts'
import { problemInWords } from './config/problem.ts'
import type { OpenParley } from './library.ts'
import { accessPart } from './parts/access.ts'
import { accountsPart } from './parts/accounts.ts'
import { chatLink } from './parts/chat-link.ts'
import { chatsPart } from './parts/chats.ts'
import { dialogsPart } from './parts/dialogs.ts'
import { livePolicy } from './parts/live-policy.ts'
import { pageAddress } from './parts/page-address.ts'
import { noticesPart, subscriptionsPart } from './parts/notices.ts'
import { type PartStack, partStack } from './parts/part-stack.ts'
import { choosePlugins, pluginsPart } from './parts/plugins.ts'
import { pruningPart } from './parts/pruning.ts'
import { reloadPart } from './parts/reload.ts'
import { findRunningServer, serverNotePart } from './parts/server-note.ts'
import { serverPart } from './parts/server.ts'
import { readSettings, type Settings } from './parts/settings.ts'
import { storePart } from './parts/store.ts'
import { teamPart } from './parts/team.ts'
import { worldsPart, worldsTeam } from './parts/worlds.ts'
import type { StartOptions } from './start-options.ts'

export type { StartOptions } from './start-options.ts'

export type RunningParley = {
  url: string
  dataDir: string
  version: string
  /** Only the scripted agents of the demo answer here. */
  isScripted: boolean
  /** The address of another Parley on the same data, if one runs. */
  alreadyAt: string | null
  parley: OpenParley
  messaging: OpenMessaging
  /** Set where an agent takes part. */
  worlds: Worlds | undefined
  /** True once, at the first start on data of 0.1: agents ask now before they do what they did without asking. */
  takeUpgradeNotice(): Promise<boolean>
  /** A sign-in link that works once. */
  link(path: string): Promise<string>
  problems(): string[]
  close(): Promise<void>
}

/** A whole Parley: the store on disk, the team of parley.yaml, the server. `parley serve` and `parley demo` run this. */
export async function startParley(options: StartOptions): Promise<RunningParley> {
  const settings = readSettings(options)
  const graceMs = settings.initial.config.limits.shutdownSeconds * 1_000
  const parts = partStack()
  try {
    return { ...(await startParts(parts, options, settings)), close: () => parts.stop(graceMs) }
  } catch (error) {
    await parts.stop(graceMs)
    throw error
  }
}

/** The order of the parts: each uses only those above it. They stop in reverse. */
async function startParts(parts: PartStack, options: StartOptions, settings: Settings): Promise<Omit<RunningParley, 'close'>> {
  const { dir, demo = false, fast = false, log = silentLog, clock = systemClock } = options
  const { version } = installedPackage
  const [isWeb, works] = [options.only !== 'worker', options.only !== 'web']
  const { config } = settings.initial
  const policy = await livePolicy(settings)
  const dataDir = options.dataDir ?? join(dir, config.store.path ?? '.parley')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const secret = loadSecret({ given: config.server.secret ?? settings.env()['PARLEY_SECRET'], dataDir })
  for (const own of [secret.value, localToken(secret)]) options.log?.hide?.(own)
  const metrics = prometheus()
  const base = { clock, log, metrics, settings, policy, dataDir, chats: chatLink(), page: pageAddress(settings) }
  const problems = (): string[] => [
    ...[...settings.problems(), ...policy.problems(), ...served.team.problems].map(problemInWords),
    ...plugins.problems(),
    ...messaging.problems(),
  ]

  const { store, files, committer, takeUpgradeNotice } = await parts.start(
    storePart({ ...base, url: config.store.url, moved: options.moved === true }),
  )
  const stored = { ...base, store, committer }
  const access = await parts.start(accessPart({ ...stored, secret }))
  const subscriptions = await parts.start(subscriptionsPart(stored))
  const isNotified = (): boolean => subscriptions.isAny() || settings.current().mail !== undefined
  const chosen = { config: choosePlugins(config, demo), configFile: settings.file, secret: secret.value }
  const plugins = await parts.start(pluginsPart({ ...stored, ...chosen }))
  const served = await parts.start(teamPart({ ...base, plugins, fast }))
  const { team } = served
  const members = worldsTeam(team, stored)
  const parley = await parts.start(dialogsPart({ ...stored, files, works, isNotified, team: members.team, hooks: plugins.hooks }))
  const messaging = await parts.start(chatsPart({ ...stored, works, parley, plugins, team, projectDir: dir }))
  const running = await parts.start(worldsPart({ ...stored, works, parley, members }))
  const worlds = running?.worlds
  const { notifications } = await parts.start(noticesPart({ ...stored, works, parley, access, subscriptions }))
  await parts.start(reloadPart({ ...base, plugins, team, messaging, isDemo: demo, problems }))
  // Asked before this server listens: after a crash the note may name the port it takes, and it would find itself.
  const alreadyAt = isWeb ? await findRunningServer(dataDir) : null
  const { server, url } = await parts.start(
    serverPart({ ...base, options, parley, messaging, notifications, worlds, access, served, problems }),
  )
  await parts.start(accountsPart({ ...base, messaging }))
  const { retire } = config.store
  const retiredFolder = resolve(dir, retire?.folder ?? join(dataDir, 'retired'))
  if (works) await parts.start(pruningPart({ ...stored, parley, access, retire: retire ? { ...retire, folder: retiredFolder } : null }))
  const note = { url: `http://127.0.0.1:${server.port}`, pid: process.pid, token: localToken(secret), version, config: settings.file }
  if (isWeb) await parts.start(serverNotePart(dataDir, alreadyAt, note))

  return {
    url,
    dataDir,
    version,
    isScripted: served.isScripted(),
    alreadyAt,
    parley,
    messaging,
    worlds,
    takeUpgradeNotice,
    link: async (path) => signInUrl(url, access.signInKey().key, path),
    problems,
  }
}
