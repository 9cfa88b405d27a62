import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ParleyClient } from '../../client/client.ts'
import type { AnswerInput } from '../../client/index.ts'
import { ClientError } from '../../client/client-error.ts'
import type { QuestionView } from '../../shapes/wire.ts'
import type { AgentOutput, GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import { teamOf } from '../../testing/team-of.ts'
import { serverUnderTest, type ServerUnderTest, until } from '../test/server-under-test.ts'

/** Calls `pay` once for each message and says what came of it. */
async function* callsOnce(input: GenerationInput): AsyncGenerator<AgentOutput> {
  const last = input.context.at(-1)
  if (last?.kind === 'human') yield { type: 'call', call: `c${input.turn}`, name: 'pay', input: { to: last.text } }
  else yield { type: 'text', text: 'done' }
}

const guest = { by: { kind: 'human' as const, name: 'eve', id: 'telegram:main:9', role: 'guest' as const }, via: 'telegram' }

const getCode = async (call: Promise<unknown>): Promise<string> =>
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
    assert.equal(await getCode(client.grants.revoke(grant.id)), 'grant_not_found')
    const third = await client.dialogs.open({ text: 'ann' })
    const question = await approvalIn(third.id)
    const denied = await client.questions.answer(question.id, { decision: 'deny', note: 'Not today.' })
    assert.deepEqual([denied.approval?.decision, denied.approval?.note], ['deny', 'Not today.'])
    assert.equal(runs.length, 2)
  })

  test('a decision needs exactly one field, and scopes need a decision', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'bob' })
    const { id } = await approvalIn(dialog)
    assert.equal(await getCode(client.questions.answer(id, { decision: 'once', text: 'yes' })), 'bad_request')
    assert.equal(await getCode(client.questions.answer(id, { text: 'yes', note: 'x' })), 'bad_request')
    assert.equal(await getCode(client.questions.answer(id, { text: 'yes' })), 'not_a_choice')
    assert.equal(await getCode(client.questions.answer(id, { decision: 'always', scope: 'tool(other)' })), 'bad_request')
    assert.equal(await getCode(client.questions.answer(id, { decision: 'always', scope: 'tool(*)', isConfirmed: true })), 'scope_too_wide')
    await client.questions.answer(id, { decision: 'once' })
    assert.equal(await getCode(client.questions.answer(id, { decision: 'deny' })), 'already_answered')
  })

  test('approve and deny decide an approval, and nothing else', async () => {
    const first = await approvalIn((await client.dialogs.open({ text: 'dot' })).id)
    assert.equal(await getCode(client.questions.approve(first.id, { scope: 'tool(pay)' })), 'bad_request')
    assert.equal((await client.questions.approve(first.id)).approval?.decision, 'once')
    assert.equal(await getCode(client.questions.deny(first.id)), 'already_answered')
    const second = await approvalIn((await client.dialogs.open({ text: 'eli' })).id)
    const denied = await client.questions.deny(second.id, 'Not today.')
    assert.deepEqual([denied.approval?.decision, denied.approval?.note], ['deny', 'Not today.'])
    assert.deepEqual(runs.slice(-1), ['dot'])
  })

  test('a field that does not fit the decision is a bad request, and so is an end in the past', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'cyd' })
    const { id } = await approvalIn(dialog)
    const later = Date.now() + 3_600_000
    const refused: AnswerInput[] = [
      { decision: 'chat', where: { to: 'cyd' } },
      { decision: 'deny', scope: 'tool(pay)' },
      { decision: 'once', scope: 'tool(pay)' },
      { decision: 'once', until: later },
      { decision: 'always', until: Date.now() - 1 },
      { decision: 'always', until: Math.floor(later / 1_000) },
    ]
    for (const input of refused) assert.equal(await getCode(client.questions.answer(id, input)), 'bad_request', JSON.stringify(input))
    const wrong = client.questions.answer(id, { decision: 'always', scope: 'tool(other)' })
    await assert.rejects(wrong, /it does not cover this call; tool\(pay\) would/)
    const decided = await client.questions.answer(id, { decision: 'chat', until: later * 10 })
    const [grant] = decided.approval?.grants ?? []
    assert.deepEqual([grant?.scope, grant?.where, grant?.dialog], ['tool(pay)', { to: 'cyd' }, dialog])
    assert.ok(grant && grant.until < Date.now() + 31 * 86_400_000, 'the response names the end that counts')
    assert.equal(grant.isShortened, true)
    await client.grants.revoke(grant.id)
  })

  test('the response says how many calls in other dialogs a grant allowed', async () => {
    const dialogs = await Promise.all(['dee', 'dee', 'eli'].map(async (text) => (await client.dialogs.open({ text })).id))
    const open = await Promise.all(dialogs.map(approvalIn))
    const decided = await client.questions.answer(open[0]?.id ?? '', { decision: 'always', scope: 'tool(pay)', where: { to: 'dee' } })
    assert.equal(decided.approval?.alsoAllowed, 1)
    await client.grants.revoke(decided.approval?.grants?.[0]?.id ?? '')
    await client.questions.answer(open[2]?.id ?? '', { decision: 'deny' })
  })

  test('a token limited to one dialog is neither offered nor given always', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'flo' })
    const { id } = await approvalIn(dialog)
    const limited = await under.client(undefined, { token: await under.token(['admin'], { limit: { dialog } }) })
    const [item] = (await limited.questions.get(id)).ask.items
    assert.deepEqual(item?.kind === 'choice' && item.options.map(({ value }) => value), ['once', 'chat', 'deny'])
    const [inDialog] = (await limited.dialogs.get(dialog)).questions
    assert.deepEqual(inDialog?.ask.items, [item])
    assert.equal(await getCode(limited.questions.answer(id, { decision: 'always' })), 'always_not_limited')
    assert.equal(await getCode(limited.questions.answer(id, { choice: 'always' })), 'always_not_limited')
    assert.equal((await limited.questions.answer(id, { decision: 'chat' })).approval?.decision, 'chat')
    for (const grant of await client.grants.list()) if (!grant.end) await client.grants.revoke(grant.id)
  })

  test('a token without the scopes is refused with the one that the question needs', async () => {
    const { id: dialog } = await client.dialogs.open({ text: 'gus' })
    const { id } = await approvalIn(dialog)
    const reader = await under.client(undefined, { token: await under.token(['read', 'chat'], { role: 'operator' }) })
    await assert.rejects(reader.questions.answer(id, { decision: 'once' }), /This token lacks the scope approve\./)
    await assert.rejects(reader.questions.answer('q_none', { decision: 'once' }), /This token lacks the scope answer\./)
    await client.questions.answer(id, { decision: 'deny' })
  })

  test('a hidden approval does not name the tool', async () => {
    const member = { by: { kind: 'human' as const, name: 'mem', id: 'person:mem', role: 'member' as const }, via: 'web' }
    const dialog = (await under.parley.dialogs.open({ text: 'secret-name' }, member)).id
    const { id } = await approvalIn(dialog)
    const reader = await under.client(undefined, { token: await under.token(['read'], { role: 'operator' }) })
    const responses = JSON.stringify([
      await reader.questions.get(id),
      await reader.dialogs.get(dialog),
      await reader.events.read({ stream: dialog }),
    ])
    assert.doesNotMatch(responses, /"pay"|secret-name"\}/)
    await client.questions.answer(id, { decision: 'deny' })
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
    assert.equal(await getCode(client.policy.explain({ tool: 'fly' })), 'bad_request')
    assert.equal(await getCode(client.policy.explain({ tool: 'mcp', text: 'github' })), 'bad_request')
    assert.equal(await getCode(client.policy.explain({ tool: 'run', text: 'ls', agent: 'nobody' })), 'agent_not_found')
    const policyView = await client.policy.show()
    assert.deepEqual([policyView.preset, policyView.rules, policyView.people], ['ask', [], []])
  })

  test('explain denies a path outside of the project when the agent has no file tools', async () => {
    const { decision, because } = await client.policy.explain({ tool: 'read', text: '/etc/passwd' })
    assert.deepEqual([decision, because], ['deny', '/etc/passwd is outside the project folder.'])
  })

  test('trust raises a dialog that a guest has written in, for the owner only', async () => {
    const dialog = (await under.parley.dialogs.open({ text: 'hi' }, guest)).id
    const { approval } = await approvalIn(dialog)
    assert.deepEqual(
      approval?.requesters.map(({ role }) => role),
      ['guest'],
    )
    const operator = await under.client(undefined, { token: await under.token(['admin'], { role: 'operator' }) })
    const upTo = (await under.store.read(dialog, 0, 100)).length
    assert.equal(await getCode(operator.dialogs.trust(dialog, { upTo })), 'role_too_low')
    assert.equal(await getCode(client.dialogs.trust(dialog, {} as { upTo: number })), 'bad_request')
    assert.equal(await getCode(client.dialogs.trust(dialog, { upTo: upTo + 1_000 })), 'event_not_reached')
    await under.parley.dialogs.say(dialog, 'one more thing', guest)
    assert.equal(await getCode(client.dialogs.trust(dialog, { upTo })), 'unseen_text')
    const position = { upTo: (await under.store.read(dialog, 0, 100)).length }
    await client.dialogs.trust(dialog, position, { key: 'trust-1' })
    await client.dialogs.trust(dialog, position, { key: 'trust-1' })
    const events = await under.store.read(dialog, 0, 100)
    assert.equal(events.filter(({ type }) => type === 'dialog.trusted').length, 1)
    assert.equal(await getCode(client.dialogs.trust('dlg_none', { upTo: 1 })), 'dialog_not_found')
  })
})
