import { join } from 'node:path'
import { previewMessage } from '../src/app/preview.ts'
import { access, localToken } from '../src/server/auth/access.ts'
import { systemClock } from '../src/ports/clock.ts'
import { randomIds } from '../src/ports/ids.ts'
import type { AgentOutput, Team } from '../src/ports/agent-runtime.ts'
import { openParley } from '../src/app/library.ts'
import { createServer } from '../src/server/server.ts'
import { sqliteStore } from '../src/store/sqlite/sqlite-store.ts'
import { serve, timed } from './contender.ts'
import { rest } from './rest.ts'
import { caller, words } from './words.ts'

/** A server with one dialog many people watch. Its agent replies at once with a sentence. */
const [folder = ''] = process.argv.slice(2)
const store = sqliteStore({ path: join(folder, 'parley.db') })
const secret = { value: 'a secret that is long enough for a bench', isOwn: false }
const auth = access({ store, secret, clock: systemClock, ids: randomIds })

async function* generate(): AsyncGenerator<AgentOutput> {
  yield { type: 'text', text: 'Noted. I have looked it up and it fits, so I go on.' }
}

const agent = { name: 'ada', runtime: { generate }, tools: [] }
const team: Team = { default: 'ada', agent: () => agent, list: () => [{ name: 'ada', about: '' }] }
const parley = openParley({ store, team })
const server = createServer({
  visibility: parley.visibility,
  preview: previewMessage,
  parley,
  access: auth,
  info: { version: '0', build: 'bench', agents: [], demo: false, problems: [] },
})
await server.listen({ host: '127.0.0.1', port: 0 })
const untilRest = rest(store)
const { id: dialog } = await parley.dialogs.open({}, caller)

/** Turns of the watched dialog, then a wait until every reader in this process has everything. */
async function turns(count: number, settled: (head: number) => Promise<void> = async () => {}): Promise<object> {
  const { head: before } = await parley.dialogs.get(dialog)
  let head = before
  const took = await timed(count, async () => {
    for (let turn = 0; turn < count; turn += 1) {
      const rested = untilRest(dialog)
      await parley.dialogs.say(dialog, words(turn), caller)
      await rested
    }
    head = (await parley.dialogs.get(dialog)).head
    await settled(head)
  })
  return { ...took, events: head - before, head }
}

/** The same with readers in this process, each following for itself. */
async function followed({ readers, count }: { readers: number; count: number }): Promise<object> {
  const over = new AbortController()
  const { head } = await parley.dialogs.get(dialog)
  const at = Array.from({ length: readers }, () => head)
  let goal = Infinity
  let finish = (): void => {}
  const follow = async (reader: number): Promise<void> => {
    for await (const events of parley.events.follow({ stream: dialog, after: head }, over.signal)) {
      at[reader] = events.at(-1)?.seq ?? 0
      if (at.every((seq) => seq >= goal)) finish()
    }
  }
  const following = at.map((_, reader) => follow(reader))
  const result = await turns(count, (end) => {
    goal = end
    return at.every((seq) => seq >= goal) ? Promise.resolve() : new Promise((resolve) => (finish = resolve))
  })
  over.abort()
  await Promise.all(following)
  return result
}

serve<{ address: true } | { turns: number } | { readers: number; count: number } | { cpu: true }>(
  async (command) => {
    if ('address' in command) return { url: server.url, token: localToken(secret), dialog }
    if ('cpu' in command) return process.cpuUsage()
    return 'readers' in command ? followed(command) : turns(command.turns)
  },
  async () => {
    await server.close(500)
    await parley.close()
    auth.close()
    await store.close()
  },
)
process.send?.({ ready: true })
