import { describe, it } from 'node:test'
import { modelSchema } from '../../app/config/schema.ts'
import { agentContract, type AgentSubject } from '../../testing/agent-contract.ts'
import { modelEmulator } from '../../testing/model-emulator.ts'
import type { Protocol } from '../../testing/model-wire.ts'
import { programSubject } from '../sandbox/test/program-subject.ts'
import { unconfined } from '../sandbox/test/unconfined.ts'
import { modelRuntime } from './model.ts'
import { scriptedRuntime } from './scripted.ts'

async function modelSubject(provider: Protocol): Promise<AgentSubject> {
  const servers: { close(): Promise<void> }[] = []
  const emulator = await modelEmulator()
  servers.push(emulator)
  const runtime = modelRuntime({
    model: modelSchema.parse({ provider, baseUrl: emulator.url, model: 'emulated', apiKey: 'k' }),
    member: {},
  })
  const reply = { pieces: ['one', 'two', 'three'] }
  return {
    says(words) {
      emulator.next({ does: 'reply', pieces: [words] }, { does: 'reply', pieces: [words] })
      return runtime
    },
    hangs() {
      emulator.next({ does: 'stall-after', chunks: 4, reply })
      return runtime
    },
    fails() {
      emulator.next({ does: 'cut-after', chunks: 4, reply })
      return runtime
    },
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

const scriptedSubject = async (): Promise<AgentSubject> => ({
  says: (words) => scriptedRuntime({ reply: (_, { say }) => say(words) }, { fast: true }),
  hangs: () =>
    scriptedRuntime({
      async *reply() {
        yield { type: 'delta', text: 'one' }
        await new Promise(() => {})
      },
    }),
  fails: () =>
    scriptedRuntime({
      *reply() {
        yield { type: 'delta', text: 'one' }
        throw new Error('broken')
      },
    }),
  close: async () => {},
})

const subjects: Record<string, () => Promise<AgentSubject>> = {
  'a model (OpenAI-compatible)': () => modelSubject('openai-compatible'),
  'a model (Anthropic)': () => modelSubject('anthropic'),
  'a command': async () => programSubject(unconfined()),
  'a script': scriptedSubject,
}

for (const [what, make] of Object.entries(subjects)) {
  describe(`the agent contract on ${what}`, () => {
    for (const { id, behaviour, run } of agentContract) {
      // A fresh subject for each case: what one leaves unread must not reach the next.
      it(`${id}: ${behaviour}`, async () => {
        const subject = await make()
        try {
          await run(subject)
        } finally {
          await subject.close()
        }
      })
    }
  })
}
