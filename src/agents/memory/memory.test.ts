import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { textFiles } from '../minds/text-files.ts'
import { memories } from './memory.ts'
import { memoryTools } from './memory-tools.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-memory-'))
const stored = memories(root, textFiles())
const words = { team: 'Team', own: 'Own', leftOut: (count: number) => `${count} left out` }

const use = async (name: string, input: object, agent = 'ada'): Promise<string> => {
  const tool = memoryTools(stored, { governor: true }).find((one) => one.name === name)
  const checked = tool?.check(input) ?? { fault: 'no tool' }
  assert.ok('input' in checked, JSON.stringify(checked))
  return String(
    await tool?.run(checked.input, {
      dialog: 'd',
      agent,
      call: 'c',
      taskdoc: null,
      isSide: false,
      cause: ownerCause,
      signal: new AbortController().signal,
    }),
  )
}

describe('memories', () => {
  after(() => rmSync(root, { recursive: true }))

  it('are added, replaced, dropped and cleared, each member for itself [memory:tools]', async () => {
    assert.equal(stored.inContext('ada', words), null)
    await use('add_memory', { path: 'people/tom', content: 'likes tea' })
    await use('add_memory', { path: 'people/tom.md', content: 'likes tea' })
    await assert.rejects(use('add_memory', { path: 'people/tom.md', content: 'other' }), /already a memory/)
    await use('add_team_memory', { path: 'rules.md', content: 'be kind' })
    await use('add_memory', { path: 'x.md', content: 'mine' }, 'bob')
    assert.equal(stored.inContext('ada', words), '# Team\n\n## rules.md\n\nbe kind\n\n# Own\n\n## people/tom.md\n\nlikes tea')
    await use('replace_memory', { path: 'people/tom.md', content: 'likes coffee' })
    assert.match(stored.inContext('ada', words) ?? '', /coffee/)
    await assert.rejects(use('replace_memory', { path: 'none.md', content: 'x' }), /There is: people\/tom\.md/)
    await use('drop_memory', { path: 'people/tom.md' })
    await assert.rejects(use('drop_memory', { path: 'people/tom.md' }), /none at all/)
    assert.equal(await use('clear_team_memory', {}), 'Dropped 1.')
    assert.equal(stored.inContext('ada', words), null)
    assert.equal(stored.inContext('bob', words), '# Own\n\n## x.md\n\nmine')
  })

  it('of the team are changed by governors only [memory:governors]', () => {
    assert.deepEqual(
      memoryTools(stored, {}).map(({ name }) => name),
      ['add_memory', 'replace_memory', 'drop_memory', 'clear_memory'],
    )
  })

  it('stay where they belong [memory:paths]', async () => {
    mkdirSync(join(root, 'docs'))
    mkdirSync(join(root, '.minds/memory/individual/eve'), { recursive: true })
    symlinkSync('../../../../docs', join(root, '.minds/memory/individual/eve/out'))
    await assert.rejects(use('add_memory', { path: 'out/x.md', content: 'x' }, 'eve'), /leads out of the memory/)
    await assert.rejects(use('add_memory', { path: '../bob/x.md', content: 'x' }), /"\.\."/)
    await assert.rejects(use('add_memory', { path: '/x.md', content: 'x' }), /not relative/)
    await assert.rejects(use('add_memory', { path: 'a/b/c/d/e/f', content: 'x' }), /not a usable name/)
    await assert.rejects(use('add_memory', { path: 'big', content: 'x'.repeat(20_001) }), /more than 20000/)
    await assert.rejects(use('add_memory', { path: 'empty', content: ' ' }), /empty/)
    assert.deepEqual(readdirSync(join(root, 'docs')), [])
    const before = readdirSync(root)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('..', '.', 'out', 'a', '', '~', 'b.md'), { maxLength: 5 }), async (parts) => {
        await use('add_memory', { path: parts.join('/'), content: 'x' }, 'eve').catch(() => {})
        assert.deepEqual([readdirSync(root), readdirSync(join(root, 'docs'))], [before, []])
      }),
      { numRuns: 200 },
    )
  })

  it('that do not fit are counted', () => {
    const folder = join(root, '.minds/memory/individual/max')
    mkdirSync(folder, { recursive: true })
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, `${name}.md`), name.repeat(40_000))
    assert.match(stored.inContext('max', words) ?? '', /\[1 left out\]$/)
  })
})
