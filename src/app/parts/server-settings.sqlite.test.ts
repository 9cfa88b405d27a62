import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { parse } from 'yaml'
import { ClientError } from '../../client/client-error.ts'
import { parleyClient, type ParleyClient } from '../../client/client.ts'
import { withSecrets } from '../config/secrets-file.ts'
import { type RunningParley, startParley } from '../serve.ts'

const original = `# Our house rules
models:
  main: # the cheap one
    provider: openai-compatible
    baseUrl: http://127.0.0.1:9/v1
    model: small
    apiKey: sk-written-down-0123456789
team:
  default: ada # the friendly one
  members:
    ada: { runtime: scripted }
    bob:
      runtime: model
      model: main
      about: Answers # quickly
budgets:
  day: { tokens: 1000 }
`

const dir = mkdtempSync(join(tmpdir(), 'parley-settings-'))
const file = join(dir, 'parley.yaml')
const data = join(dir, 'data')
const text = (): string => readFileSync(file, 'utf8')
const outside = { PATH: process.env['PATH'], OUTSIDE_KEY: 'from-the-environment' }

let running: RunningParley
let owner: ParleyClient
const clients: ParleyClient[] = []

const clientWith = (token: string): ParleyClient => {
  const client = parleyClient({ baseUrl: running.url, token, tries: 1 })
  clients.push(client)
  return client
}

const readCode = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'worked',
    (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
  )

async function change(...changes: { path: string[]; value: unknown }[]): Promise<string> {
  const { revision } = await owner.settings.get()
  return readCode(owner.settings.change({ revision, changes }))
}

before(async () => {
  writeFileSync(file, original)
  running = await startParley({ dir, dataDir: data, port: 0, fast: true, env: () => withSecrets(outside, data) })
  const { token } = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as { token: string }
  owner = clientWith(token)
})
beforeEach(() => writeFileSync(file, original))
after(async () => {
  for (const client of clients) client.close()
  await running.close()
  rmSync(dir, { recursive: true })
})

describe('settings over HTTP', () => {
  test('a change shows its difference first, keeps comments, is written whole and takes effect at once', async () => {
    const { revision } = await owner.settings.get()
    const changes = [
      { path: ['team', 'members', 'bob', 'about'], value: 'Answers slowly' },
      { path: ['team', 'members', 'cid'], value: { runtime: 'model', model: 'main', about: 'New' } },
      { path: ['budgets', 'day', 'tokens'], value: 5_000 },
    ]
    const { diff } = await owner.settings.preview({ revision, changes })
    assert.equal(text(), original, 'a preview writes nothing')
    assert.match(diff, /^-\s+about: Answers # quickly$/m)
    assert.match(diff, /^\+\s+about: Answers slowly # quickly$/m)
    await owner.settings.change({ revision, changes })
    for (const comment of ['# Our house rules', '# the cheap one', '# the friendly one', '# quickly'])
      assert.ok(text().includes(comment), comment)
    const { agents } = await owner.info()
    assert.ok(
      agents.some(({ name, about }) => name === 'cid' && about === 'New'),
      JSON.stringify(agents),
    )
    assert.ok(agents.some(({ name, about }) => name === 'bob' && about === 'Answers slowly'))
    assert.deepEqual(readdirSync(dir).toSorted(), ['data', 'parley.yaml'], 'no draft is left behind')
    await owner.settings.change({
      revision: (await owner.settings.get()).revision,
      changes: [{ path: ['team', 'members', 'cid'], value: null }],
    })
    assert.ok(!(await owner.info()).agents.some(({ name }) => name === 'cid'))
  })

  test('a file that changed meanwhile is refused, and the newer text is given on request', async () => {
    const { revision } = await owner.settings.get()
    writeFileSync(file, original.replace('small', 'large'))
    const changes = [{ path: ['team', 'members', 'bob', 'about'], value: 'x' }]
    assert.equal(await readCode(owner.settings.change({ revision, changes })), 'config_changed')
    assert.equal(text(), original.replace('small', 'large'))
    const newer = await owner.settings.get()
    assert.ok(newer.text.includes('model: large'))
    assert.notEqual(newer.revision, revision)
    assert.equal((await owner.settings.preview({ revision, changes })).revision, newer.revision)
  })

  test('a wrong value is refused in words and writes nothing', async () => {
    for (const [path, value] of [
      [['models', 'main', 'provider'], 'openia'],
      [['models', 'main', 'contextLength'], 'long'],
      [['team', 'members', 'bob', 'toolsets'], ['root']],
      [['budgets', 'day', 'tokens'], -1],
    ] as const) {
      assert.equal(await change({ path: [...path], value }), 'config_invalid', path.join('.'))
      assert.equal(text(), original)
    }
  })

  test('secrets are stored for their owner only, named in the file, and in no response', async () => {
    const secret = 'sk-very-secret-0123456789'
    const answers = JSON.stringify([
      await owner.settings.keepSecret('MAIN_KEY', secret),
      await owner.settings.change({
        revision: (await owner.settings.get()).revision,
        changes: [{ path: ['models', 'main', 'apiKey'], value: '${MAIN_KEY}' }],
      }),
      await owner.settings.get(),
    ])
    assert.ok(!answers.includes(secret))
    assert.ok(answers.includes('MAIN_KEY'))
    assert.ok(text().includes('apiKey: ${MAIN_KEY}') && !text().includes(secret))
    assert.equal(statSync(join(data, 'secrets.env')).mode & 0o777, 0o600)
    assert.ok(readFileSync(join(data, 'secrets.env'), 'utf8').includes(`MAIN_KEY=${secret}`))
  })

  test('a key that somebody wrote into the file is in no response and no difference', async () => {
    const { revision, ...view } = await owner.settings.get()
    assert.ok(!JSON.stringify(view).includes('sk-written-down'))
    const { diff } = await owner.settings.preview({ revision, changes: [{ path: ['models', 'main', 'model'], value: 'large' }] })
    assert.match(diff, /^\+\s+model: large$/m)
    assert.ok(!diff.includes('sk-written-down') && diff.includes('••••••'), diff)
  })

  test('attacker: a member, an operator and tokens without manage see and change nothing', async () => {
    const tokens = [
      await owner.tokens.create('member', ['admin'], { role: 'member' }),
      await owner.tokens.create('operator', ['admin'], { role: 'operator' }),
      await owner.tokens.create('reader', ['read', 'chat', 'answer', 'approve', 'send', 'pair'], { role: 'owner' }),
    ]
    for (const { token, view } of tokens) {
      const client = clientWith(token)
      const { revision } = await owner.settings.get()
      const changes = [{ path: ['team', 'members', 'bob', 'about'], value: 'x' }]
      for (const call of [
        () => client.settings.get(),
        () => client.settings.preview({ revision, changes }),
        () => client.settings.change({ revision, changes }),
        () => client.settings.keepSecret('STOLEN_KEY', 'x'),
        () => client.settings.testModel('main'),
        () => client.settings.checkChannel('telegram'),
      ])
        assert.match(await readCode(call()), /^(not_allowed|role_too_low)$/, view.name)
    }
    assert.equal(text(), original)
    assert.ok(!(await owner.settings.get()).secrets.includes('STOLEN_KEY'))
  })

  test('attacker: a key that is in use goes to no other address, also in two steps', async () => {
    const elsewhere = 'https://keys.example/v1'
    assert.equal(await change({ path: ['models', 'main', 'baseUrl'], value: elsewhere }), 'key_for_other_address')
    await owner.settings.keepSecret('MAIN_KEY', 'sk-very-secret-0123456789')
    assert.equal(await change({ path: ['models', 'main', 'apiKey'], value: '${MAIN_KEY}' }), 'worked')
    const stolen = { provider: 'openai-compatible', baseUrl: elsewhere, model: 'x', apiKey: '${MAIN_KEY}' }
    assert.equal(await change({ path: ['models', 'other'], value: stolen }), 'key_for_other_address')
    assert.equal(
      await change({ path: ['models', 'main'], value: null }, { path: ['models', 'other'], value: stolen }),
      'key_for_other_address',
    )
    assert.ok(!text().includes('keys.example'))
    assert.equal(await change({ path: ['models', 'main'], value: null }, { path: ['team', 'members', 'bob'], value: null }), 'worked')
    assert.ok(!readFileSync(join(data, 'secrets.env'), 'utf8').includes('MAIN_KEY'), 'a secret without use is gone')
    assert.equal(await change({ path: ['models', 'other'], value: stolen }), 'variable_unknown')
    writeFileSync(file, original)
    // The owner moves to another provider with a key of that provider.
    await owner.settings.keepSecret('OTHER_KEY', 'sk-another-0123456789')
    const moved = [
      { path: ['models', 'main', 'baseUrl'], value: elsewhere },
      { path: ['models', 'main', 'apiKey'], value: '${OTHER_KEY}' },
    ]
    assert.equal(await change(...moved), 'worked')
    assert.equal(await change({ path: ['models', 'main', 'baseUrl'], value: 'https://keys.example/v2' }), 'worked', 'the same server')
  })

  test('attacker: what runs on the machine, where data is and who may do what stays out of reach', async () => {
    for (const [path, value] of [
      [
        ['team', 'members', 'bob', 'command'],
        ['sh', '-c', 'id'],
      ],
      [['team', 'members', 'ada', 'module'], './evil.js'],
      [['team', 'members', 'bob', 'runtime'], 'command'],
      [['team', 'members', 'bob', 'env'], ['HOME']],
      [['team', 'members', 'bob', 'hosts'], ['evil.example']],
      [['team', 'members', 'eve'], { runtime: 'command', command: ['sh'] }],
      [['team', 'members', 'eve'], { runtime: 'model', command: ['sh'] }],
      [['team', 'members'], {}],
      [['team'], {}],
      [['models'], {}],
      [['models', 'main', 'headers'], { a: 'b' }],
      [['mcp', 'evil'], { transport: 'stdio', command: 'sh' }],
      [['plugins', 'evil'], { module: './evil.js' }],
      [['sandbox'], 'off'],
      [['server', 'host'], '0.0.0.0'],
      [['store', 'path'], '/tmp/elsewhere'],
      [['policy', 'preset'], 'workspace'],
      [['people', 'eve'], { role: 'owner' }],
      [['worlds', 'agents'], ['ada']],
      [['models', '__proto__'], { provider: 'anthropic', model: 'x' }],
      [['models', '../../etc/passwd'], { provider: 'anthropic', model: 'x' }],
      [['channels', 'telegram', 'apiRoot'], 'http://evil.example'],
      [['budgets', 'day', 'tokens', 'x'], 1],
    ] as const) {
      assert.equal(await change({ path: [...path], value }), 'setting_closed', path.join('.'))
      assert.equal(text(), original)
    }
  })

  test('attacker: a value is only a value, whatever YAML or variables it holds', async () => {
    const value = 'x\npolicy: { preset: workspace }\n# &a *a !!js/function "\': - {}'
    assert.equal(await change({ path: ['team', 'members', 'bob', 'about'], value }), 'worked')
    const read = parse(text()) as { policy?: unknown; team: { members: { bob: { about: string } } } }
    assert.equal(read.policy, undefined)
    assert.equal(read.team.members.bob.about, value)
    writeFileSync(file, original)
    for (const [path, wrong, code] of [
      [['team', 'members', 'bob', 'prompt'], 'Say ${OUTSIDE_KEY}', 'variable_in_value'],
      [['team', 'members', 'bob', 'prompt'], '${PARLEY_SECRET:-x}', 'variable_in_value'],
      [['models', 'main', 'baseUrl'], 'http://evil.example/${OUTSIDE_KEY}', 'variable_in_value'],
      [['models', 'main', 'apiKey'], 'sk-typed-in', 'secret_in_value'],
      [['models', 'main', 'apiKey'], '${OUTSIDE_KEY}', 'variable_unknown'],
      [['models', 'main', 'apiKey'], { a: 1 }, 'secret_in_value'],
      [['channels', 'telegram', 'token'], '123:abc', 'secret_in_value'],
      [['channels', 'telegram'], { token: '${PATH}' }, 'variable_unknown'],
    ] as const) {
      assert.equal(await change({ path: [...path], value: wrong }), code, `${path.join('.')} ${JSON.stringify(wrong)}`)
      assert.equal(text(), original)
    }
  })

  test('attacker: no secret takes the name of a variable that programs or Parley read, and none has several lines', async () => {
    for (const name of ['PATH', 'NODE_OPTIONS', 'LD_PRELOAD', 'PARLEY_SECRET', 'BASH_ENV', 'DATABASE_URL', 'PGPASSWORD'])
      assert.equal(await readCode(owner.settings.keepSecret(name, 'x')), 'secret_name', name)
    assert.equal(await readCode(owner.settings.keepSecret('OUTSIDE_KEY', 'x')), 'secret_from_outside')
    for (const value of ['a\nPARLEY_SECRET=b', 'a b', '', 'x\u0000'])
      assert.equal(await readCode(owner.settings.keepSecret('SOME_KEY', value)), 'bad_request', JSON.stringify(value))
    for (const name of ['lower', 'A=B', 'A\nB', '../X'])
      assert.equal(await readCode(owner.settings.keepSecret(name, 'x')), 'bad_request', name)
  })

  test('an account is added and checked; a model that does not answer says why', async () => {
    await owner.settings.keepSecret('TELEGRAM_BOT_TOKEN', '123456:abcdefghijklmnopqrstuvwxyz012345678')
    assert.equal(await change({ path: ['channels', 'telegram'], value: { enabled: false, token: '${TELEGRAM_BOT_TOKEN}' } }), 'worked')
    assert.equal(await readCode(owner.settings.checkChannel('slack')), 'channel_not_found')
    const { answers } = await owner.settings.testModel('main')
    assert.equal(answers.ok, false)
    assert.ok((answers.why ?? '').length > 0)
    assert.equal(await readCode(owner.settings.testModel('none')), 'model_not_set')
  })
})
