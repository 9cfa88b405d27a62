import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after } from 'node:test'
import { equipment } from '../../src/agents/equipment.ts'
import { withoutSandbox } from '../../src/agents/sandbox/without-sandbox.ts'
import { projectProtection } from '../../src/agents/workspace/project-protection.ts'
import type { Policy } from '../../src/authority/policy.ts'
import type { Role } from '../../src/authority/roles.ts'
import { makePolicy } from '../../src/authority/test/samples.ts'
import type { QuestionView } from '../../src/shapes/wire.ts'
import { configSchema } from '../../src/app/config/schema.ts'
import type { GateRecord } from '../../src/dialogs/rules/approval.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../src/ports/agent-runtime.ts'
import type { Caller, GivenAnswer } from '../../src/shapes/parley.ts'
import { openParley } from '../../src/app/library.ts'
import { fakeMessaging } from '../../src/server/test/fake-messaging.ts'
import { memoryStore } from '../../src/store/memory/memory-store.ts'
import { simulatedClock } from '../../src/testing/simulated-clock.ts'
import { teamOf } from '../../src/testing/team-of.ts'
import { telegramCapabilities } from '../../src/chats/channels/telegram/capabilities.ts'

export const caller = (name: string, role: Role): Caller => ({
  by: { kind: 'human', name, id: role === 'guest' ? `telegram:main:${name}` : `person:${name}`, role },
  via: role === 'guest' ? 'telegram' : 'web',
})
const mia = caller('mia', 'owner')
export const bob = caller('bob', 'member')
export const eve = caller('eve', 'guest')

/** The outcome of one call: its gate, the open approval, or the result the agent read. */
export type Outcome = { gate: GateRecord; approval: QuestionView | null; result: string | null; dialog: string }

type Settings = { policy?: Policy | (() => Policy); tools?: readonly Tool[]; isSandboxed?: boolean; hosts?: string[]; hasBash?: boolean }

/** A project with Parley's own tools, over a store in memory. Programs run without a sandbox, in this folder. */
export function toolScene({ policy = makePolicy(), tools: more = [], isSandboxed = true, hosts, hasBash = true }: Settings = {}) {
  const policyNow = typeof policy === 'function' ? policy : () => policy
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-tools-')))
  const file = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  file('parley.yaml', '')
  file('data/server.json', '{"secret":1}')
  file('agents/booker.ts', 'export default {}')
  file('notes/a.md', 'one\ntwo\nthree\n')
  file('.git/HEAD', 'ref: refs/heads/main\n')
  const clock = simulatedClock()
  const store = memoryStore({ clock })
  const config = configSchema.parse({ team: { members: { booker: { runtime: 'scripted', module: 'agents/booker.ts' } } } })
  const messaging = fakeMessaging()
  const equipped = equipment(root, {
    clock,
    layout: projectProtection({ file: join(root, 'parley.yaml'), dataDir: join(root, 'data'), config }),
    launcher: withoutSandbox({ env: () => process.env }),
    isSandboxed,
    hasBash: () => hasBash,
    policy: policyNow,
    team: () => [],
    chats: { messaging: () => messaging, sheets: () => [telegramCapabilities] },
  })
  const toolsets: ('memory' | 'ws_read' | 'ws_mod' | 'os' | 'message')[] = ['memory', 'ws_read', 'ws_mod', 'os', 'message']
  const own = equipped.toolsFor({ runtime: 'model', toolsets, writeDirs: ['**'], ...(hosts && { hosts }) })
  const tools: Tool[] = [...own, ...equipped.taskdocTools, ...more]
  const inputs: { name: string; input: unknown }[] = []
  /** Each message is the number of a call. */
  async function* obeys({ context }: GenerationInput): AsyncGenerator<AgentOutput> {
    const last = context.at(-1)
    const expected = last?.kind === 'human' ? inputs[Number(last.text)] : undefined
    yield expected ? { type: 'call', call: 'c', ...expected } : { type: 'text', text: 'done' }
  }
  const parley = openParley({ store, clock, team: teamOf(obeys, tools), policy: policyNow })
  const close = async (): Promise<void> => {
    await parley.close(0)
    await store.close()
    rmSync(root, { recursive: true, force: true })
  }
  after(close)

  /** All of them: a page is short when its events are large. */
  const events = async (dialog: string) => {
    const all = await parley.events.read({ stream: dialog, after: 0, limit: 500 })
    for (let page = all; page.length > 0;) {
      page = await parley.events.read({ stream: dialog, after: all.at(-1)?.seq ?? 0, limit: 500 })
      all.push(...page)
    }
    return all
  }

  /** Real processes and files answer in their own time; the clock of the dialogs stands still meanwhile. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 8_000; round += 1) {
      await clock.advance(5)
      const { items } = await parley.dialogs.list({})
      if (items.every(({ status }) => status !== 'working')) return
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.fail('the turn did not come to rest')
  }

  async function outcome(dialog: string): Promise<Outcome> {
    await settle()
    const log = await events(dialog)
    const called = log.findLast(({ type }) => type === 'tool.called')
    const returned = log.findLast(({ type }) => type === 'tool.returned')
    const [approval = null] = (await parley.dialogs.get(dialog)).questions.filter((one) => one.approval)
    assert.ok(called, 'the tool was called')
    const result = returned && returned.seq > called.seq ? (returned.data as { output: unknown }).output : null
    return {
      dialog,
      gate: (called.data as { gate: GateRecord }).gate,
      approval,
      result: result === null ? null : typeof result === 'string' ? result : JSON.stringify(result),
    }
  }

  return {
    root,
    file,
    tools,
    parley,
    messaging,
    close,
    /** Has the agent call a tool, in a new dialog unless one is named. */
    async call(name: string, input: unknown, by: Caller = mia, dialog?: string): Promise<Outcome> {
      const text = String(inputs.push({ name, input }) - 1)
      const id = dialog ?? (await parley.dialogs.open({ text }, by)).id
      if (dialog !== undefined) await parley.dialogs.say(dialog, text, by)
      return outcome(id)
    },
    async decide({ approval, dialog }: Outcome, given: GivenAnswer, by: Caller = mia): Promise<Outcome> {
      assert.ok(approval, 'an approval is open')
      await parley.questions.answer(approval.id, given, by)
      return outcome(dialog)
    },
  }
}
