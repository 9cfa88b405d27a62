import { access } from '../../src/server/auth/access.ts'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { team } from '../../src/agents/scripted-team.ts'
import type { Move } from '../../src/builds/rules/moves.ts'
import { stepIds } from '../../src/builds/rules/steps.ts'
import type { Scope } from '../../src/shapes/wire.ts'
import type { BuildTurn } from '../../src/ports/agent-runtime.ts'
import { randomIds } from '../../src/ports/ids.ts'
import { previewMessage } from '../../src/app/preview.ts'
import { openParley, type OpenParley } from '../../src/app/library.ts'
import { createServer, type ParleyServer } from '../../src/server/server.ts'
import { testSecret, until } from '../../src/server/test/server-under-test.ts'
import { systemClock } from '../../src/ports/clock.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'

const region = [
  { id: 'eu', label: 'Europe', description: 'Close to you' },
  { id: 'us', label: 'US' },
]
const size = [
  { id: 's', label: 'Small' },
  { id: 'l', label: 'Large' },
]

/** One question in research, a set in design; with "hold" neither, but it waits in research; with "fail" it fails there. */
async function* moves({ prompt, progress, answers, resumes }: BuildTurn, held: () => Promise<void>): AsyncGenerator<Move> {
  const isHolding = prompt.startsWith('hold')
  for (const step of stepIds.slice(progress.done.length)) {
    if (progress.open !== step) yield { do: 'start_step', step }
    if (step === 'parse' && !resumes) yield { do: 'say', text: 'I found a good source.' }
    if (step === 'research' && prompt.startsWith('fail'))
      return yield { do: 'fail', summary: 'I could not reach what I needed.', reason: 'no luck' }
    if (step === 'research' && isHolding) await held()
    if (isHolding) continue
    if (step === 'research' && answers['q-region'] === undefined)
      return yield { do: 'ask', id: 'q-region', prompt: 'Which region?', options: region }
    if (step === 'design' && answers['q-name'] === undefined) {
      const questions = [
        { id: 'q-name', prompt: 'What is it called?' },
        { id: 'q-size', prompt: 'How big?', options: size },
      ]
      return yield { do: 'ask_many', id: 's-details', prompt: 'Two details.', questions }
    }
  }
  yield { do: 'finish', summary: 'Your reading list is ready.', output: JSON.stringify(answers) }
}

export type AgUiUnderTest = {
  readonly url: string
  readonly parley: OpenParley
  token(scopes?: Scope[]): Promise<string>
  /** Lets the build that holds go on. */
  release(): void
  /** New auth on the same port, over the same builds. */
  restart(): Promise<void>
  isUp(): boolean
  close(): Promise<void>
}

export async function agUiUnderTest(): Promise<AgUiUnderTest> {
  let gate = Promise.withResolvers<void>()
  const builder = defineAgent({
    name: 'ada',
    about: 'Builds.',
    *reply() {
      yield { type: 'text', text: 'I only build.' }
    },
    build: (turn) =>
      moves(turn, async () => {
        await gate.promise
        gate = Promise.withResolvers<void>()
      }),
  })
  const store = memoryStore()
  const parley = openParley({ store, team: team([builder]) })
  const auth = access({ store, secret: testSecret, clock: systemClock, ids: randomIds })
  const info = { version: '0.0.0', build: 'test', agents: [], demo: true, problems: [] }
  const open = (): ParleyServer => createServer({ preview: previewMessage, parley, visibility: parley.visibility, access: auth, info })
  let server = open()
  let isUp = true
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    parley,
    token: async (scopes = ['read', 'chat', 'answer']) => (await auth.createToken('test', scopes, { role: 'owner' })).token,
    release: () => gate.resolve(),
    async restart() {
      isUp = false
      const { port } = server
      await server.close(500)
      server = open()
      await server.listen({ host: '127.0.0.1', port })
      // Connections kept from before are found to be dead by the first who uses one.
      await until(async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok)
      isUp = true
    },
    isUp: () => isUp,
    async close() {
      gate.resolve()
      await server.close(200)
      await parley.close(200)
      auth.close()
      await store.close()
    },
  }
}
