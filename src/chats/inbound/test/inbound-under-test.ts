import { closingMessages } from '../../announce/closing-messages.ts'
import { accountConfig } from '../../test/account-config.ts'
import { initialDialog } from '../../../dialogs/rules/dialog-state.ts'
import { ParleyError } from '../../../errors.ts'
import type { Channel, Inbound } from '../../../ports/channel.ts'
import type { Clock } from '../../../ports/clock.ts'
import { type Hooks, noHooks } from '../../../ports/hooks.ts'
import type { Ids } from '../../../ports/ids.ts'
import { silentLog } from '../../../ports/log.ts'
import { type Metrics, noMetrics } from '../../../ports/metrics.ts'
import type { Store } from '../../../ports/store.ts'
import type { Caller } from '../../../shapes/parley.ts'
import type { QuestionView } from '../../../shapes/wire.ts'
import { type StreamHandler, streamHandler } from '../../../streams/stream-handler.ts'
import { approvalCopies } from '../../announce/approval-copies.ts'
import { announceViews, type AskedAt } from '../../announce/announce-views.ts'
import { pairingRequests } from '../../announce/pairing-requests.ts'
import { questionMessage } from '../../announce/question-message.ts'
import type { AllowList } from '../../bindings/allow-list.ts'
import { bindingKind } from '../../bindings/binding-kind.ts'
import type { BindingState } from '../../bindings/binding-state.ts'
import { type Bindings, bindingsOver } from '../../bindings/bindings.ts'
import { type ChatAddress, chatAddressKey } from '../../bindings/chat-address.ts'
import type { BindingCommand } from '../../bindings/decide-binding.ts'
import { identities } from '../../bindings/identities.ts'
import type { Connection } from '../../connections.ts'
import { openOutbox, type OutboxUnderTest } from '../../outbox/test/outbox-under-test.ts'
import { type InboundSide, inboundSide } from '../inbound.ts'
import type { InboundParts } from '../inbound-parts.ts'

/** A question that was asked in the world. `mayAnswer` holds platform ids of people. */
type AskedQuestion = { view: QuestionView; mayAnswer: 'everyone' | readonly string[] }

/** Dialogs and questions as a person sees them. A request with a key that was seen changes nothing. */
export type World = {
  said: { dialog: string; text: string; by: string }[]
  answers: { question: string; option: string; by: string }[]
  /** Retried and given-up failures. */
  failures: { dialog: string; verb: 'retry' | 'give-up'; by: string }[]
  refusals: { question: string; by: string }[]
  questions: Map<string, AskedQuestion>
  seenKeys: Set<string>
  /** Dialogs that have failed, with the number of the turn. */
  failed: Map<string, number>
  dialogs: Map<string, string>
  /** Stored files by the once-only key of their request. */
  files: Map<string, string>
  /** Messages with a presentation whose controls can be tapped. */
  shown: Set<string>
  /** Errors of the next requests. */
  faults: Error[]
}

export const newWorld = (): World => ({
  said: [],
  answers: [],
  failures: [],
  refusals: [],
  questions: new Map(),
  seenKeys: new Set(),
  failed: new Map(),
  dialogs: new Map(),
  files: new Map(),
  shown: new Set(),
  faults: [],
})

/** `q_1`, a question with yes and no, exists in every world. */
export function yesOrNo(question: string): QuestionView {
  const options = [
    { value: 'yes', label: 'Yes' },
    { value: 'no', label: 'No' },
  ]
  return {
    id: question,
    dialog: 'dlg_asker',
    dialogTitle: '',
    agent: 'ada',
    state: 'open',
    ask: { text: 'Ship it?', items: [{ id: 'ship', text: '', kind: 'choice', options }] },
    askedAt: 0,
    expiresAt: null,
    closed: null,
  }
}

function makeParley(world: World): InboundParts['parley'] {
  const onceOnly = ({ once }: Caller, act: () => void): void => {
    const fault = world.faults.shift()
    if (fault) throw fault
    const key = once?.key ?? ''
    if (world.seenKeys.has(key)) return
    world.seenKeys.add(key)
    act()
  }
  const find = (question: string): AskedQuestion => world.questions.get(question) ?? { view: yesOrNo(question), mayAnswer: 'everyone' }
  return {
    dialogs: {
      async open(_input, caller) {
        const key = caller.once?.key ?? ''
        if (!world.dialogs.has(key)) world.dialogs.set(key, `dlg_${world.dialogs.size + 1}`)
        return { id: world.dialogs.get(key) ?? '' } as never
      },
      async say(dialog, text, caller, files = []) {
        const words = [text, ...files.map((file) => `<${file}>`)].filter((part) => part !== '').join(' ')
        onceOnly(caller, () => world.said.push({ dialog, text: words, by: caller.by.name }))
        return { dialog, message: '', seq: 0 }
      },
      async tap(dialog, { message, value }, caller) {
        if (!world.shown.has(message)) throw new ParleyError('control_unknown')
        onceOnly(caller, () => world.said.push({ dialog, text: `tap ${message} ${value}`, by: caller.by.name }))
        return { dialog, message: '', seq: 0 }
      },
      async resume(dialog, caller) {
        onceOnly(caller, () => world.failures.push({ dialog, verb: 'retry', by: caller.by.name }))
        return {} as never
      },
      async giveUpFailure(dialog, caller) {
        onceOnly(caller, () => world.failures.push({ dialog, verb: 'give-up', by: caller.by.name }))
        return {} as never
      },
    },
    files: {
      async add({ name, bytes, text }, caller) {
        const key = caller.once?.key ?? ''
        if (!world.files.has(key)) world.files.set(key, `${name}: ${Buffer.from(bytes).toString()}${text === undefined ? '' : `, ${text}`}`)
        return { file: world.files.get(key) ?? '' } as never
      },
    },
    questions: {
      get: async (question) => find(question).view,
      async answer(question, { answers = {} }, caller) {
        const { view } = find(question)
        onceOnly(caller, () => world.answers.push({ question, option: answers['ship'] ?? '', by: caller.by.name }))
        return view
      },
      async refusalFor(question, caller) {
        const { mayAnswer } = find(question)
        return mayAnswer === 'everyone' || mayAnswer.some((id) => caller.by.id === `fake:fake:${id}`) ? null : { names: ['Mia'] }
      },
      async recordRefusal(question, caller) {
        world.refusals.push({ question, by: caller.by.name })
      },
    },
  }
}

/** Every question is addressed to the people who may answer it. */
const getDialogStreams = (world: World): InboundParts['dialogStreams'] => ({
  async load(dialog) {
    const questions = Object.fromEntries(
      [...world.questions].map(([id, { mayAnswer }]) => [
        id,
        {
          audience: mayAnswer === 'everyone' ? { kind: 'everyone' } : { kind: 'authors', ids: mayAnswer.map((one) => `fake:fake:${one}`) },
        },
      ]),
    )
    const failed = world.failed.get(dialog)
    return { ...initialDialog, questions, ...(failed === undefined ? {} : { rest: 'failed', failure: {}, turns: failed }) } as never
  },
})

export type SideUnderTest = InboundSide & {
  box: OutboxUnderTest
  bindings: Bindings
  streams: StreamHandler<BindingState, BindingCommand>
  /** Shows a question in a chat, as the announcer does. Its delivery is returned. */
  showQuestion(question: string, at: ChatAddress, mayAnswer?: AskedQuestion['mayAnswer']): Promise<string>
}

export type SideOptions = {
  channel: Channel
  clock: Clock
  world: World
  store?: Store
  ids?: Ids
  list?: AllowList
  notify?: string[]
  hooks?: Hooks
  metrics?: Metrics
  /** Starts the work; true unless set. */
  isStarted?: boolean
}

/** Receiving, bindings and the outbox over one channel, with dialogs and questions of a world. */
export function openSide(options: SideOptions): SideUnderTest {
  const {
    channel,
    clock,
    world,
    list: allow = { people: ['*'] },
    notify = [],
    hooks = noHooks,
    metrics = noMetrics,
    isStarted = true,
  } = options
  const box = openOutbox(options)
  const { store, committer } = box
  let codes = 123_455
  const config = accountConfig({ allow, notify })
  const account = { name: channel.name, kind: channel.name, config, channel } as unknown as Connection
  const connections = {
    get: (name: string) => (name === channel.name ? channel : undefined),
    connection: (name: string) => (name === channel.name ? account : undefined),
    list: () => [account],
    getKind: (name: string) => name,
  }
  const streams = streamHandler(bindingKind, store, committer)
  const bindings = bindingsOver({ store, bindings: streams, clock })
  const people = () => []
  const identity = identities({ connections, bindings: streams, people })
  const notifyAddresses = () => notify.map((address) => ({ channel: channel.name, address }))
  const dialogStreams = getDialogStreams(world)
  const closing = closingMessages({ outbox: box, canEdit: () => channel.capabilities.delivery.editing.ability !== 'none' })
  const common = { store, committer, outbox: box, signals: box.signals, closing, identities: identity, connections, clock }
  const policy = () => ({ people: [] }) as never
  const side = inboundSide({
    ...common,
    bindings: streams,
    parley: makeParley(world),
    dialogStreams,
    approvalCopies: approvalCopies({
      ...common,
      dialogs: dialogStreams,
      policy,
      notify: notifyAddresses,
      pageUrl: () => null,
      pieceChars: () => 100,
    }),
    pairings: pairingRequests({ ...common, streams, bindings, notify: notifyAddresses, people }),
    hooks,
    log: silentLog,
    metrics,
    newCode: () => String(++codes),
  })
  if (isStarted) side.start()
  return {
    ...side,
    box,
    bindings,
    streams,
    async showQuestion(question, at, mayAnswer = 'everyone') {
      const view = yesOrNo(question)
      world.questions.set(question, { view, mayAnswer })
      const message = questionMessage(view, 'en', { isElsewhere: false, isGroup: false, isSide: false })
      const { delivery } = await box.plan({ ...at, message, about: `question:${question}` })
      const body: AskedAt = { question, ...at, delivery }
      const key = `${question}/${at.channel}/${at.address}`
      await committer.commit({ rows: [{ view: announceViews.askedAt, key, group: chatAddressKey(at), sort: clock.now(), text: '', body }] })
      return delivery
    },
  }
}

const mia = { id: '7', name: 'Mia' }

export const messageFrom = (id: string, text: string, more: Partial<Inbound> = {}): Inbound => {
  const message = { id: `update:${id}`, type: 'message', address: 'a', isPrivate: true, from: mia, at: 1, messageId: id, text, media: [] }
  return { ...message, ...more } as Inbound
}

export const tapOn = (id: string, messageId: string, value: string, more: Partial<Inbound> = {}): Inbound => {
  const tap = {
    id: `tap:${id}`,
    type: 'tap',
    tap: { data: { id }, expiresAt: 1e15 },
    address: 'a',
    isPrivate: true,
    from: mia,
    at: 1,
    messageId,
    value,
  }
  return { ...tap, ...more } as Inbound
}
