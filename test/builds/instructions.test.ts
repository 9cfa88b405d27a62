import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { defineAgent } from '../../src/agents/runtimes/scripted.ts'
import { team } from '../../src/agents/scripted-team.ts'
import { buildLimits } from '../../src/builds/rules/build-limits.ts'
import type { Store } from '../../src/ports/store.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../../src/server/test/server-under-test.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'

const servers: ServerUnderTest[] = []
after(async () => {
  for (const server of servers) await server.close()
})

/** Asks once, then stays in its second turn. Each message it gets is recorded with the build it belongs to. */
const agentThatStays = (received: { build: string; message: string; resumes: boolean }[]) =>
  defineAgent({
    name: 'ada',
    about: '',
    *reply() {
      yield { type: 'text', text: '' }
    },
    async *build({ build, message, input, resumes }, { signal }) {
      received.push({ build, message, resumes })
      if (input.type === 'BUILD_REQUEST') yield { do: 'ask', id: 'q', prompt: 'Which region?' }
      else await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    },
  })

/** A memory store that a server can close and the next server can open again. */
function reopenable(): Store {
  const store = memoryStore()
  return { ...store, close: async () => {} }
}

async function serverOver(store: Store) {
  const received: { build: string; message: string; resumes: boolean }[] = []
  const server = await serverUnderTest({ store, team: team([agentThatStays(received)], { fast: true }) })
  servers.push(server)
  const token = await server.token()
  const post = async (path: string, body: object): Promise<{ build_id: string }> => {
    const response = await fetch(`${server.url}/v1/builds${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { build_id: string }
    assert.ok(response.ok, `${path} ${response.status} ${JSON.stringify(answer)}`)
    return answer
  }
  return { server, received, post }
}

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1000
}

/** CPU time from 20 instructions until the agent has them, and from a restart until it has them again. */
async function cpuOfInstructions(text: string): Promise<{ sentMs: number; restartedMs: number }> {
  const store = reopenable()
  const first = await serverOver(store)
  const { build_id: build } = await first.post('', { prompt: 'A list' })
  await until(async () => (await first.server.parley.builds.get(build)).status === 'waiting')
  const sent = process.cpuUsage()
  for (let count = 0; count < buildLimits.waitingInstructions; count += 1) await first.post(`/${build}/messages`, { text })
  await first.post(`/${build}/answers`, { question_id: 'q', answer: 'Europe' })
  await until(() => first.received.some(({ message }) => message.includes('the person adds')), 120_000)
  const sentMs = cpuMs(sent)
  await first.server.close()
  const restarted = process.cpuUsage()
  const second = await serverOver(store)
  await until(() => second.received.some(({ message, resumes }) => resumes && message.includes('the person adds')), 120_000)
  return { sentMs, restartedMs: cpuMs(restarted) }
}

test('20 instructions of blanks cost the server no more CPU time than 20 of words, also after a restart', async () => {
  const chars = buildLimits.promptChars
  const words = await cpuOfInstructions('word '.repeat(chars / 5).slice(0, -1))
  const blanks = await cpuOfInstructions(`a${' '.repeat(chars - 2)}b`)
  const lines = await cpuOfInstructions(`a${' \n'.repeat(chars / 2 - 1)}b`)
  const figures = JSON.stringify({ words, blanks, lines })
  for (const each of [blanks, lines]) {
    assert.ok(each.sentMs < words.sentMs * 4 + 1_000, figures)
    assert.ok(each.restartedMs < words.restartedMs * 4 + 1_000, figures)
  }
})
