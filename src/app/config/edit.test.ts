import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { ParleyError } from '../../errors.ts'
import { getInConfig, maskSecrets, setInConfig } from './edit.ts'
import { configJsonSchema } from './json-schema.ts'

const original = `# Our house rules
team:
  default: ada # the friendly one
  members:
    ada: # first
      runtime: scripted

    # bob is new
    bob: { runtime: command, command: [node, bob.js] }
models: {}
`

describe('changing parley.yaml', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-config-'))
    file = join(folder, 'parley.yaml')
    writeFileSync(file, original)
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const text = (): string => readFileSync(file, 'utf8')

  it('changes one value and nothing else', () => {
    setInConfig(file, 'team.default', 'bob')
    assert.equal(text(), original.replace('default: ada #', 'default: bob #'))
  })

  it('adds a model under its name, dots and all, and takes it out again', () => {
    setInConfig(file, ['models', 'gpt-4.1'], { provider: 'openai-compatible', model: 'gpt-4.1', apiKey: '${OPENAI_API_KEY}' })
    assert.deepEqual(getInConfig(file, ['models', 'gpt-4.1', 'apiKey']), '${OPENAI_API_KEY}')
    for (const comment of ['# Our house rules', '# the friendly one', '# first', '# bob is new'])
      assert.ok(text().includes(comment), comment)
    setInConfig(file, ['models', 'gpt-4.1'], undefined)
    assert.deepEqual(getInConfig(file, 'models'), {})
  })

  it('refuses what would not work and writes nothing', () => {
    for (const [path, value] of [
      ['server.port', 'high'],
      ['servr.port', 5],
      ['models.x', { provider: 'openia', model: 'y' }],
      ['team.members.ada.runtime', 'robot'],
    ] as const) {
      assert.throws(
        () => setInConfig(file, path, value),
        (error: unknown) => error instanceof ParleyError && error.code === 'config_invalid',
        path,
      )
      assert.equal(text(), original)
    }
    assert.deepEqual(readdirSync(folder), ['parley.yaml'])
  })

  it('does not judge a variable by what is set here', () => {
    setInConfig(file, 'server.port', '${PORT}')
    setInConfig(file, 'models.a', { provider: 'openai-compatible', model: 'x', baseUrl: '${MODEL_URL}' })
    assert.equal(getInConfig(file, 'server.port'), '${PORT}')
  })

  it('edits a file that has other problems, and creates a missing one, for its owner only', () => {
    writeFileSync(file, 'servr: 1\n')
    setInConfig(file, 'server.port', 4711)
    assert.equal(text(), 'servr: 1\nserver:\n  port: 4711\n')
    const fresh = join(folder, 'fresh.yaml')
    setInConfig(fresh, 'team.members.ada', { runtime: 'scripted' })
    assert.equal(readFileSync(fresh, 'utf8'), 'team:\n  members:\n    ada:\n      runtime: scripted\n')
    assert.equal(statSync(fresh).mode & 0o077, 0)
  })

  it('writes through a link instead of replacing it', () => {
    const link = join(folder, 'link.yaml')
    symlinkSync(file, link)
    setInConfig(link, 'team.default', 'bob')
    assert.ok(text().includes('default: bob'))
  })

  it('hides secrets that were written down, and shows the names of variables', () => {
    assert.deepEqual(maskSecrets({ models: { a: { apiKey: 'sk-1', model: 'x' }, b: { apiKey: '${KEY}' } } }), {
      models: { a: { apiKey: '••••••', model: 'x' }, b: { apiKey: '${KEY}' } },
    })
  })
})

it('parley.schema.json is the schema in use (node src/app/config/json-schema.ts writes it)', () => {
  const published: unknown = JSON.parse(readFileSync(new URL('../../../parley.schema.json', import.meta.url), 'utf8'))
  assert.deepEqual(published, JSON.parse(JSON.stringify(configJsonSchema())))
})
