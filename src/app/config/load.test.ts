import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ParleyError } from '../../errors.ts'
import { loadConfig, readConfig } from './load.ts'
import { problemInWords } from './problem.ts'

const read = (text: string, env: Record<string, string> = {}): ReturnType<typeof readConfig> => readConfig(text, 'parley.yaml', env)
const listProblems = (text: string, env: Record<string, string> = {}): string[] => read(text, env).problems.map(problemInWords)

describe('parley.yaml', () => {
  it('may be empty', () => {
    const { config, problems } = read('')
    assert.deepEqual(problems, [])
    assert.deepEqual([config.server.host, config.server.port, config.limits.concurrency, config.team.members], ['127.0.0.1', 4700, 64, {}])
  })

  it('leaves out a broken member with its reason and line, and goes on with the rest', () => {
    const { config, problems } = read(`team:
  members:
    ada: { runtime: scripted }
    bob:
      runtime: modle
`)
    assert.deepEqual(Object.keys(config.team.members), ['ada'])
    const [problem] = problems
    assert.equal(problems.length, 1)
    assert.deepEqual([problem?.path, problem?.line, problem?.kind], ['team.members.bob.runtime', 5, 'wrong-value'])
    assert.match(problem?.why ?? '', /"model".*"bob" is skipped/)
  })

  it('asks whether another key was meant, and ignores the unknown one', () => {
    assert.deepEqual(listProblems('servr: {}\nserver: { prot: 5 }\n'), [
      'parley.yaml:1: servr: the key "servr" is not known. Did you mean "server"?',
      'parley.yaml:2: server.prot: the key "prot" is not known. Did you mean "port"?',
    ])
    const { config } = read('models:\n  m: { provider: anthropic, model: x, temprature: 1 }\n')
    assert.deepEqual(Object.keys(config.models), ['m'])
  })

  it('refuses settings that do nothing, with their line and the edit that fixes it', () => {
    const text = `store:
  path: data
worlds:
  home: { url: https://world.example }
team:
  members:
    ada:
      runtime: scripted
      module: ./ada.ts
      prompt: You are Ada.
    bob: { runtime: model, command: [bob] }
`
    assert.deepEqual(listProblems(text), [
      'parley.yaml:4: worlds.home: the key "home" is not known. Known: host, agents.',
      'parley.yaml:10: team.members.ada.prompt: it has no effect with runtime: scripted. Remove this line, or set runtime: model.',
      'parley.yaml:11: team.members.bob.command: it has no effect with runtime: model. Remove this line, or set runtime: command.',
    ])
    const { config } = read(text)
    assert.deepEqual(Object.keys(config.team.members), ['ada', 'bob'], 'the rest of the entry counts')
    assert.equal(config.store.path, 'data')
  })

  it('names settings that change nothing beside the others', () => {
    const text = `models:
  m: { provider: anthropic, model: x, criticalMaxTokens: 9 }
team:
  budget: { tokens: 5 }
  members:
    ada: { runtime: scripted, toolsets: [memory] }
    bob: { runtime: command, command: [bob], hosts: [a.example], readDirs: [src], governor: true }
`
    const { problems, unused } = read(text)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      unused.map(({ path, line }) => `${line} ${path}`),
      [
        '2 models.m.criticalMaxTokens',
        '4 team.budget',
        '6 team.members.ada.toolsets',
        '7 team.members.bob.readDirs',
        '7 team.members.bob.governor',
      ],
    )
    const used =
      'team: { members: { bob: { runtime: command, command: [bob], toolsets: [ws_read, memory], readDirs: [src], governor: true } } }'
    assert.deepEqual(read(used).unused, [])
  })

  it('refuses a budget in money while a model of the team has no price', () => {
    const text = `models:
  m: { provider: anthropic, model: x }
team:
  members:
    ada: { runtime: model }
budgets:
  dialog: { tokens: 9 }
  day:
    money: 5
`
    assert.deepEqual(listProblems(text), [
      'parley.yaml:9: budgets.day.money: the model m has no price, so money cannot be counted. Add models.m.price: { inputPerMillion: …, outputPerMillion: … }, or use tokens.',
    ])
    const priced = text.replace('model: x }', 'model: x, price: { inputPerMillion: 1, outputPerMillion: 2 } }')
    assert.deepEqual(listProblems(priced), [])
    const fallback = priced
      .replace('model: x,', 'model: x, fallback: other,')
      .replace('\nteam:', '\n  other: { provider: anthropic, model: y }\nteam:')
    assert.match(listProblems(fallback).join(), /the model other has no price/)
  })

  it('uses the default for one wrong value and keeps its neighbours', () => {
    const { config, problems } = read('server: { port: 99999, host: 0.0.0.0 }\nlimits: { concurrency: many, bodyBytes: 5000 }\n')
    assert.deepEqual(
      [config.server.port, config.server.host, config.limits.concurrency, config.limits.bodyBytes],
      [4700, '0.0.0.0', 64, 5000],
    )
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['server.port', 'limits.concurrency'],
    )
  })

  it('accepts the port of a variable only in its range', () => {
    const readPort = (port: string) => {
      const { config, problems } = read('server: { port: "${PORT}" }', { PORT: port })
      return [config.server.port, ...problems.map(({ why }) => why)]
    }
    for (const port of ['0', '80', '65535']) assert.deepEqual(readPort(port), [Number(port)])
    for (const port of ['65536', '99999', 'many']) assert.deepEqual(readPort(port), [4700, 'it must be a port from 0 to 65535'])
  })

  it('lets a wrong item take its list with it', () => {
    const { config, problems } = read('server: { origins: [https://a.example, nonsense] }\n')
    assert.deepEqual([config.server.origins, problems.length], [[], 1])
  })

  it('fills variables and says which are missing, never what they hold', () => {
    const text =
      'models:\n  a: { provider: anthropic, model: x, apiKey: "${A_KEY}" }\n  b: { provider: anthropic, model: x, apiKey: "${B_KEY}" }\n'
    const { config, problems } = read(text, { A_KEY: 'secret-value' })
    assert.equal(config.models.a?.apiKey, 'secret-value')
    assert.deepEqual(Object.keys(config.models), ['a'])
    assert.deepEqual(problems.map(problemInWords), ['parley.yaml:3: models.b.apiKey: the environment variable B_KEY is not set'])
    assert.ok(!JSON.stringify(problems).includes('secret-value'))
  })

  it('knows otherwise-values, escapes, and leaves other dollars alone', () => {
    const member = (about: string, env: Record<string, string> = {}): string | undefined =>
      read(`team: { members: { a: { runtime: model, about: ${JSON.stringify(about)} } } }`, env).config.team.members.a?.about
    assert.equal(member('${NAME:-Ada} costs $5, `${name}` and $${NAME}'), 'Ada costs $5, `${name}` and ${NAME}')
    assert.equal(member('${NAME:-Ada}', { NAME: 'Bob' }), 'Bob')
    assert.equal(read('server: { port: "${PORT}" }', { PORT: '8080' }).config.server.port, 8080)
  })

  it('refuses what is no configuration at all, with the place', () => {
    for (const text of ['team: [unclosed', '- a\n- b\n', 'just words', 'a: 1\na: 2\n', 'a: &x [*x, *x]\nb: *nowhere\n']) {
      assert.throws(
        () => read(text),
        (error: unknown) => error instanceof ParleyError && error.code === 'config_invalid' && !error.message.includes('?'),
        text,
      )
    }
  })

  it('says when the file is missing, unless it may be', () => {
    assert.throws(
      () => loadConfig('no/such/parley.yaml'),
      (error: unknown) => error instanceof ParleyError && error.code === 'config_unreadable',
    )
    assert.deepEqual(loadConfig('no/such/parley.yaml', { optional: true }).problems, [])
  })

  it('never throws anything else and never loops, whatever values stand where', () => {
    const section = fc.constantFrom('server', 'store', 'models', 'team', 'limits', 'channels', 'plugins', '__proto__', 'x')
    const key = fc.constantFrom('host', 'port', 'origins', 'members', 'default', 'concurrency', 'a', 'url', '', 'constructor')
    const leaf = fc.oneof(
      fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown),
      fc.constantFrom('${NOT_SET}', ['${NOT_SET}'], { runtime: 'model' }, { a: { runtime: 'nope' } }),
    )
    fc.assert(
      fc.property(fc.dictionary(section, fc.oneof(leaf, fc.dictionary(key, leaf)), { noNullPrototype: true }), (value) => {
        const { config } = read(JSON.stringify(value))
        assert.equal(typeof config.limits.concurrency, 'number')
      }),
      { numRuns: 500 },
    )
  })
})
