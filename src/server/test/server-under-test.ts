import { checkingFetch } from './route-table.ts'
import { previewMessage } from '../../app/preview.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { type Access, access, type NewToken, getRights } from '../auth/access.ts'
import { type ClientOptions, parleyClient, type ParleyClient } from '../../client/client.ts'
import type { Scope } from '../../shapes/wire.ts'
import { defaultPolicy, type Policy } from '../../authority/policy.ts'
import type { AgentOutput, GenerationInput, Team, Tool } from '../../ports/agent-runtime.ts'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { randomIds } from '../../ports/ids.ts'
import { silentLog } from '../../ports/log.ts'
import type { Parley } from '../../shapes/parley.ts'
import type { Store } from '../../ports/store.ts'
import { type OpenParley, openParley } from '../../app/library.ts'
import { memoryStore } from '../../store/memory/memory-store.ts'
import { teamOf } from '../../testing/team-of.ts'
import { createServer, type ParleyServer, type ServerParts } from '../server.ts'

export const testSecret = { value: 'a secret for tests that is long enough', isOwn: false }

/** Its calls wait for an approval: a tool that declares no gate asks. */
const deploy: Tool = {
  name: 'deploy',
  description: 'Puts a version into service.',
  inputSchema: { type: 'object' },
  afterCrash: 'ask',
  gate: { kind: 'code' },
  check: (input) => ({ input }),
  run: async () => 'deployed',
}

/** Says what it was told, after "ask" asks, after "deploy …" calls a tool, and on "slowly" writes letter by letter. */
const agent = teamOf(generate, [deploy])

async function* generate(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  const words = last?.kind === 'human' ? last.text : last?.kind === 'question' ? `You said ${JSON.stringify(last.outcome?.answers)}` : ''
  if (words === 'ask') {
    const options = ['red', 'blue'].map((value) => ({ value, label: value.toUpperCase() }))
    yield { type: 'question', ask: { text: 'Which colour?', items: [{ id: 'colour', text: 'Colour', kind: 'choice', options }] } }
    return
  }
  if (words.startsWith('deploy ')) {
    yield { type: 'call', call: `call_${input.turn}`, name: 'deploy', input: { version: words.slice('deploy '.length) } }
    return
  }
  if (words.startsWith('slowly')) {
    for (const letter of `You said: ${words}`) {
      yield { type: 'delta', text: letter }
      await pause(3)
    }
    return
  }
  yield { type: 'text', text: `You said: ${words}` }
}

export type ServerUnderTest = {
  server: ParleyServer
  parley: OpenParley
  access: Access
  store: Store
  url: string
  /** A client with all scopes, or the given ones. */
  client(scopes?: Scope[], options?: Partial<ClientOptions>): Promise<ParleyClient>
  token(scopes?: Scope[], more?: NewToken): Promise<string>
  /** Stops the auth and opens new ones on the same port, over the same store. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function serverUnderTest(
  options: Partial<ServerParts> & {
    store?: Store
    team?: Team
    clock?: Clock
    wrap?: (parley: Parley) => Parley
    policy?: () => Policy
  } = {},
): Promise<ServerUnderTest> {
  const {
    store = memoryStore(),
    team = agent,
    clock = systemClock,
    wrap = (parley) => parley,
    policy = () => defaultPolicy,
    ...parts
  } = options
  const parley = openParley({ store, team, clock, policy })
  const auth = access({ store, secret: testSecret, clock, ids: randomIds, rights: () => getRights(policy()) })
  const info = { version: '0.0.0', build: 'test', agents: [{ name: 'guide', about: '', default: true }], demo: true, problems: [] }
  const open = (): ParleyServer =>
    createServer({
      preview: previewMessage,
      parley: wrap(parley),
      visibility: parley.visibility,
      access: auth,
      info,
      log: silentLog,
      clock,
      ...parts,
    })
  const clients: ParleyClient[] = []
  const under: ServerUnderTest = {
    server: open(),
    parley,
    access: auth,
    store,
    url: '',
    async token(scopes = ['admin'], more = {}) {
      return (await auth.createToken('test', scopes, { role: 'owner', ...more })).token
    },
    async client(scopes, more) {
      const client = parleyClient({
        baseUrl: under.url,
        token: more?.token ?? (await under.token(scopes)),
        tries: 1,
        fetch: checkingFetch(under),
        ...more,
      })
      clients.push(client)
      return client
    },
    async restart() {
      const { port } = under.server
      await under.server.close(200)
      under.server = open()
      await under.server.listen({ host: '127.0.0.1', port })
    },
    async close() {
      for (const client of clients) client.close()
      await under.server.close(200)
      await parley.close(200)
      auth.close()
      await store.close()
    },
  }
  under.url = await under.server.listen({ host: '127.0.0.1', port: 0 })
  return under
}

/** Looks again and again until it is so; fails the test when it never is. */
export async function until<Value>(
  look: () => Value | Promise<Value>,
  withinMs = 10_000,
): Promise<Exclude<Value, undefined | null | false | '' | 0>> {
  const end = Date.now() + withinMs
  for (;;) {
    const value = await look()
    if (value) return value as Exclude<Value, undefined | null | false | '' | 0>
    if (Date.now() > end) throw new Error(`it never came about: ${look.toString().slice(0, 200)}`)
    await pause(5)
  }
}
