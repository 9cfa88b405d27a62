import { defaultPolicy, type Policy } from '../authority/policy.ts'
import type { ChannelConfig } from '../config/channels-schema.ts'
import type { DialogCommand } from '../dialog/decide.ts'
import { type DialogState, focusOf } from '../dialog/state.ts'
import { deliverySide } from '../delivery/delivery-side.ts'
import type { DeliveryState } from '../delivery/delivery-state.ts'
import { ParleyError } from '../errors.ts'
import { type BindingView, inboundViews, type PlaceView } from '../inbound/binding-kind.ts'
import { inboundSide } from '../inbound/inbound.ts'
import type { CapabilitySheet } from '../ports/channel.ts'
import type { Clock } from '../ports/clock.ts'
import { type Hooks, noHooks } from '../ports/hooks.ts'
import type { Ids } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Messaging } from '../ports/messaging.ts'
import type { Metrics } from '../ports/metrics.ts'
import type { Parley } from '../ports/parley.ts'
import type { Store } from '../ports/store.ts'
import type { Committer } from '../streams/committer.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { announcer, announceLimits } from './announcer.ts'
import { approvalAnswers } from './approval-answers.ts'
import { approvalCopies } from './approval-copies.ts'
import { accountNamed, type Connect, type Connection, type Connections, connections } from './connections.ts'
import { escalation } from './escalation.ts'
import { identities } from './identities.ts'
import { inboundAnswers } from './inbound-answers.ts'
import { type LocalFiles, noLocalFiles } from './local-files.ts'
import { messagesOver } from './messages.ts'
import { messagingWords } from './messaging-words.ts'
import { pairingRequests } from './pairing-requests.ts'
import { type PageControls, pageControls } from './page-controls.ts'
import type { Place } from './reply-names.ts'
import { replyPreviews } from './reply-previews.ts'
import { pieceCharsOf } from './shown-pieces.ts'
import { requestNames } from './request-names.ts'
import { typingSigns } from './typing-signs.ts'

export type OpenMessaging = Messaging & {
  readonly page: PageControls
  /** Takes the buttons off a message that is there; for plugins. */
  stripControls(at: { channel: string; address: string; messageId: string; marker?: string }): Promise<void>
  /** Connects what the configuration names now. Nothing is done before it was called once. */
  replace(config: Readonly<Record<string, ChannelConfig>>): Promise<void>
  problems(): string[]
  /** What the accounts that are connected now can do. */
  sheets(): CapabilitySheet[]
  close(graceMs: number): Promise<void>
}

/** Chat apps on a running Parley: accounts, what comes in by them, what goes out. */
export function openMessaging(parts: {
  store: Store
  committer: Committer
  dialogs: StreamHandler<DialogState, DialogCommand>
  parley: Pick<Parley, 'dialogs' | 'questions'>
  clock: Clock
  ids: Ids
  log: Log
  metrics: Metrics
  hooks?: () => Hooks
  /** Files of this machine that may be sent; none unless said. */
  files?: LocalFiles
  /** Kinds of channels that plugins bring. */
  kinds?: () => Readonly<Record<string, Connect>>
  /** The names of the team, where somebody knows them: an account must not be answered by nobody. */
  agents?: () => readonly string[]
  /** Rules and people of parley.yaml as they are now. */
  policy?: () => Policy
  /** Where the page shows a dialog; null where nobody could open it. */
  pageUrl?: (dialog: string) => string | null
}): OpenMessaging {
  const { store, committer, dialogs, parley, clock, ids, log, metrics, hooks = () => noHooks, files = noLocalFiles } = parts
  const { policy = () => defaultPolicy, pageUrl = () => null } = parts
  const accounts: Connections = connections({
    clock,
    log,
    readFile: (url) => files.read(url),
    ...(parts.kinds && { kinds: parts.kinds }),
    take: (channel, bodies) => inbound.receive.bodies(channel, bodies),
  })
  const agentProblem = ({ config: { agent } }: Connection): string | null => {
    const names = parts.agents?.() ?? []
    if (agent === undefined || names.length === 0 || names.includes(agent)) return null
    return `there is no agent called ${agent}; there are ${names.join(', ')}`
  }
  const kindOfName = (name: string): string => accounts.connection(name)?.kind ?? name

  const delivery = deliverySide({
    store,
    committer,
    channels: accounts,
    clock,
    ids,
    log,
    metrics,
    isSigned: (value) => hooks().ownsData(value),
    onSettled: (state) => tellArrived(state).catch((error: unknown) => log('warn', 'nobody could be told that a reply arrived', { error })),
  })
  const { outbox } = delivery

  async function tellArrived({ reply, isDraft, status, shown, channel, address, delivery: id }: DeliveryState): Promise<void> {
    if (!reply || isDraft || status !== 'sent') return
    await hooks().replyDelivered({
      ...reply,
      channel,
      kind: kindOfName(channel),
      address,
      delivery: id,
      messageIds: shown.map(({ messageId }) => messageId),
    })
  }

  const notify = (): Place[] => accounts.list().flatMap(({ name, config }) => config.notify.map((address) => ({ channel: name, address })))

  const requests = pairingRequests({ outbox, notify, languageOf: (channel) => accounts.connection(channel)?.config.language ?? 'en' })

  /** The owner's chats show what was decided, wherever it was. */
  async function decided(command: Promise<BindingView>, by: string): Promise<BindingView> {
    const view = await command
    await requests.close(view.stream, await inbound.streams.load(view.stream), by)
    return view
  }

  // Both are asked only when a message comes in or goes out, and by then there are bindings.
  const people = identities({
    connections: accounts,
    bindings: { known: (stream) => inbound.streams.known(stream) },
    people: () => policy().people,
  })
  const approvals = approvalCopies({
    store,
    committer,
    dialogs,
    outbox,
    identities: people,
    policy,
    notify,
    pageUrl,
    pieceChars: (channel) => pieceCharsOf(accounts.get(channel)?.capabilities),
    clock,
  })
  const escalating = escalation({ store, committer, approvals, clock, log, metrics })

  const inbound = inboundSide({
    store,
    committer,
    channels: accounts,
    clock,
    log,
    metrics,
    ports: inboundAnswers({
      store,
      parley,
      outbox,
      connections: accounts,
      hooks,
      kindOf: kindOfName,
      dialogs,
      identities: people,
      approvals: approvalAnswers({ store, parley, outbox, copies: approvals }),
      people: () => policy().people,
      requests,
      async decidePairing(code, isAccepted, by) {
        await decided(isAccepted ? inbound.bindings.accept(code, by) : inbound.bindings.decline(code, by), by)
      },
    }),
  })

  async function placesOf(dialog: string): Promise<PlaceView[]> {
    const found = await store.rows({ view: inboundViews.places, group: dialog, limit: announceLimits.places })
    return found.map(({ body }) => body as PlaceView)
  }

  const previews = replyPreviews({
    hints: store.hints,
    clock,
    delivery,
    async placesOf(dialog) {
      // What it writes now is for a teammate who asked back.
      if (focusOf(await dialogs.known(dialog))?.mode === 'back') return []
      return (await placesOf(dialog)).filter(({ channel, address }) => {
        const account = accounts.connection(channel)
        const isGroup = account?.channel?.capabilities.delivery.placeOf?.(address).isGroup ?? false
        return account?.config.streaming === true && !isGroup
      })
    },
  })
  const signs = typingSigns({ hints: store.hints, clock, channels: accounts, placesOf })

  const announcing = announcer({
    store,
    committer,
    dialogs,
    bindings: inbound.streams,
    outbox,
    hooks,
    kindOf: kindOfName,
    notify,
    policy,
    identities: people,
    approvals,
    previews,
    clock,
    log,
    metrics,
  })

  let hasStarted = false
  /** Work waits until its account is there: asked for earlier, it would come back only seconds later. */
  function start(): void {
    if (hasStarted) return
    hasStarted = true
    delivery.deliverer.start()
    inbound.start()
    announcing.start()
    escalating.start()
  }

  const where = ({ channel, target }: { channel?: string | undefined; target: string }): Place => ({
    channel: accountNamed(accounts, channel).name,
    address: target,
  })
  const { bindings } = inbound
  const nameRequest = requestNames(store, committer)

  return {
    ...messagesOver({ store, committer, delivery, connections: accounts, dialogs: parley.dialogs, files, clock }),
    channels: {
      list: () =>
        accounts.list().map((one) => {
          const { name, kind, state, account, config, problem } = one
          const receives = config.webhook ? 'webhook' : 'polling'
          return { name, kind, state, account, receives, problem: problem ?? agentProblem(one) }
        }),
      async test(channel, caller, target) {
        const account = accountNamed(accounts, channel)
        const checked = await account.check()
        if ('problem' in checked) throw new ParleyError('channel_off', { channel: account.name, why: checked.problem.replace(/\.$/, '') })
        if (target === undefined) return { account: checked.account, delivery: null }
        const { delivery: id } = await outbox.plan({
          channel: account.name,
          address: target,
          message: { text: messagingWords[account.config.language ?? 'en'].test },
          about: 'test',
          ...(await nameRequest('test', caller)),
        })
        return { account: checked.account, delivery: await outbox.get(id) }
      },
    },
    pairings: {
      list: async (state) => (await bindings.list(state)).map(({ stream: _stream, ...view }) => view),
      accept: (code, { by }, dialog) => decided(bindings.accept(code, by.name, dialog), by.name),
      decline: (code, { by }) => decided(bindings.decline(code, by.name), by.name),
      block: (at, { by }) => decided(bindings.block(where(at), by.name), by.name),
      unblock: (at, caller) => bindings.unblock(where(at), caller.by.name),
      async bind(at, dialog, caller) {
        await parley.dialogs.get(dialog)
        return bindings.bind(where(at), dialog, caller.by.name)
      },
      unbind: (at, caller) => bindings.unbind(where(at), caller.by.name),
    },
    unclaimed: () => bindings.unclaimed(),
    dismissUnclaimed: (which, { by, once }) => bindings.dismissUnclaimed(which, by.name, once && `${by.name}:${once.key}`),
    async webhook(account, raw) {
      const found = accounts.connection(account)
      if (!found?.channel || !found.config.webhook) return 'unknown'
      return inbound.receive.raw(found.channel, raw)
    },
    page: pageControls({ parley, store, hooks, now: () => clock.now(), newId: () => ids.next('tap') }),
    async stripControls({ channel, address, messageId, marker }) {
      if (channel === 'web') return
      const result = await delivery.perform({ channel, address }, (operations) => operations.stripControls({ address, messageId }, marker))
      if ('failure' in result && result.failure.retryable)
        throw new ParleyError('channel_refused', { channel, why: result.failure.why }, { retryable: true })
    },
    async replace(config) {
      await accounts.replace(config)
      start()
    },
    problems: () => [
      ...accounts.problems(),
      ...accounts.list().flatMap((one) => {
        const problem = agentProblem(one)
        return problem === null ? [] : [`channels.${one.name}.agent: ${problem}`]
      }),
    ],
    sheets: () => accounts.list().flatMap(({ channel }) => (channel ? [channel.capabilities] : [])),
    async close(graceMs) {
      await accounts.close()
      previews.close()
      signs.close()
      await Promise.all([inbound.stop(graceMs), announcing.stop(graceMs), escalating.stop(graceMs), delivery.deliverer.stop(graceMs)])
    },
  }
}
