import { defaultPolicy, type Policy } from '../authority/policy.ts'
import type { ChannelConfig } from '../app/config/channels-schema.ts'
import type { DialogCommand } from '../dialogs/rules/decide-dialog.ts'
import type { DialogState } from '../dialogs/rules/dialog-state.ts'
import { ParleyError } from '../errors.ts'
import type { CapabilitySheet } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import { type Hooks, noHooks, type PluginMessages } from '../ports/hooks.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import type { Messaging } from '../shapes/messaging.ts'
import type { Parley } from '../shapes/parley.ts'
import type { Committer } from '../streams/committer.ts'
import { type StreamHandler, streamHandler } from '../streams/stream-handler.ts'
import { channelNouns, findAgentProblem, pairingNouns } from './account-nouns.ts'
import { announceSide } from './announce/announce-side.ts'
import { bindingKind } from './bindings/binding-kind.ts'
import { bindingsOver } from './bindings/bindings.ts'
import { identities } from './bindings/identities.ts'
import { chatDuty, hintsWhile } from './chat-duty.ts'
import { accountRules } from './account-rules.ts'
import { accountCursor } from './account-cursor.ts'
import { connections, type PluginKinds } from './connections.ts'
import { inboundSide } from './inbound/inbound.ts'
import { type LocalFiles, noLocalFiles } from './local-files.ts'
import { messagesOver } from './messages.ts'
import { deliverySide } from './outbox/delivery-side.ts'
import { notifyDelivered } from './outbox/notify-delivered.ts'
import type { IsOwn } from './outbox/without-own.ts'
import { tellUnknown } from './tell-unknown.ts'
import { type PageControls, pageControls } from './page-controls.ts'
import { pluginMessages } from './plugin-messages.ts'
import { requestNames } from './request-names.ts'

export type OpenMessaging = Messaging & {
  readonly page: PageControls
  /** For plugins. */
  readonly ofPlugins: PluginMessages
  /** Removes those buttons of a message that `isOwn` names; for plugins. */
  stripControls(at: { channel: string; address: string; messageId: string; marker?: string }, isOwn?: IsOwn): Promise<void>
  /** Connects the accounts of the configuration. The first call starts the work. */
  replace(config: Readonly<Record<string, ChannelConfig>>): Promise<void>
  problems(): string[]
  /** Capabilities of the accounts that are connected now. */
  sheets(): CapabilitySheet[]
  close(graceMs: number): Promise<void>
}

export type MessagingParts = {
  store: Store
  committer: Committer
  dialogs: StreamHandler<DialogState, DialogCommand>
  parley: Pick<Parley, 'dialogs' | 'questions' | 'files'>
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
  hooks?: Hooks
  /** Files of this machine that may be sent; none unless set. */
  files?: LocalFiles
  /** Channel kinds that plugins add. */
  kinds?: () => PluginKinds
  /** Names of the team; empty where they are unknown. */
  agents?: () => readonly string[]
  /** False where other processes serve the chats: here requests and webhooks are stored. */
  works?: boolean
  /** Rules and people of parley.yaml as they are now. */
  policy?: () => Policy
  /** Where platforms reach the webhook of an account; null where the address of the server is not known. */
  webhookUrl?: (account: string) => string | null
  /** The page of a dialog; null without an address. */
  pageUrl?: (dialog: string) => string | null
}

/**
 * Chat apps on a running Parley, composed in the order in which the parts need each other: accounts, bindings, outbox,
 * announcements, receiving.
 */
export function openMessaging(parts: MessagingParts): OpenMessaging {
  const { store, committer, dialogs, parley, clock, ids, log, metrics, hooks = noHooks, files = noLocalFiles } = parts
  const {
    works = true,
    policy = () => defaultPolicy,
    pageUrl = () => null,
    webhookUrl = () => null,
    agents = () => [],
    kinds = () => ({}),
  } = parts
  const common = { store, committer, clock, log, metrics }

  const duty = chatDuty({
    ...common,
    begin() {
      deliverer.start()
      inbound.start()
      announce.start()
    },
    end: async (graceMs) => void (await Promise.all([inbound.stop(graceMs), announce.stop(graceMs), deliverer.stop(graceMs)])),
  })
  const { reading } = duty
  const openCursor = (account: string) => accountCursor(store, account)
  const accounts = connections({ clock, log, readFile: (url) => files.read(url), webhookUrl, openCursor, kinds, reading })
  const getKind = (channel: string): string => accounts.getKind(channel)

  const bindingStreams = streamHandler(bindingKind, store, committer)
  const bindings = bindingsOver({ store, bindings: bindingStreams, clock })
  const people = identities({ connections: accounts, bindings: bindingStreams, people: () => policy().people })

  const rules = accountRules({ connections: accounts, identities: people })
  const delivery = deliverySide({
    ...common,
    ids,
    channels: accounts,
    isSigned: (value) => hooks.ownsData(value),
    rules,
    preparing: {
      isOn: () => hooks.preparesMessages(),
      prepare: (outgoing) => hooks.prepareMessage({ ...outgoing, kind: getKind(outgoing.channel) }),
    },
    async onSettled(state) {
      await notifyDelivered({ hooks, getKind, log }, state)
      await tellUnknown({ outbox, languageAt: (place) => people.languageAt(place, 'en') }, state)
    },
  })
  const { outbox, deliverer } = delivery

  const announce = announceSide({
    ...common,
    dialogs,
    bindingStreams,
    bindings,
    identities: people,
    connections: accounts,
    delivery,
    hooks,
    rules,
    policy,
    hints: hintsWhile(store.hints, () => reading.isOn),
    pageUrl,
  })
  const { approvals: approvalCopies, pairings } = announce

  const inbound = inboundSide({
    ...common,
    bindings: bindingStreams,
    identities: people,
    connections: accounts,
    parley,
    dialogStreams: dialogs,
    outbox,
    signals: delivery.signals,
    approvalCopies,
    pairings,
    hooks,
  })

  let hasStarted = false
  /** Starts once the accounts are there: work that finds no account comes back only seconds later. */
  function start(): void {
    if (hasStarted) return
    hasStarted = true
    if (works) duty.start()
  }

  const nameRequest = requestNames(store, committer)
  return {
    ...messagesOver({ store, committer, delivery, connections: accounts, dialogs: parley.dialogs, files, clock }),
    ...pairingNouns({ connections: accounts, bindings, requests: pairings, dialogs: parley.dialogs, nameRequest }),
    channels: channelNouns({ connections: accounts, outbox, agents, nameRequest }),
    async webhook(account, request) {
      const { channel = null, webhook = 'none' } = accounts.connection(account) ?? {}
      return channel && webhook !== 'none' ? inbound.receive.request({ channel, webhook }, request) : 'unknown'
    },
    page: pageControls({ parley, store, hooks, now: () => clock.now(), newId: () => ids.next('tap') }),
    ofPlugins: pluginMessages({ connections: accounts, outbox, parley }),
    async stripControls({ channel, address, messageId, marker }, isOwn) {
      if (channel === 'web') return
      const result = await delivery.strip({ channel, address, messageId, marker, isOwn })
      if (result?.failure.retryable) throw new ParleyError('channel_refused', { channel, why: result.failure.why }, { retryable: true })
    },
    async replace(config) {
      await accounts.replace(config, async (account, inbounds, { forVerdict }) => {
        if (forVerdict) return inbound.receive.verdict(account, inbounds)
        await inbound.receive.inbounds(account, inbounds)
        return undefined
      })
      start()
    },
    problems: () => [
      ...accounts.problems(),
      ...accounts.list().flatMap((account) => {
        const problem = findAgentProblem(account, agents())
        return problem === null ? [] : [`channels.${account.name}.agent: ${problem}`]
      }),
    ],
    sheets: () => accounts.list().flatMap(({ channel }) => (channel ? [channel.capabilities] : [])),
    async close(graceMs) {
      await accounts.close()
      await duty.stop(graceMs)
      announce.close()
    },
  }
}
