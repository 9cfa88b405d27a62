import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ParleyClient } from '../client/client.ts'
import { ClientError } from '../client/client-error.ts'
import type { QuestionView } from '../client/wire.ts'
import type { AgentOutput, GenerationInput, Tool } from '../ports/agent-runtime.ts'
import { teamOf } from '../testing/team-of.ts'
import { serverUnderTest, type ServerUnderTest, until } from './test/server-under-test.ts'

/** Calls `pay` once for each message and says what came of it. */
async function* callsOnce(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: `c${input.turn}`, name: 'pay', input: { to: last.text } }
  else yield { type: 'text', text: 'done' }
}

const guest = { by: { kind: 'human' as const, name: 'eve', id: 'telegram:main:9', role: 'guest' as const }, via: 'telegram' }

const codeOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'worked',
    (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
  )

describe('approvals, grants and policy by HTTP', () => {
  let under: ServerUnderTest
  let client: ParleyClient
  const runs: string[] = []
  const pay: Tool = {
    name: 'pay',
    description: 'Pays.',
    inputSchema: { type: 'object' },
    afterCrash: 'ask',
    gate: { kind: 'code' },
    check: (input) => ({ input }),
    run: async (input) => {
      runs.push((input as { to: string }).to)
      return 'paid'
    },
  }
  before(async () => {
    under = await serverUnderTest({ team: teamOf(callsOnce, [pay]) })
    client = await under.client(['admin'], { via: 'cli' })
  })
  after(() => under.close())

  async function approvalIn(dialog: string): Promise<QuestionView> {
    return until(async () => (await client.dialogs.get(dialog)).questions.find(({ state, approval }) => state === 'open' && approval))
  }
  const atRest = (dialog: string): Promise<unknown> => until(async () => (await client.dialogs.get(dialog)).status === 'ready')

  test('a decision with a scope makes a grant that covers the next call, and revoking it asks again', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'ann' })
    const { id, approval } = await approvalIn(dialog)
    assert.equal(approval?.tool, 'pay')
    const proposed = approval?.proposals[0]?.[0]?.text ?? assert.fail('nothing is proposed')
    const until90 = Date.now() + 3_600_000
    const decided = await client.questions.answer(id, { decision: 'always', scope: 'tool(pay)', where: { to: 'ann' }, until: until90 })
    assert.equal(decided.approval?.decision, 'always')
    assert.equal(proposed, 'tool(pay)')
    await atRest(dialog)
    const [grant] = await client.grants.list({ agent: 'ada' })
    assert.deepEqual([grant?.scope, grant?.where, grant?.dialog, grant?.end], ['tool(pay)', { to: 'ann' }, null, null])
    assert.ok(grant && grant.until <= until90)

    const again = await client.dialogs.open({ text: 'ann' })
    await atRest(again.id)
    assert.deepEqual(runs, ['ann', 'ann'])

    const key = 'revoke-1'
    const ended = await client.grants.revoke(grant.id, { key })
    assert.equal(ended.end?.why, 'revoked')
    assert.deepEqual(await client.grants.revoke(grant.id, { key }), ended, 'the same key gives the same answer')
    assert.equal(await codeOf(client.grants.revoke(grant.id)), 'grant_not_found')
    const third = await client.dialogs.open({ text: 'ann' })
    const question = await approvalIn(third.id)
    const denied = await client.questions.answer(question.id, { decision: 'deny', note: 'Not today.' })
    assert.deepEqual([denied.approval?.decision, denied.approval?.note], ['deny', 'Not today.'])
    assert.equal(runs.length, 2)
  })

  test('a decision needs exactly one field, and scopes need a decision', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'bob' })
    const { id } = await approvalIn(dialog)
    assert.equal(await codeOf(client.questions.answer(id, { decision: 'once', text: 'yes' })), 'bad_request')
    assert.equal(await codeOf(client.questions.answer(id, { text: 'yes', note: 'x' })), 'bad_request')
    assert.equal(await codeOf(client.questions.answer(id, { text: 'yes' })), 'not_a_choice')
    assert.equal(await codeOf(client.questions.answer(id, { decision: 'always', scope: 'tool(other)' })), 'bad_request')
    assert.equal(await codeOf(client.questions.answer(id, { decision: 'always', scope: 'tool(*)', isConfirmed: true })), 'scope_too_wide')
    await client.questions.answer(id, { decision: 'once' })
    assert.equal(await codeOf(client.questions.answer(id, { decision: 'deny' })), 'already_answered')
  })

  test('explain gives the decision of the gate, and names what the agent does not have', async () => {
    const own = await client.policy.explain({ tool: 'pay', input: { to: 'ann' }, as: 'guest' })
    assert.deepEqual([own.decision, own.subjects, own.isByName], ['ask', [{ subject: 'tool(pay)', decision: 'ask' }], false])
    const named = await client.policy.explain({ tool: 'run', text: 'git status && curl x', as: 'guest' })
    assert.deepEqual(
      named.subjects.map(({ subject }) => subject),
      ['run(git status)', 'run(curl x)'],
    )
    assert.equal(named.isByName, true)
    assert.match(named.lines.join('\n'), /Decision: ask/)
    const chinese = await client.policy.explain({ tool: 'write', text: '.git/config', language: 'zh' })
    assert.deepEqual([chinese.decision, chinese.lines[0]], ['deny', '对象:'])
    assert.equal(await codeOf(client.policy.explain({ tool: 'fly' })), 'bad_request')
    assert.equal(await codeOf(client.policy.explain({ tool: 'mcp', text: 'github' })), 'bad_request')
    assert.equal(await codeOf(client.policy.explain({ tool: 'run', text: 'ls', agent: 'nobody' })), 'agent_not_found')
    const shown = await client.policy.show()
    assert.deepEqual([shown.preset, shown.rules, shown.people], ['ask', [], []])
  })

  test('trust raises a dialog that a guest has written in, for the owner only', async () => {
    const dialog = (await under.parley.dialogs.open({ text: 'hi' }, guest)).id
    const { approval } = await approvalIn(dialog)
    assert.deepEqual(
      approval?.requesters.map(({ role }) => role),
      ['guest'],
    )
    const operator = await under.client(undefined, { token: await under.token(['admin'], { role: 'operator' }) })
    assert.equal(await codeOf(operator.dialogs.trust(dialog)), 'role_too_low')
    await client.dialogs.trust(dialog, { key: 'trust-1' })
    await client.dialogs.trust(dialog, { key: 'trust-1' })
    const events = await under.store.read(dialog, 0, 100)
    assert.equal(events.filter(({ type }) => type === 'dialog.trusted').length, 1)
    assert.equal(await codeOf(client.dialogs.trust('dlg_none')), 'dialog_not_found')
  })
})
