import type { Language } from '../../src/shapes/language.ts'
import assert from 'node:assert/strict'
import { makePolicy } from '../../src/authority/test/samples.ts'
import type { Policy } from '../../src/authority/policy.ts'
import { accountConfig } from '../../src/chats/test/account-config.ts'
import { loopbackKind, webhookPost } from '../../src/chats/test/loopback-kind.ts'
import type { ShownCall } from '../../src/dialogs/rules/approval.ts'
import { openMessaging, type OpenMessaging } from '../../src/chats/open-messaging.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import type { Sender } from '../../src/ports/channel.ts'
import { silentLog } from '../../src/ports/log.ts'
import { noMetrics } from '../../src/ports/metrics.ts'
import type { ToolGate } from '../../src/ports/tool-gate.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { runSubjects } from '../../src/authority/subjects/command-subjects.ts'
import { mcpSubject } from '../../src/authority/subjects/tool-subjects.ts'
import { memoryBacking } from '../../src/store/memory/memory-backing.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { groupCommitter } from '../../src/streams/committer.ts'
import { countedIds } from '../../src/testing/counted-ids.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { loopbackChannel } from '../../src/chats/outbox/test/loopback-channel.ts'

/** A platform called `chat`, with one account of the same name. Private chats have the id of their person. */
export const people = {
  mia: { role: 'owner', chat: 42 },
  ann: { role: 'operator', chat: 43 },
  bob: { role: 'member', chat: 44 },
}

export const mia: Sender = { id: '42', name: 'Mia M.', language: 'en' }
export const ann: Sender = { id: '43', name: 'Ann', language: 'en' }
export const bob: Sender = { id: '44', name: 'Bob', language: 'zh-Hans' }
export const eve: Sender = { id: '9', name: 'Eve', language: 'en' }
export const group = '-500'

const layout = { root: '/project', foldsCase: false, hidden: [], fixed: [] }

/** Instructions for the agent, one call for each line: `run git status`, `transfer 5`, `remember x`, `wipe x`. */
async function* obeys({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = context.at(-1)
  if (last?.kind !== 'human') {
    const results = context.flatMap((item) => (item.kind === 'call' && item.result ? [String(item.result.output)] : []))
    return yield { type: 'text', text: `Results: ${results.slice(-3).join(' | ')}` }
  }
  const lines = last.text.split('\n').flatMap((line) => {
    const [, name = '', text = ''] = /^(run|transfer|remember|wipe) (.+)$/s.exec(line) ?? []
    return name === '' ? [] : [{ name, text }]
  })
  if (lines.length === 0) {
    if (last.text === 'ask me')
      return yield {
        type: 'question',
        ask: {
          text: 'Tea?',
          items: [
            {
              id: 'tea',
              text: '',
              kind: 'choice',
              options: [
                { value: 'y', label: 'Yes' },
                { value: 'n', label: 'No' },
              ],
            },
          ],
        },
      }
    if (last.text === 'ask the owner')
      return yield { type: 'question', to: 'owner', ask: { text: 'May Eve stay?', items: [{ id: 'stay', text: '', kind: 'text' }] } }
    return yield { type: 'text', text: `Heard: ${last.text}` }
  }
  for (const [index, { name, text }] of lines.entries()) yield { type: 'call', call: `c${index}`, name, input: { text: repeated(text) } }
}

const repeated = (text: string): string => text.replace(/^(\d+) times (.)$/, (_, count: string, char: string) => char.repeat(Number(count)))

export type ChatsOptions = {
  /** Of one message of the chat app. */
  maxLength?: number
  people?: object
  policy?: object
  notify?: string[]
  language?: Language
  allow?: object
  /** Before each run of a tool. */
  onRun?: (text: string) => void | Promise<void>
}

export type Chats = Awaited<ReturnType<typeof openChats>>

/** Parley with an agent that obeys, and a chat app, in simulated time. */
export async function openChats(options: ChatsOptions = {}) {
  const clock = simulatedClock()
  const backing = memoryBacking()
  const fake = loopbackChannel({
    now: clock.now,
    maxLength: options.maxLength ?? 4_000,
    address: { isGroup: (address) => address.startsWith('-') },
  })
  const ran: string[] = []
  const ids = countedIds()
  let policy: Policy = makePolicy({ people: options.people ?? people, policy: options.policy ?? {} })
  let inbounds = 0

  const tool = (name: string, gate: ToolGate): Tool => ({
    name,
    description: name,
    inputSchema: { type: 'object' },
    afterCrash: 'ask',
    gate,
    check: (input) => ({ input }),
    async run(input) {
      const { text } = input as { text: string }
      await options.onRun?.(text)
      ran.push(`${name} ${text}`)
      return `${name} done`
    },
  })

  function tools(): Tool[] {
    const textIn = (input: unknown): string => (input as { text: string }).text
    const command = (input: unknown): ShownCall => ({
      kind: 'run',
      target: '',
      server: '',
      text: textIn(input),
      facts: [{ label: 'Folder', value: '/project' }],
    })
    const lookUp = (real: string) => ({ real, hardLinks: 1 })
    return [
      tool('run', {
        kind: 'run',
        subjects: (input) => runSubjects({ command: textIn(input), hasBash: true }, layout, lookUp),
        show: command,
      }),
      tool('transfer', {
        kind: 'mcp',
        server: 'bank',
        subjects: (input) => ({ subjects: [mcpSubject('bank', { remoteName: 'transfer' }, input, false)], unsure: [] }),
      }),
      tool('remember', { kind: 'memory' }),
      tool('wipe', { kind: 'code', isIrreversible: true }),
    ]
  }

  async function start(): Promise<{ parley: OpenParley; messaging: OpenMessaging }> {
    const store = memoryStore({ clock, backing })
    const committer = groupCommitter(store)
    const team = teamOf(obeys, tools())
    const parley = openParley({ store, committer, team, clock, ids, policy: () => policy, isTold: () => true })
    const parts = { store, committer, dialogs: parley.streams, parley, clock, ids, log: silentLog, metrics: noMetrics }
    const kinds = { chat: loopbackKind(fake.channel, 'chat') }
    const messaging = openMessaging({
      ...parts,
      kinds: () => kinds,
      policy: () => policy,
      pageUrl: (dialog) => `https://parley.example/c/${dialog}`,
    })
    const { notify = [], language, allow = { people: ['*'] } } = options
    await messaging.replace({ chat: accountConfig({ allow, notify, ...(language && { language }) }) })
    return { parley, messaging }
  }

  let running = await start()

  async function take(inbound: object): Promise<void> {
    assert.ok((await running.messaging.webhook('chat', webhookPost(inbound))) instanceof Response)
    await clock.advance(2_000)
  }
  const common = (from: Sender, address: string) => {
    inbounds += 1
    return { id: `in:${inbounds}`, address, isPrivate: !address.startsWith('-'), from, at: clock.now(), messageId: `said-${inbounds}` }
  }

  /** Messages that stand at an address now, oldest first. */
  const at = (address: string) => [...fake.screen].flatMap(([id, shown]) => (shown.address === address ? [{ id, ...shown }] : []))
  const last = (address: string) => at(address).at(-1) ?? assert.fail(`nothing stands at ${address}`)

  return {
    clock,
    ran,
    backing,
    at,
    last,
    texts: (address: string): string[] => at(address).map(({ text }) => text),
    get parley() {
      return running.parley
    },
    get messaging() {
      return running.messaging
    },
    setPolicy(given: { people?: object; policy?: object }) {
      policy = makePolicy({ people: given.people ?? people, policy: given.policy ?? {} })
    },
    say: (from: Sender, text: string, address = from.id, replyTo?: string) =>
      take({ ...common(from, address), type: 'message', text, media: [], ...(replyTo !== undefined && { replyTo }) }),
    /** Taps a button of a message by its label; the toast the person sees. */
    async tap(from: Sender, message: { id: string; address: string }, label: string): Promise<string | null> {
      const screenMessage = fake.screen.get(message.id) ?? assert.fail('the message is gone')
      const value =
        screenMessage.controls[screenMessage.labels.indexOf(label)] ??
        assert.fail(`no button "${label}" among ${screenMessage.labels.join(', ')}`)
      await take({ ...common(from, message.address), type: 'tap', tap: `tap-${inbounds + 1}`, messageId: message.id, value })
      return fake.toasts.at(-1)?.toast ?? null
    },
    /** A tap with a value that was seen earlier, on a button that may be gone. */
    async tapValue(from: Sender, message: { id: string; address: string }, value: string): Promise<string | null> {
      await take({ ...common(from, message.address), type: 'tap', tap: `tap-${inbounds + 1}`, messageId: message.id, value })
      return fake.toasts.at(-1)?.toast ?? null
    },
    async events(type: string): Promise<{ stream: string; data: Record<string, unknown> }[]> {
      const match = await running.parley.events.read({ after: 0, limit: 1_000 })
      return match.filter((event) => event.type === type).map(({ stream, data }) => ({ stream, data: data as Record<string, unknown> }))
    },
    /** Another process over the same data. */
    async restart(): Promise<void> {
      await running.messaging.close(0)
      await running.parley.close(0)
      running = await start()
      await clock.advance(2_000)
    },
    async close(): Promise<void> {
      await running.messaging.close(0)
      await running.parley.close(0)
    },
  }
}
