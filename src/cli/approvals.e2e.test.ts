import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { GrantView, PolicyExplanation, PolicyView, QuestionView, TokenView, WholeInbox } from '../shapes/wire.ts'
import { cliFolder, type Ended } from './testing/spawned.ts'

type Sent = { dialog: string; replies: { text: string }[]; questions: (QuestionView & { answerWith: string; denyWith?: string })[] }

const agent = fileURLToPath(new URL('../../test/fixtures/approval-agent.ts', import.meta.url))
const team = `team:\n  members:\n    payer:\n      runtime: scripted\n      module: ${agent}\n`
const getCode = ({ err }: Ended): string => (JSON.parse(err) as { error: { code: string } }).error.code

describe('approvals in the terminal', () => {
  const cli = cliFolder()
  before(async () => {
    writeFileSync(join(cli.dir, 'parley.yaml'), team)
    await cli.serve()
  })
  after(() => cli.close())

  async function pending(text: string, ...flags: string[]): Promise<Sent & { id: string }> {
    const { code, out, err } = await cli.run('send', text, '--wait', '--json', ...flags)
    assert.equal(code, 6, err)
    const response = JSON.parse(out) as Sent
    return { ...response, id: response.questions[0]?.id ?? assert.fail('nothing was asked') }
  }
  const rest = (dialog: string): Promise<Ended> => cli.run('dialogs', 'tail', dialog, '--until-rest', '--after', '0')

  test('send --wait ends with 6, shows the whole call and the commands that decide', async () => {
    const { code, out, err } = await cli.run('send', 'an\u202Ena', '--wait')
    assert.equal(code, 6)
    assert.match(out, /^q_\w+\n\? Allow payer to use pay\?\n {2}Requested by the owner\. /)
    assert.match(out, /Reason: No rule or grant allows tool\(pay\)\.\n {2}│ \{\n {2}│ {3}"amount": 5,\n {2}│ {3}"to": "an⟨U\+202E⟩na"/)
    assert.ok(!out.includes('\u202E'))
    assert.match(
      err,
      /Decide with:\n {4}parley approve q_\w+ --once\n {4}parley approve q_\w+ --chat\n {4}parley approve q_\w+ --always\n {4}parley deny q_\w+\n/,
    )
    const { id, questions } = await pending('ann')
    assert.deepEqual([questions[0]?.answerWith, questions[0]?.denyWith], [`parley approve ${id} --once`, `parley deny ${id}`])
    const listed = await cli.json<{ items: Sent['questions'] }>('approve')
    const inbox = await cli.json<{ items: { question: Sent['questions'][number] }[] }>('inbox', 'list')
    for (const result of [...listed.items, ...inbox.items.map(({ question }) => question)])
      assert.deepEqual([result.answerWith, result.denyWith], [`parley approve ${result.id} --once`, `parley deny ${result.id}`])
    const empty = await cli.with({ input: '' }, 'chat', '--to', questions[0]?.dialog ?? '')
    assert.equal(empty.code, 6, 'a chat without a line to say still reports what waits')
    assert.match(empty.out, /^q_\w+\n\? Allow payer to use pay\?/)
    assert.equal(questions[0]?.agent, 'payer')
    assert.equal((await cli.run('deny', id)).code, 0)
  })

  test('a chat without a terminal ends with 6 as well, and a question still ends with 5', async () => {
    const chat = await cli.with({ input: 'ann\nbob\n' }, 'chat', '--wait')
    assert.equal(chat.code, 6)
    assert.match(chat.out, /^q_\w+\n\? Allow payer to use pay\?/)
    assert.doesNotMatch(chat.out, /bob/)
    const lines = await cli.with({ input: 'ann\n' }, 'chat', '--json')
    assert.equal(lines.code, 6)
    const document = JSON.parse(lines.out) as { question: { answerWith: string; approval: { tool: string } } }
    assert.deepEqual([document.question.approval.tool, document.question.answerWith.startsWith('parley approve q_')], ['pay', true])
    const last = await cli.run('approve', 'last', '--once')
    assert.deepEqual([last.code, /Name an approval by its id/.test(last.err)], [2, true])
    const questionRun = await cli.run('send', 'ask', '--wait')
    assert.equal(questionRun.code, 5)
    const [, question = ''] = /parley answer (q_\w+)/.exec(questionRun.err) ?? []
    const wrong = await cli.run('approve', question, '--once')
    assert.equal(wrong.code, 2)
    assert.match(wrong.err, /is a question, not an approval\.[\s\S]*parley answer q_/)
    assert.equal((await cli.run('answer', 'last', '--text', 'red')).code, 0, 'an approval is not "last"')
  })

  test('allowed once, it runs once; a second decision is told who was first', async () => {
    const { id, dialog } = await pending('ann')
    const decided = await cli.run('approve', id, '--once')
    assert.deepEqual([decided.code, decided.out], [0, 'Allowed once.\n'])
    const outcome = await rest(dialog)
    assert.match(outcome.out, /✓ You: Allow once[\s\S]*paid 5 to ann/)
    for (const late of [await cli.run('approve', id, '--once'), await cli.run('deny', id), await cli.run('approve', id)]) {
      assert.equal(late.code, 1)
      assert.match(late.err, /The owner already decided: Allow once\.\n/)
    }
    assert.equal(getCode(await cli.run('deny', id, '--json')), 'already_answered')
    assert.equal((await pending('ann', '--to', dialog)).questions.length, 1, 'the next call asks again')
  })

  test('denied with a note, the agent reads the note', async () => {
    const { id, dialog } = await pending('bob')
    const { code, out } = await cli.with({ input: 'Ask accounting.\n' }, 'deny', id, '--note', '-', '--json')
    assert.equal(code, 0)
    const view = JSON.parse(out) as QuestionView
    assert.deepEqual([view.approval?.decision, view.approval?.note], ['deny', 'Ask accounting.'])
    const detail = await rest(dialog)
    assert.equal(detail.code, 0)
    assert.match(detail.out, /✗ You: Deny\n {2}Ask accounting\.[\s\S]*payer [\d:]+\n[\s\S]*Ask accounting\./)
    assert.doesNotMatch(detail.out, /paid/)
  })

  test('grants: made with a scope and an end, used, listed, explained and revoked', async () => {
    const chat = await pending('cem')
    assert.match((await cli.run('approve', chat.id, '--chat')).out, /^Allowed in this chat\.$/m)
    await rest(chat.dialog)
    assert.equal((await cli.run('send', 'cem', '--to', chat.dialog, '--wait')).code, 0)
    const { id } = await pending('cem')
    const always = await cli.run('approve', id, '--always', '--scope', 'tool(pay)', '--where', 'to=cem', '--until', '7d')
    assert.equal(always.code, 0, always.err)
    assert.match(always.err, /parley grants list/)
    const sending = await cli.run('send', 'cem', '--wait')
    assert.deepEqual([sending.code, sending.out], [0, 'paid 5 to cem\n'])
    assert.equal((await cli.run('send', 'dan', '--wait')).code, 6, 'the scope names cem')

    const listed = await cli.run('grants', 'list')
    assert.match(
      listed.out,
      /grant_\w+ {2}payer · tool\(pay\) · to=cem · owners only · all dialogs\n {2}Allowed by the owner on .* \(terminal\): always `tool\(pay\)`, until /,
    )
    assert.match(listed.out, new RegExp(`owners only · ${chat.dialog}\\n {2}Allowed by the owner on .*: in this chat`))
    type Printed = Omit<GrantView, 'until' | 'madeAt'> & { until: string; madeAt: string }
    const grants = await cli.json<Printed[]>('grants', 'list', '--agent', 'payer')
    assert.equal(grants.length, 2)
    assert.deepEqual(await cli.json<GrantView[]>('grants', 'list', '--agent', 'ada'), [])
    const [grant = assert.fail('there is no grant')] = grants.filter(({ dialog }) => dialog === null)
    const days = (Date.parse(grant.until) - Date.parse(grant.madeAt)) / 86_400_000
    assert.ok(days > 6.9 && days <= 7)

    const input = '{"to":"cem","amount":5}'
    const explained = await cli.run('policy', 'explain', 'pay', '--input', input)
    assert.match(explained.out, new RegExp(`tool\\(pay\\) → allow[\\s\\S]*${grant.id}: tool\\(pay\\)[\\s\\S]*Decision: allow`))
    const asGuest = await cli.json<PolicyExplanation>('policy', 'explain', 'pay', '--input', input, '--as', 'guest', '--agent', 'payer')
    assert.deepEqual([asGuest.decision, asGuest.grants, asGuest.as], ['ask', [], 'guest'])

    assert.match((await cli.run('grants', 'revoke', grant.id)).out, /^Revoked grant_\w+\. Calls it covered ask again\.$/m)
    const again = await cli.run('grants', 'rm', grant.id, '--json')
    assert.deepEqual([again.code, again.out, getCode(again)], [1, '', 'grant_not_found'])
    assert.equal((await cli.json<GrantView[]>('grants', 'list')).length, 1)
    assert.match((await cli.run('grants', 'list', '--all')).out, /ended: revoked/)
    await pending('cem')
  })

  test('wrong flags and scopes are refused and change nothing', async () => {
    const { id } = await pending('eve')
    assert.equal((await cli.run('approve', id, '--once', '--always')).code, 2)
    assert.match((await cli.run('approve', id, '--once', '--scope', 'tool(pay)')).err, /--scope needs --chat or --always/)
    assert.match((await cli.run('approve', id, '--always', '--where', 'to=eve')).err, /--where needs --scope/)
    assert.match((await cli.run('approve', id, '--always', '--until', 'soon')).err, /it is neither a date nor a time span/)
    assert.match((await cli.run('approve', id, '--always', '--until', '2020-01-01')).err, /that time has passed/)
    assert.equal((await cli.run('approve', '--once')).code, 2)
    assert.equal(getCode(await cli.run('approve', id, '--always', '--scope', 'tool(*)', '--json')), 'scope_too_wide')
    assert.equal(getCode(await cli.run('approve', id, '--always', '--scope', 'run(ls)', '--json')), 'bad_request')
    const needs = await cli.run('approve', id)
    assert.equal(needs.code, 2)
    assert.match(needs.err, new RegExp(`parley approve ${id} --once`))
    for (const verb of ['approve', 'deny']) {
      const none = await cli.run(verb, 'q_none', '--json')
      assert.deepEqual([none.code, getCode(none)], [1, 'question_not_found'])
    }
    const answer = await cli.run('answer', id, '--text', 'yes')
    assert.equal(answer.code, 2)
    assert.match(
      answer.err,
      new RegExp(`is an approval: allow or deny it instead\\.[\\s\\S]*parley approve ${id}[\\s\\S]*parley deny ${id}`),
    )
    assert.equal(
      (await cli.json<{ items: QuestionView[] }>('approve')).items.some((one) => one.id === id),
      true,
      'it still waits',
    )
    assert.match((await cli.run('inbox', 'dismiss', id)).err, /An approval is not dismissed[\s\S]*parley deny q_/)
  })

  test('the inbox and the list show approvals as such; a long one has to be read whole first', async () => {
    const short = await pending('flo')
    const long = await pending('x'.repeat(3_000))
    const inbox = await cli.run('inbox', 'list')
    assert.match(
      inbox.out,
      new RegExp(
        `${short.id}[\\s\\S]*Allow payer to use pay\\?[\\s\\S]*"to": "flo"[\\s\\S]*Decide with:\\n {4}parley approve ${short.id} --once`,
      ),
    )
    assert.match(
      inbox.out,
      new RegExp(`x{500,}…\\n {2}Read it in full and decide: parley approve ${long.id}\\n {2}or deny: parley deny ${long.id}`),
    )
    const { items } = await cli.json<WholeInbox>('inbox', 'list')
    assert.ok(items.some((item) => item.kind === 'question' && item.question.approval?.tool === 'pay'))
    const listed = await cli.run('approve')
    assert.equal(listed.code, 0)
    assert.ok(listed.out.includes('x'.repeat(3_000)))
    assert.ok(listed.out.includes(`parley approve ${long.id} --once`))
    await cli.run('deny', long.id)
    await cli.run('deny', short.id)
  })

  test('a stop withdraws the approval, and a decision after it says so', async () => {
    const { id, dialog } = await pending('gus')
    await cli.run('dialogs', 'stop', dialog)
    const late = await cli.run('approve', id, '--once')
    assert.equal(late.code, 1)
    assert.match(late.err, /No longer needed: the turn was stopped\./)
    assert.match((await cli.run('dialogs', 'show', dialog)).out, /No longer needed: the turn was stopped\./)
    assert.doesNotMatch((await rest(dialog)).out, /paid/)
  })

  test('a caller who may not decide is refused with 4', async () => {
    const { token } = await cli.json<TokenView & { token: string }>(
      'token',
      'create',
      'script',
      '--scope',
      'read',
      '--scope',
      'chat',
      '--scope',
      'answer',
    )
    const as = (...args: string[]): Promise<Ended> => cli.with({ env: { PARLEY_TOKEN: token } }, ...args)
    const sending = await as('send', 'hal', '--wait', '--json')
    assert.equal(sending.code, 6)
    const { questions, dialog } = JSON.parse(sending.out) as Sent
    const id = questions[0]?.id ?? ''
    assert.deepEqual([questions[0]?.approval?.shown.text, questions[0]?.answerWith], ['', undefined], 'nothing of the call is shown')
    assert.match((await as('send', 'ian', '--wait')).out, /^q_\w+\nWaiting for the owner to approve\.\n$/)
    assert.match((await as('dialogs', 'show', dialog)).out, /Waiting for .*owner to approve\./)
    const refused = await as('approve', id, '--once')
    assert.equal(refused.code, 4)
    assert.match(refused.err, /Only .* can decide this\./)
    assert.equal((await as('deny', id)).code, 4)
    assert.equal((await as('grants', 'list', '--json')).code, 4)
    assert.equal((await as('policy', 'show')).code, 4)
    assert.equal((await as('dialogs', 'trust', dialog, '--up-to', '1')).code, 4)
    assert.equal((await cli.run('approve', id, '--once')).code, 0, 'the owner may')
  })

  test('dialogs trust: done, repeated, unknown', async () => {
    const { dialog, id } = await pending('ida')
    await cli.run('deny', id)
    const blind = await cli.run('dialogs', 'trust', dialog)
    assert.equal(blind.code, 2, 'without a terminal, the last event that was read has to be named')
    const [, upTo = ''] = /--up-to (\d+)/.exec(blind.err) ?? []
    const trusted = await cli.run('dialogs', 'trust', dialog, '--up-to', upTo)
    assert.equal(trusted.code, 0, trusted.err)
    assert.match(trusted.out, /judged by the role of the owner again/)
    assert.equal((await cli.json<{ id: string }>('dialogs', 'trust', dialog, '--up-to', upTo)).id, dialog)
    const none = await cli.run('dialogs', 'trust', 'dlg_none', '--json')
    assert.deepEqual([none.code, getCode(none)], [1, 'dialog_not_found'])
    assert.equal((await cli.run('dialogs', 'trust', 'last')).code, 1, 'a dialog is trusted by its id alone')
  })

  test('the words follow LANG', async () => {
    const { id } = await pending('jan')
    const zh = { env: { LANG: 'zh_CN.UTF-8' } }
    assert.match(
      (await cli.with(zh, 'approve')).out,
      /允许 payer 使用 pay 吗？[\s\S]*发起人：所有者。[\s\S]*决定命令：\n {4}parley approve/,
    )
    assert.equal((await cli.with(zh, 'deny', id, '--note', '不行')).out, '已拒绝。说明：不行\n')
  })
})

describe('a policy with mistakes', () => {
  const cli = cliFolder()
  after(() => cli.close())

  test('show names them and says that an older policy is in force; a member token with approve is warned about', async () => {
    const file = join(cli.dir, 'parley.yaml')
    writeFileSync(file, `${team}policy:\n  preset: locked\n`)
    await cli.serve()
    const { err } = await cli.run('token', 'create', 'ci', '--scope', 'approve')
    assert.match(err, /Warning: a member token cannot decide approvals\./)
    writeFileSync(file, `${team}policy:\n  preset: nonsense\n`)
    for (const late = Date.now() + 30_000; ;) {
      const output = await cli.run('policy', 'show')
      assert.match(output.out, /Preset: locked/)
      if (/an older policy is in force:\n.*policy\.preset/.test(output.err)) break
      assert.ok(Date.now() < late, output.err)
    }
  })
})

describe('a server with the configuration of another folder', () => {
  const cli = cliFolder()
  after(() => cli.close())

  test('doctor says that its findings are about another file', async () => {
    const folder = join(cli.dir, 'team')
    mkdirSync(folder)
    writeFileSync(join(folder, 'parley.yaml'), team)
    await cli.serve('--config', join(folder, 'parley.yaml'), '--data', join(cli.dir, '.parley'))
    const { out } = await cli.run('doctor')
    assert.match(out, /That server uses .*team\/parley\.yaml\. The findings above are about /)
  })
})

describe('a server with rules', () => {
  const cli = cliFolder()
  before(async () => {
    writeFileSync(
      join(cli.dir, 'parley.yaml'),
      `${team}people:
  mia: { role: owner }
  ann: { role: operator }
  bob: { role: member }
policy:
  rules:
    - ask: tool(pay)
      keys: 2
      approvers: [ann, bob]
      note: Check the invoice first.
    - allow: tool(pay)
      where: { to: kim }
`,
    )
    await cli.serve()
  })
  after(() => cli.close())

  test('two keys: the first one is counted, the same person gives no second one, and one denial ends it', async () => {
    const { code, out } = await cli.run('send', 'ann', '--wait', '--json')
    assert.equal(code, 6)
    const [question = assert.fail('nothing was asked')] = (JSON.parse(out) as Sent).questions
    assert.equal(question.answerWith, `parley approve ${question.id} --once`, 'an ask rule offers no standing permission')
    assert.equal(getCode(await cli.run('approve', question.id, '--always', '--json')), 'decision_not_offered')
    const first = await cli.run('approve', question.id, '--once')
    assert.deepEqual([first.code, first.out], [0, '1 of 2 approvals: owner\n'])
    const again = await cli.run('approve', question.id, '--once')
    assert.equal(again.code, 4)
    assert.match((await cli.run('inbox', 'list')).out, /The rule "ask: tool\(pay\)" asks for approval[\s\S]*1 of 2 approvals: owner/)
    assert.equal((await cli.run('deny', question.id)).out, 'Denied.\n')
    assert.doesNotMatch((await cli.run('dialogs', 'tail', question.dialog, '--until-rest', '--after', '0')).out, /paid/)
  })

  test('show and explain ask the server, and --local the file', async () => {
    const shown = await cli.run('policy', 'show')
    assert.match(
      shown.out,
      /ask: tool\(pay\) {2}2 keys · Approvers: ann, bob · line \d+\n {4}Check the invoice first\.\n {2}allow: tool\(pay\) .*to=kim/,
    )
    assert.match(shown.err, /As applied by the server at http:/)
    assert.deepEqual(await cli.json<PolicyView>('policy', 'show'), await cli.json<PolicyView>('policy', 'show', '--local'))
    const input = ['--input', '{"to":"kim","amount":1}']
    const explained = await cli.json<PolicyExplanation>('policy', 'explain', 'pay', ...input)
    assert.deepEqual([explained.decision, explained.keys, explained.rules.length, explained.isByName], ['ask', 2, 2, false])
    const local = await cli.json<PolicyExplanation>('policy', 'explain', 'pay', ...input, '--local')
    assert.deepEqual([local.decision, local.rules], [explained.decision, explained.rules])
    const odd = await cli.run('policy', 'explain', 'pay', '--input', '{"to":5}', '--json')
    assert.deepEqual([odd.code, getCode(odd)], [1, 'bad_request'])
    const named = await cli.run('policy', 'explain', 'run', 'ls')
    assert.match(named.err, /payer has no such tool on that server/)
  })
})

describe('the policy of a folder, without a server', () => {
  const cli = cliFolder()
  after(() => cli.close())
  const write = (text: string): void => writeFileSync(join(cli.dir, 'parley.yaml'), text)
  const rules = `${team}people:
  mia: { role: owner, telegram: 42 }
  ann: { role: operator }
  bob: { role: member }
policy:
  approvers: [bob]
  rules:
    - allow: run(git status *)
      for: guest
    - deny: run(git push --force)
      note: Open a pull request instead.
      examples: { match: [git push -f origin main], not: [git push] }
    - ask: mcp(bank/transfer)
      keys: 2
      approvers: [ann, bob]
      escalate: { after: 4h, to: [mia] }
`

  test('what needs a server ends with 3 and the next command', async () => {
    for (const args of [
      ['approve'],
      ['approve', 'q_1', '--once'],
      ['deny', 'q_1'],
      ['grants', 'list'],
      ['grants', 'revoke', 'g'],
      ['dialogs', 'trust', 'd'],
    ]) {
      const { code, out, err } = await cli.run(...args, '--json')
      assert.deepEqual(
        [code, out, (JSON.parse(err) as { error: { code: string } }).error.code],
        [3, '', 'server_unreachable'],
        args.join(' '),
      )
    }
    assert.equal(
      (await cli.run('policy', 'show', '--url', 'http://127.0.0.1:9')).code,
      3,
      'a server that was named is not replaced by the file',
    )
  })

  test('without parley.yaml the defaults count', async () => {
    const shown = await cli.run('policy', 'show')
    assert.equal(shown.code, 0)
    assert.match(shown.out, /Preset: ask[\s\S]*No rules/)
    assert.match((await cli.run('policy', 'test')).out, /There is no parley\.yaml/)
    assert.equal((await cli.json<PolicyExplanation>('policy', 'explain', 'read', 'notes/a.md')).decision, 'allow')
    const outside = await cli.json<PolicyExplanation>('policy', 'explain', 'read', '/etc/passwd')
    assert.deepEqual([outside.decision, outside.because], ['deny', '/etc/passwd is outside the project folder.'])
    const typed = await cli.run('policy', 'explain', 'refund', '{"order":7}')
    assert.deepEqual([typed.code, /--input '\{"order":7\}'/.test(typed.err)], [2, true])
  })

  test('explain prints subjects, rules with lines and the decision', async () => {
    write(rules)
    const { code, out, err } = await cli.run('policy', 'explain', 'run', 'git status && curl x', '--as', 'guest', '--agent', 'payer')
    assert.equal(code, 0, err)
    assert.match(
      out,
      /^Subjects:\n {2}run\(git status\) → allow\n {2}run\(curl x\) → ask\nRules and grants:\n {2}allow: run\(git status \*\) \(line \d+\)\nDecision: ask\n {2}No rule or grant allows run\(curl x\)\.\n$/,
    )
    assert.match(err, /From \.\/parley\.yaml\. Grants are not included/)
    const denied = await cli.json<PolicyExplanation>('policy', 'explain', 'run', 'git push origin main -f')
    const line = rules.split('\n').findIndex((text) => text.includes('deny: run(git push')) + 1
    assert.deepEqual([denied.decision, denied.rules], ['deny', [{ rule: 'deny: run(git push --force)', line }]])
    assert.match(denied.because, /Open a pull request instead\./)
    const keys = await cli.json<PolicyExplanation>('policy', 'explain', 'mcp', 'bank/transfer')
    assert.deepEqual([keys.decision, keys.keys, keys.onceOnly], ['ask', 2, true])
    const decisions = await Promise.all(
      [
        ['read', 'parley.yaml'],
        ['write', '.git/config'],
        ['read', '.env'],
        ['net', 'example.org'],
        ['message', 'telegram:5'],
        ['deploy'],
      ].map(async (args) => (await cli.json<PolicyExplanation>('policy', 'explain', ...args)).decision),
    )
    assert.deepEqual(decisions, ['deny', 'deny', 'deny', 'ask', 'ask', 'ask'])
    const byInput = await cli.json<PolicyExplanation>('policy', 'explain', 'read_file', '--input', '{"path":"parley.yaml"}')
    assert.deepEqual([byInput.decision, byInput.subjects], ['deny', [{ subject: 'read(parley.yaml)', decision: null }]])
    assert.equal((await cli.json<PolicyExplanation>('policy', 'explain', 'run', 'ls', '--as', 'peer')).decision, 'deny')
    assert.equal((await cli.run('policy', 'explain', 'run')).code, 2)
    assert.equal((await cli.run('policy', 'explain', 'run', 'ls', '--as', 'king')).code, 2)
    const nobody = await cli.run('policy', 'explain', 'run', 'ls', '--agent', 'zoe', '--json')
    assert.deepEqual([nobody.code, getCode(nobody)], [1, 'agent_not_found'])
  })

  test('show prints preset, people and rules with their lines', async () => {
    const { out } = await cli.run('policy', 'show')
    assert.match(out, /People:\n {2}mia {2}owner {2}telegram 42\n {2}ann {2}operator\n {2}bob {2}member\nApprovers: bob\nRules:/)
    assert.match(out, /allow: run\(git status \*\) {2}for guest and above · line \d+/)
    assert.match(out, /deny: run\(git push --force\) {2}line \d+\n {4}Open a pull request instead\./)
    assert.match(out, /ask: mcp\(bank\/transfer\) {2}2 keys · Approvers: ann, bob · after 4 h also to mia · line \d+/)
    const view = await cli.json<PolicyView>('policy', 'show')
    assert.deepEqual([view.preset, view.rules.length, view.approvers], ['ask', 3, ['bob']])
  })

  test('test counts examples, and fails when one does not hold or there is none', async () => {
    const passed = await cli.run('policy', 'test')
    assert.deepEqual([passed.code, passed.out], [0, '✓ 2 examples of 1 rule pass.\n  2 rules have no examples.\n'])
    const counted = await cli.json<{ ok: boolean; rules: number; examples: number; untested: number }>('policy', 'test')
    assert.deepEqual([counted.ok, counted.rules, counted.examples, counted.untested], [true, 3, 2, 2])

    write(rules.replace('not: [git push]', 'not: [git push --force]'))
    const failed = await cli.run('policy', 'test')
    assert.equal(failed.code, 1)
    assert.match(
      failed.out,
      /parley\.yaml:\d+: policy\.rules\.1\.examples\.not\.0: the rule deny: run\(git push --force\) matches the example/,
    )
    const invalid = await cli.run('policy', 'show', '--json')
    assert.deepEqual([invalid.code, invalid.out, getCode(invalid)], [1, '', 'config_invalid'])

    write(`${team}policy:\n  rules:\n    - allow: run(ls *)\n`)
    const none = await cli.run('policy', 'test')
    assert.equal(none.code, 1)
    assert.match(none.out, /Nothing was tested: the rule has no examples\./)
    assert.match(none.err, /Add examples to a rule/)
    write(team)
    assert.match((await cli.run('policy', 'test')).out, /has no rules, so there is nothing to test/)
  })
})
