import assert from 'node:assert/strict'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import type { ToolContext } from '../../ports/agent-runtime.ts'
import { directoryRules } from './directory-rules.ts'
import { readTools } from './read-tools.ts'
import { protectionOfNames } from './test/protection-of-names.ts'
import { writeTools } from './write-tools.ts'
import { ownerCause } from '../../testing/owner-cause.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-files-'))
mkdirSync(join(root, 'src'))
mkdirSync(join(root, 'plan.tsk'))
writeFileSync(join(root, 'src/a.txt'), 'one\ntwo\nthree\n')
writeFileSync(join(root, 'src/binary'), Buffer.from([1, 0, 2]))
writeFileSync(join(root, 'plan.tsk/goals.md'), 'two secrets')
writeFileSync(join(root, '.env'), 'TOKEN=two')
symlinkSync('a.txt', join(root, 'src/link'))
const rules = directoryRules(root, { writeDirs: ['src', 'plan.tsk', '.git'] }, protectionOfNames(root))
const tools = [...readTools(rules), ...writeTools(rules, () => true)]
const context: ToolContext = {
  dialog: 'd',
  agent: 'a',
  call: 'c',
  taskdoc: null,
  isSide: false,
  cause: ownerCause,
  signal: new AbortController().signal,
}

async function use(name: string, input: object): Promise<string> {
  const tool = tools.find((one) => one.name === name)
  const checked = tool?.check(input) ?? { fault: 'no such tool' }
  assert.ok('input' in checked, JSON.stringify(checked))
  return String(await tool?.run(checked.input, context))
}
const readText = (name: string): string => readFileSync(join(root, name), 'utf8')

describe('file tools', () => {
  after(() => rmSync(root, { recursive: true }))

  it('write nothing when the file is not the one that was approved', async () => {
    const tool = tools.find(({ name }) => name === 'edit_file')
    const input = { path: 'src/base.txt', old_text: 'one', new_text: '1' }
    writeFileSync(join(root, 'src/base.txt'), 'one')
    const approvedFiles = await tool?.gate.bound?.(input)
    assert.deepEqual(Object.keys(approvedFiles ?? {}), ['src/base.txt'])
    writeFileSync(join(root, 'src/base.txt'), 'one more')
    assert.ok(tool && approvedFiles)
    await assert.rejects(tool.run(input, { ...context, approvedFiles }), /has changed since the change was approved/)
    assert.equal(readText('src/base.txt'), 'one more')
    rmSync(join(root, 'src/base.txt'))
  })

  it('list a folder without what is protected', async () => {
    assert.equal(await use('list_dir', {}), 'src/')
    assert.equal(await use('list_dir', { path: 'src' }), 'a.txt\nbinary\nlink@')
    await assert.rejects(use('list_dir', { path: 'plan.tsk' }), /^Error: plan\.tsk is protected\.$/)
    await assert.rejects(use('list_dir', { path: 'nowhere' }), /"nowhere" is not there/)
  })

  it('read files and lines of them, and say what they leave out', async () => {
    assert.equal(await use('read_file', { path: 'src/a.txt' }), 'one\ntwo\nthree\n')
    assert.equal(await use('read_file', { path: 'src/link', from_line: 2, lines: 1 }), 'two\n[2 more lines follow line 2]')
    assert.equal(await use('read_file', { path: 'src/a.txt', from_line: 9 }), '[The file has only 4 lines.]')
    await assert.rejects(use('read_file', { path: 'src/binary' }), /not a text file/)
    await assert.rejects(use('read_file', { path: 'src' }), /not a file/)
    await assert.rejects(use('read_file', { path: '.env' }), /^Error: \.env is protected\.$/)
    writeFileSync(join(root, 'src/long.txt'), 'x'.repeat(60_000))
    assert.match(await use('read_file', { path: 'src/long.txt' }), /\[10000 characters of these lines were omitted\]$/)
    rmSync(join(root, 'src/long.txt'))
  })

  it('find text only where they may read', async () => {
    assert.equal(await use('search_text', { text: 'two' }), 'src/a.txt:2: two')
    assert.equal(await use('search_text', { text: 'TWO', ignore_case: true, path: 'src/a.txt' }), 'src/a.txt:2: two')
    assert.equal(await use('search_text', { text: 'secrets' }), 'Nothing found in 2 files.')
  })

  it('write whole files, and replace one only when told so', async () => {
    assert.equal(await use('write_file', { path: 'src/new/b.txt', content: 'hello' }), 'Written.')
    assert.equal(await use('write_file', { path: 'src/new/b.txt', content: 'hello' }), 'Written.', 'a repeat is no conflict')
    await assert.rejects(use('write_file', { path: 'src/new/b.txt', content: 'other' }), /overwrite/)
    const { mode } = statSync(join(root, 'src/new/b.txt'))
    await use('write_file', { path: 'src/new/b.txt', content: 'other', overwrite: true })
    assert.deepEqual([readText('src/new/b.txt'), statSync(join(root, 'src/new/b.txt')).mode], ['other', mode])
    await assert.rejects(use('write_file', { path: 'b.txt', content: '' }), /may only change src/)
    assert.ok(!existsSync(join(root, 'b.txt')))
    assert.deepEqual(readdirSync(join(root, 'src/new')), ['b.txt'], 'no draft stays behind')
  })

  it('refuse to change a file with a second hard link, and anything in .git', async () => {
    linkSync(join(root, 'src/a.txt'), join(root, 'src/again.txt'))
    await assert.rejects(use('write_file', { path: 'src/again.txt', content: 'x', overwrite: true }), /hard link/)
    await assert.rejects(use('edit_file', { path: 'src/a.txt', old_text: 'one', new_text: 'x' }), /hard link/)
    rmSync(join(root, 'src/again.txt'))
    await assert.rejects(
      use('write_file', { path: '.git/hooks/post-commit', content: 'x' }),
      /^Error: \.git\/hooks\/post-commit is protected\.$/,
    )
    assert.ok(!existsSync(join(root, '.git')))
  })

  it('edit exactly one place', async () => {
    writeFileSync(join(root, 'src/e.txt'), 'a\nb $& b\nc')
    assert.equal(await use('edit_file', { path: 'src/e.txt', old_text: '$&', new_text: '$1 $&' }), 'Changed at line 2.')
    assert.equal(readText('src/e.txt'), 'a\nb $1 $& b\nc')
    await assert.rejects(use('edit_file', { path: 'src/e.txt', old_text: 'b', new_text: '' }), /2 times/)
    await assert.rejects(use('edit_file', { path: 'src/e.txt', old_text: 'zz', new_text: '' }), /not in the file/)
    await assert.rejects(use('edit_file', { path: 'src/binary2', old_text: 'z', new_text: '' }), /not there/)
    assert.equal(tools.find(({ name }) => name === 'edit_file')?.afterCrash, 'ask')
  })

  it('an edit changes what was named and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), async (before, old, next, behind) => {
        const text = `${before}${old}${behind}`.toWellFormed()
        writeFileSync(join(root, 'src/p.txt'), text)
        const at = text.indexOf(old)
        const isOnce = at !== -1 && text.indexOf(old, at + 1) === -1
        const outcome = await use('edit_file', { path: 'src/p.txt', old_text: old, new_text: next }).then(
          () => true,
          () => false,
        )
        if (isOnce) assert.ok(outcome)
        if (outcome) assert.equal(readText('src/p.txt'), text.slice(0, at) + next.toWellFormed() + text.slice(at + old.length))
        else assert.equal(readText('src/p.txt'), text)
      }),
      { numRuns: 100 },
    )
  })
})
