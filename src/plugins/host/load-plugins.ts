import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { problemInWords } from '../../app/config/problem.ts'
import type { PluginConfig } from '../../app/config/plugins-schema.ts'
import type { MessagePresentationAction } from '../../chats/message/presentation.ts'
import type { ReplyPayload } from '../../chats/message/reply-payload.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { type Hooks, noHooks, type PluginMessages } from '../../ports/hooks.ts'
import type { Log } from '../../ports/log.ts'
import type { Store } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'
import { streamHandler } from '../../streams/stream-handler.ts'
import { documentKind } from './document-kind.ts'
import { findModule } from './find-module.ts'
import { type Guard, guardFor, toWords } from './guard.ts'
import { buildHooks } from './build-hooks.ts'
import type { ChannelKind } from '../../ports/channel-kind.ts'
import type { Plugin, PluginAgent, PluginHost, PluginParts, StrippedControls } from './plugin.ts'
import { pluginLimits } from './plugin-limits.ts'
import { pluginStorage } from './plugin-storage.ts'
import { readPlugin, setUp } from './set-up.ts'
import { catchStrays } from './strays.ts'
import { usableMessage } from './usable-message.ts'

export type PluginsConfig = { plugins: Readonly<Record<string, PluginConfig>> }

export type PluginsParts = {
  config: PluginsConfig
  /** Modules are relative to its folder, and problems name it. */
  configFile: string
  /** Older releases fetched packages into it. */
  dataDir: string
  store: Store
  committer: Committer
  clock: Clock
  log: Log
  /** The installation's; each plugin gets keys made from it, never itself. */
  secret: string
  chats: {
    stripControls(at: StrippedControls, isOwn: (action: MessagePresentationAction) => boolean): Promise<void>
    readonly ofPlugins: PluginMessages
  }
}

export type PluginView = {
  name: string
  version: string | null
  about: string
  /** `Parley`, or its module as parley.yaml says it. */
  from: string
  state: 'on' | 'off' | 'failed' | 'set-aside'
  offers: string[]
  problem: string | null
}

export type Plugins = {
  /** The same object for good; what is behind it changes with the configuration. */
  readonly hooks: Hooks
  readonly tools: readonly Tool[]
  readonly agents: readonly PluginAgent[]
  /** By kind of channel. */
  readonly channels: Readonly<Record<string, ChannelKind>>
  problems(): string[]
  list(): PluginView[]
  /** Leaves plugins alone whose entry is the same, unless they had failed. */
  replace(config: PluginsConfig): Promise<void>
  close(): Promise<void>
}

type Running = { name: string; entry: PluginConfig; from: string; changed: string; plugin: Plugin | null; guard: Guard } & (
  | { parts: PluginParts; stop(): Promise<void> }
  | { fault: string | null }
)

/** The plugins of parley.yaml. One that cannot be loaded is a problem in words; the rest goes on. */
export async function loadPlugins(given: PluginsParts): Promise<Plugins> {
  const { configFile, dataDir, store, committer, clock, log, secret, chats } = given
  const documents = streamHandler(documentKind, store, committer)
  let running: readonly Running[] = []
  /** `ownsData` of each plugin: its first sweep may strip buttons before the others are loaded. */
  const owners = new WeakMap<Guard, (value: string) => boolean>()
  let hooks = noHooks
  let release: (() => void) | null = null
  let last: Promise<void> = Promise.resolve()

  function hostFor(name: string, guard: Guard): PluginHost {
    const { get, put, keys } = pluginStorage(name, { store, documents, clock })
    const isOwn = (action: MessagePresentationAction): boolean =>
      action.type === 'plugin'
        ? action.plugin === name
        : action.type === 'callback' && guard.callNow('ownsData', () => owners.get(guard)?.(action.value) ?? false)?.value === true
    const own = (message: ReplyPayload): ReplyPayload => usableMessage(message, null, name) ?? message
    return {
      storage: {
        get: (key) => guard.lend(() => get(key)),
        put: (key, value, rev) => guard.lend(() => put(key, value, rev)),
        keys: () => guard.lend(() => keys()),
      },
      log: (level, message, fields) => log(level, `plugin ${name}: ${message}`, { plugin: name, ...fields }),
      clock,
      secret: (purpose) => createHmac('sha256', secret).update(`plugin\0${name}\0${purpose}`).digest('base64url'),
      stripControls: (at) => guard.lend(() => chats.stripControls({ ...at }, isOwn)),
      send: ({ message, ...to }) => guard.lend(() => chats.ofPlugins.send(name, { ...to, message: own(message) })),
      edit: (delivery, message) => guard.lend(() => chats.ofPlugins.edit(name, delivery, own(message))),
      say: (said) => guard.lend(() => chats.ofPlugins.say(name, said)),
    }
  }

  async function start(name: string, entry: PluginConfig): Promise<Running> {
    const guard = guardFor(name, { clock, log })
    const match = findModule(name, entry.module, { configFile, dataDir })
    const base = { name, entry, guard, from: entry.module ?? 'Parley', changed: 'changed' in match ? match.changed : '', plugin: null }
    if (!entry.enabled) return { ...base, fault: null }
    if ('fault' in match) return { ...base, fault: match.fault }
    if (!match.isBuiltIn) release ??= catchStrays()
    const loaded = await guard.call('module', pluginLimits.setUpMs, async () => readPlugin(await match.load()))
    if (!loaded) return { ...base, fault: guard.problem() ?? 'its module cannot be loaded' }
    const read = loaded.value
    if ('fault' in read) return { ...base, fault: read.fault }
    const { plugin } = read
    const outcome = await setUp(plugin, entry.config, hostFor(name, guard), guard)
    if ('fault' in outcome) return { ...base, plugin, fault: outcome.fault }
    if (outcome.parts.ownsData) owners.set(guard, outcome.parts.ownsData)
    return { ...base, plugin, parts: outcome.parts, stop: beginSweeping(outcome.parts, guard) }
  }

  function beginSweeping(parts: PluginParts, guard: Guard): () => Promise<void> {
    let takeBack = (): void => {}
    let isOver = false
    const everyMs = Math.max(parts.sweepEveryMs ?? pluginLimits.sweepEveryMs, pluginLimits.leastSweepEveryMs)
    const sweep = async (): Promise<void> => {
      await guard.call('sweep', pluginLimits.afterwardsMs, () => parts.sweep?.())
      if (!isOver && !guard.isAside()) takeBack = clock.after(everyMs, () => void sweep())
    }
    let first: Promise<void> = Promise.resolve()
    if (parts.sweep) first = sweep()
    return async () => {
      isOver = true
      takeBack()
      await first
      // Under a guard of its own: also one that was set aside is told that it ends.
      await guardFor(guard.plugin, { clock, log }).call('close', pluginLimits.closeMs, () => parts.close?.())
    }
  }

  const isSame = (old: Running, name: string, entry: PluginConfig): boolean => {
    const located = findModule(name, entry.module, { configFile, dataDir })
    const changed = 'changed' in located ? located.changed : ''
    const hasFailed = 'parts' in old ? old.guard.isAside() : old.fault !== null
    return !hasFailed && old.name === name && old.changed === changed && isDeepStrictEqual(old.entry, entry)
  }

  async function apply(config: PluginsConfig): Promise<void> {
    const entries = Object.entries(config.plugins)
    const remaining = running.filter((old) => entries.some(([name, entry]) => isSame(old, name, entry)))
    // The old one ends before the new one begins: both would write the same documents.
    await Promise.all(running.flatMap((old) => (!remaining.includes(old) && 'stop' in old ? [old.stop()] : [])))
    const next: Running[] = []
    for (const [name, entry] of entries) next.push(remaining.find((old) => old.name === name) ?? (await start(name, entry)))
    running = next
    hooks = buildHooks(next.flatMap((one) => ('parts' in one ? [{ parts: one.parts, guard: one.guard }] : [])))
    for (const problem of problems()) log('warn', problem)
  }

  const findProblem = (one: Running): string | null => ('parts' in one ? one.guard.problem() : one.fault)

  function problems(): string[] {
    const own = running.flatMap((one) => {
      const why = findProblem(one)
      return why === null
        ? []
        : [inWords(one.name, 'parts' in one ? why : `${/[.?!]$/.test(why) ? why : `${why}.`} "${one.name}" is skipped.`)]
    })
    return [...own, ...clashes().map(({ name, why }) => inWords(name, why))]
  }

  const inWords = (name: string, why: string): string =>
    problemInWords({ kind: 'unusable', file: configFile, path: `plugins.${name}`, why, line: null })

  /** Of two things with the same name, the one of the earlier plugin counts. */
  function offered<Thing>(of: (parts: PluginParts) => readonly (readonly [string, Thing])[]): {
    things: Map<string, Thing>
    clashes: { name: string; thing: string }[]
  } {
    const things = new Map<string, Thing>()
    const clashing: { name: string; thing: string }[] = []
    for (const one of running) {
      if (!('parts' in one)) continue
      for (const [thing, value] of of(one.parts)) {
        if (things.has(thing)) clashing.push({ name: one.name, thing })
        else things.set(thing, value)
      }
    }
    return { things, clashes: clashing }
  }
  const tools = () => offered(({ tools: own = [] }) => own.map((tool) => [tool.name, tool] as const))
  const agents = () => offered(({ agents: own = [] }) => own.map((agent) => [agent.name, agent] as const))
  const channels = () => offered(({ channels: own = [] }) => own.map((kind) => [kind.kind, kind] as const))
  const clashes = (): { name: string; why: string }[] =>
    [['tool', tools()] as const, ['agent', agents()] as const, ['channel', channels()] as const].flatMap(([what, { clashes: found }]) =>
      found.map(({ name, thing }) => ({ name, why: `another plugin already has a ${what} "${thing}"; the first one counts.` })),
    )

  const replace = (config: PluginsConfig): Promise<void> => {
    // One after the other: of two changes in a row the later one must win.
    const applied = last.then(() => apply(config))
    last = applied.catch((error: unknown) => log('error', 'the plugins could not be exchanged', { why: toWords(error) }))
    return applied
  }
  await replace(given.config)

  return {
    hooks: {
      prepareReply: (reply) => hooks.prepareReply(reply),
      replyDelivered: (reply) => hooks.replyDelivered(reply),
      messageReceived: (from) => hooks.messageReceived(from),
      saidInDialog: (said) => hooks.saidInDialog(said),
      transcribe: (voice) => hooks.transcribe(voice),
      tapped: (from) => hooks.tapped(from),
      actionTapped: (tap) => hooks.actionTapped(tap),
      prepareMessage: (outgoing) => hooks.prepareMessage(outgoing),
      preparesMessages: () => hooks.preparesMessages(),
      turnNotes: (turn) => hooks.turnNotes(turn),
      ownsData: (value) => hooks.ownsData(value),
    },
    get tools() {
      return [...tools().things.values()]
    },
    get agents() {
      return [...agents().things.values()]
    },
    get channels() {
      return Object.fromEntries(channels().things)
    },
    problems,
    list: () => running.map(toView),
    replace,
    async close() {
      await last
      hooks = noHooks
      await Promise.all(running.flatMap((one) => ('stop' in one ? [one.stop()] : [])))
      running = []
      release?.()
    },
  }

  function toView(one: Running): PluginView {
    const { name, from, plugin, guard, entry } = one
    const state = !entry.enabled ? 'off' : !('parts' in one) ? 'failed' : guard.isAside() ? 'set-aside' : 'on'
    const offers = 'parts' in one ? listOffers(one.parts) : []
    return { name, version: plugin?.version ?? null, about: plugin?.about ?? '', from, state, offers, problem: findProblem(one) }
  }
}

/** Names of the parts that a plugin provides. */
export function listOffers(parts: PluginParts): string[] {
  const { tools = [], agents = [], channels = [] } = parts
  return [
    ...Object.entries(parts).flatMap(([name, part]) => (typeof part === 'function' && name !== 'close' ? [name] : [])),
    ...tools.map(({ name }) => `tool ${name}`),
    ...agents.map(({ name }) => `agent ${name}`),
    ...channels.map(({ kind }) => `channel ${kind}`),
  ]
}
