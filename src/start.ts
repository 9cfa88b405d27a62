import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { access, localToken, rightsOf } from './access/access.ts'
import { loadSecret } from './access/secret.ts'
import { upgradeMark } from './access/upgrade-mark.ts'
import { liveTeam } from './agents/live-team.ts'
import { teamFrom } from './agents/team.ts'
import type { Policy } from './authority/policy.ts'
import { loadConfig, type Loaded } from './config/load.ts'
import { policyOf } from './config/load-policy.ts'
import { type Problem, problemInWords } from './config/problem.ts'
import type { Config } from './config/schema.ts'
import { watchConfig } from './config/watch.ts'
import { watchModules } from './config/watch-modules.ts'
import { prometheus } from './server/metrics.ts'
import { signInUrl } from './server/routes.ts'
import { createServer } from './server/server.ts'
import { pageBuild } from './server/static-page.ts'
import { ParleyError } from './errors.ts'
import { sqliteStore } from './store/sqlite/sqlite-store.ts'
import { type Clock, systemClock } from './ports/clock.ts'
import { randomIds } from './ports/ids.ts'
import { type Log, silentLog } from './ports/log.ts'
import { previewMessage } from './preview.ts'
import { kindsOf } from './messaging/plugin-kinds.ts'
import { localFiles } from './messaging/local-files.ts'
import { openMessaging, type OpenMessaging } from './messaging/open-messaging.ts'
import { loadPlugins } from './plugins/load-plugins.ts'
import { openParley, type OpenParley } from './runtime.ts'
import { onceNames } from './once-names.ts'
import { groupCommitter } from './streams/committer.ts'
import { pruner } from './streams/pruner.ts'

export type StartOptions = {
  /** The project: where parley.yaml is, and `.parley` unless told otherwise. */
  dir: string
  dataDir?: string
  configFile?: string
  host?: string
  port?: number
  /** Take the next free port when this one is in use. */
  nextFreePort?: boolean
  /** Say that this is the demo. */
  demo?: boolean
  /** Let scripted agents speak without pauses. */
  fast?: boolean
  /** Where `${NAME}` in parley.yaml and names given to agents are looked up. The environment of the process unless set. */
  env?: () => Readonly<Record<string, string | undefined>>
  /** One that can `hide` is told every secret this process knows. */
  log?: Log & { hide?: (secret: string) => void }
  /** For tests that open data of another time. */
  clock?: Clock
}

export type RunningParley = {
  url: string
  dataDir: string
  version: string
  /** Nothing but the scripted agents of the demo answers here. */
  isScripted: boolean
  /** Where another Parley already runs on the same data, if one does. */
  alreadyAt: string | null
  parley: OpenParley
  messaging: OpenMessaging
  /** True once, at the first start on data of 0.1: agents ask now before they do what they did without asking. */
  takeUpgradeNotice(): Promise<boolean>
  /** A sign-in link that works once. */
  link(path: string): Promise<string>
  problems(): string[]
  close(): Promise<void>
}

/** A whole Parley: the store on disk, the team of parley.yaml, the server. What `parley serve` and `parley demo` run. */
export async function startParley(options: StartOptions): Promise<RunningParley> {
  const { dir, log = silentLog, demo = false, fast = false, clock = systemClock, env = () => process.env } = options
  const configFile = options.configFile ?? join(dir, 'parley.yaml')
  const loaded = loadConfig(configFile, { optional: true, env: env() })
  const { config } = loaded
  let policy = await firstPolicy(loaded, configFile)
  let policyProblems: readonly Problem[] = []
  const dataDir = options.dataDir ?? join(dir, config.store.path ?? '.parley')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const secret = loadSecret({ given: config.server.secret ?? env()['PARLEY_SECRET'], dataDir })
  hideSecrets(log, [secret.value, localToken(secret)], config)
  const store = sqliteStore({ path: join(dataDir, 'parley.db'), log, clock })
  const upgrade = upgradeMark(store)
  await upgrade.begin()
  const metrics = prometheus()
  const doors = access({ store, secret, clock, ids: randomIds, rights: () => rightsOf(policy) })
  const { ada, researcher } = await import('../examples/demo-agent/index.ts')
  const committer = groupCommitter(store)
  // The demo shows on its page what there is; in chat apps, and with a team of one's own, parley.yaml says what is wanted.
  const pluginsOf = ({ plugins, team: { members } }: Config): Pick<Config, 'plugins'> => ({
    plugins:
      demo && Object.keys(members).length === 0
        ? { 'reply-end-controls': { enabled: true, config: { channels: ['web'] } }, ...plugins }
        : plugins,
  })
  const connected = Promise.withResolvers<void>()
  const plugins = await loadPlugins({
    config: pluginsOf(config),
    configFile,
    dataDir,
    store,
    committer,
    clock,
    log,
    secret: secret.value,
    // What a crash left to do is begun when a plugin is loaded; without waiting, each start would be a failed try.
    stripControls: async (at) => {
      await connected.promise
      await messaging.stripControls(at)
    },
  })
  const teamParts = {
    file: configFile,
    dataDir,
    env,
    demo: ada,
    demoTeammates: [researcher],
    fast,
    get tools() {
      return plugins.tools
    },
    get agents() {
      return plugins.agents
    },
    // The team is made before anybody can be connected, and asks each time.
    chats: { messaging: () => messaging, sheets: () => messaging.sheets() },
    policy: () => policy,
  }
  const team = liveTeam(await teamFrom(config, teamParts), teamParts)
  let fileProblems: readonly Problem[] = loaded.problems
  const problems = (): string[] => [
    ...[...fileProblems, ...policyProblems, ...team.problems].map(problemInWords),
    ...plugins.problems(),
    ...messaging.problems(),
  ]
  let current = config
  const remake = (what: string): void => {
    remakeAll().then(
      () => log(problems().length > 0 ? 'warn' : 'info', `${what} was read again`, { problems: problems() }),
      (error: unknown) => log('error', 'the team could not be made anew; the last one stays', { error }),
    )
  }
  /** Plugins first: they bring tools, agents and kinds of channels. */
  async function remakeAll(): Promise<void> {
    await plugins.replace(pluginsOf(current))
    await team.replace(current)
    await messaging.replace(current.channels)
  }
  let reading: Promise<void> = Promise.resolve()
  /** One after the other, so that the newest file counts. A policy with a mistake never replaces one without. */
  function readPolicyAgain(changed: Loaded): Promise<void> {
    reading = reading.then(async () => {
      const read = await policyOf(changed, configFile)
      if ('problems' in read) {
        const kept: Problem = {
          kind: 'unusable',
          file: configFile,
          path: 'policy',
          why: 'the policy before this change stays in force',
          line: null,
        }
        policyProblems = [...read.problems.filter((problem) => !changed.problems.includes(problem)), kept]
        return
      }
      policyProblems = []
      policy = read.policy
      parley.policyChanged()
      doors.recheck()
    })
    return reading
  }
  const stopWatchingFile = watchConfig(
    configFile,
    (changed) => {
      fileProblems = changed.problems
      hideSecrets(log, [], changed.config)
      current = changed.config
      void readPolicyAgain(changed).then(() => remake('the configuration'))
    },
    { initial: loaded, env },
  )
  const stopWatchingModules = watchModules(
    () => current,
    configFile,
    () => remake('a module'),
  )
  const stopWatching = (): void => {
    stopWatchingFile()
    stopWatchingModules()
  }
  const isScripted = (): boolean => team.default === ada.name && team.list().length === [ada, ...teamParts.demoTeammates].length
  const isAccount = (via: string): boolean => messaging.channels.list().some(({ name }) => name === via)
  const parley = openParley({
    store,
    committer,
    team,
    clock,
    log,
    metrics,
    concurrency: config.limits.concurrency,
    tree: { depth: config.limits.depth, sideDialogs: config.limits.sideDialogs },
    generationBounds: config.limits,
    policy: () => policy,
    // What was written in a chat app was told to plugins when it came in.
    hooks: { ...plugins.hooks, saidInDialog: async (said) => (isAccount(said.via) ? undefined : plugins.hooks.saidInDialog(said)) },
    isTold: () => Object.values(current.channels).some(({ enabled }) => enabled),
  })
  const messaging: OpenMessaging = openMessaging({
    store,
    committer,
    dialogs: parley.streams,
    parley,
    clock,
    ids: randomIds,
    log,
    metrics,
    hooks: () => plugins.hooks,
    kinds: () => kindsOf(plugins.channels),
    files: localFiles({ projectDir: dir, dataDir }),
    agents: () => team.list().map(({ name }) => name),
    policy: () => policy,
    pageUrl: (dialog) => `${current.server.origins[0] ?? `http://127.0.0.1:${server.port}`}/c/${encodeURIComponent(dialog)}`,
  })
  const pruning = pruner({
    store,
    committer,
    clock,
    log,
    metrics,
    tasks: [
      onceNames({ store, committer, dialogs: parley.streams, builds: parley.buildStreams }),
      { name: 'tokens', batch: async (before) => ((await doors.pruneTokens(before)) ? 'more' : null) },
      { name: 'sessions', batch: async () => doors.pruneSessions().then(() => null) },
    ],
  })
  const staticDir = pageFolder()
  const server = createServer({
    parley,
    visibility: parley.visibility,
    access: doors,
    log,
    metrics,
    staticDir,
    preview: previewMessage,
    messaging,
    controls: messaging.page,
    origins: config.server.origins,
    limits: {
      bodyBytes: config.limits.bodyBytes,
      requestsPerMinute: config.limits.requestsPerMinute,
      connections: { live: config.limits.liveConnections, livePerToken: config.limits.liveConnectionsPerToken },
    },
    info: () => ({
      version,
      build: pageBuild(staticDir) ?? 'none',
      agents: team.list().map((each) => ({ ...each, default: each.name === team.default })),
      demo: demo && isScripted(),
      problems: problems(),
    }),
  })
  const close = async (): Promise<void> => {
    connected.resolve()
    stopWatching()
    const graceMs = config.limits.shutdownSeconds * 1_000
    await server.close(graceMs)
    await messaging.close(graceMs)
    await pruning.stop(graceMs)
    await parley.close(graceMs)
    await plugins.close()
    await team.close()
    doors.close()
    await store.close()
  }
  try {
    const where = {
      host: options.host ?? config.server.host,
      port: options.port ?? config.server.port,
      nextFree: options.nextFreePort ?? false,
    }
    // Asked before this one listens: after a crash the note may name the very port it takes, and it would hear itself.
    const noteFile = join(dataDir, 'server.json')
    const alreadyAt = await liveServer(noteFile)
    const url = await server.listen(where)
    await messaging.replace(config.channels)
    connected.resolve()
    pruning.start()
    // The first one keeps the note: the terminal finds it there, and must still find it when this one has ended.
    if (alreadyAt === null) {
      const note = { url: `http://127.0.0.1:${server.port}`, pid: process.pid, token: localToken(secret), version }
      writePrivately(noteFile, JSON.stringify(note))
    }
    return {
      url,
      dataDir,
      version,
      isScripted: isScripted(),
      alreadyAt,
      parley,
      messaging,
      takeUpgradeNotice: upgrade.take,
      link: async (path) => signInUrl(url, doors.signInKey().key, path),
      problems,
      async close() {
        if (alreadyAt === null) rmSync(noteFile, { force: true })
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

const { version } = JSON.parse(
  readFileSync(
    new URL(existsSync(new URL('../package.json', import.meta.url)) ? '../package.json' : '../../package.json', import.meta.url),
    'utf8',
  ),
) as { version: string }

/** A policy with a mistake stops the start: without it, or with a part of it, agents could do more than was written. */
async function firstPolicy(loaded: Loaded, file: string): Promise<Policy> {
  const read = await policyOf(loaded, file)
  if (!('problems' in read)) return read.policy
  const [first] = read.problems
  throw new ParleyError('policy_invalid', {
    count: read.problems.length,
    first: first ? problemInWords(first) : file,
  })
}

/** The built page, seen from the sources and from the built package. */
function pageFolder(): string | undefined {
  return [new URL('../dist/web/', import.meta.url), new URL('../web/', import.meta.url)]
    .map((url) => fileURLToPath(url))
    .find((folder) => existsSync(join(folder, 'build.json')))
}

/** The address of a server that another process has noted here and that answers. */
async function liveServer(noteFile: string): Promise<string | null> {
  try {
    const { url, pid } = JSON.parse(readFileSync(noteFile, 'utf8')) as { url: string; pid: number }
    if (pid === process.pid) return null
    const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) })
    return ok ? url : null
  } catch {
    return null
  }
}

/** Whole or not at all, and for the owner's eyes only. */
function writePrivately(file: string, text: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, text, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

function hideSecrets(log: StartOptions['log'], own: readonly string[], config: Config): void {
  const keys = Object.values(config.models).flatMap(({ apiKey, headers }) => [apiKey ?? '', ...Object.values(headers ?? {})])
  const accounts = Object.values(config.channels).flatMap(({ token, webhook }) => [token ?? '', webhook?.secret ?? ''])
  for (const secret of [...own, ...keys, ...accounts]) if (secret !== '') log?.hide?.(secret)
}
