import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Cause } from '../../authority/cause.ts'
import type { Role } from '../../authority/roles.ts'
import type { TaskDocuments } from '../../ports/task-documents.ts'
import { simulatedClock } from '../../testing/simulated-clock.ts'
import { textFiles } from '../minds/text-files.ts'
import { hashContent } from './section.ts'
import { taskdocs } from './taskdoc.ts'
import { versionLimits } from './versions.ts'

const clock = simulatedClock()

function freshProject(t: { after(work: () => void): void }): { root: string; documents: ReturnType<typeof taskdocs> } {
  const root = mkdtempSync(join(tmpdir(), 'parley-taskdoc-versions-'))
  t.after(() => rmSync(root, { recursive: true }))
  return { root, documents: taskdocs(root, textFiles(clock), clock) }
}

const toCause = (name: string, role: Role): Cause => ({ by: [{ id: `person:${name}`, name, role }], role, origin: 'message' })

function write(
  documents: TaskDocuments,
  content: string,
  more: { name?: string; role?: Role; selector?: string; knownHash?: string | null } = {},
) {
  const { name = 'mia', role = 'owner', selector = 'goals', knownHash = null } = more
  return documents.change('plan.tsk', {
    section: { category: null, selector },
    content,
    knownHash,
    cause: toCause(name, role),
    by: { kind: 'human', name },
  })
}

const goals = { category: null, selector: 'goals' }

test('show: sections with their text, their hash and who changed them last', async (t) => {
  const { root, documents } = freshProject(t)
  assert.equal(documents.create('plan.tsk'), true)
  assert.deepEqual(
    documents.show('plan.tsk').sections.map(({ selector, text, hash, changed }) => [selector, text, hash, changed]),
    ['goals', 'constraints', 'progress'].map((name) => [name, '', 'none', null]),
    'a new document shows where to begin',
  )
  const at = clock.now()
  write(documents, 'a house', { name: 'bob', role: 'member' })
  const [shown] = documents.show('plan.tsk').sections
  assert.deepEqual(shown, {
    ...goals,
    text: 'a house',
    hash: hashContent('a house'),
    changed: { at, by: { kind: 'human', name: 'bob', role: 'member' } },
  })
  writeFileSync(join(root, 'plan.tsk/goals.md'), 'a boat')
  assert.equal(documents.show('plan.tsk').sections[0]?.changed?.by, null, 'an editor names nobody')
})

test('change: a section that is not what its writer has read stays as it is, and its text is told by its hash', (t) => {
  const { root, documents } = freshProject(t)
  write(documents, 'first', { knownHash: 'none' })
  write(documents, 'second', { knownHash: hashContent('first') })
  const refused = write(documents, 'third', { knownHash: hashContent('first') })
  assert.ok('stale' in refused && refused.stale.includes(hashContent('second')), JSON.stringify(refused))
  assert.equal(readFileSync(join(root, 'plan.tsk/goals.md'), 'utf8'), 'second')
  assert.deepEqual(
    write(documents, 'second', { knownHash: hashContent('first') }),
    { hash: hashContent('second'), isNew: false },
    'the same text again is no conflict',
  )
})

test('versions: every text that stood there, the latest first, also one that was written by hand', async (t) => {
  const { root, documents } = freshProject(t)
  write(documents, 'one')
  writeFileSync(join(root, 'plan.tsk/goals.md'), 'two, by hand')
  write(documents, 'three', { name: 'ann', role: 'operator' })
  write(documents, 'other', { selector: 'progress' })
  const versions = documents.versions('plan.tsk', goals)
  assert.deepEqual(
    versions.map(({ version, by, chars }) => [documents.readVersion('plan.tsk', version), by?.name ?? null, chars]),
    [
      ['three', 'ann', 5],
      ['two, by hand', null, 12],
      ['one', 'mia', 3],
    ],
  )
  assert.equal(documents.versions('plan.tsk').length, 4)
  assert.equal(documents.readVersion('plan.tsk', '../../secret'), null)
  assert.equal(documents.readVersion('plan.tsk', 'index'), null)
})

test('versions: their number and their text are bounded, and files of old ones are removed', (t) => {
  const { root, documents } = freshProject(t)
  const folder = join(root, 'plan.tsk/.versions')
  for (let n = 0; n < versionLimits.versions + 5; n += 1) write(documents, `text ${n}`)
  assert.equal(documents.versions('plan.tsk').length, versionLimits.versions)
  assert.equal(readdirSync(folder).length, versionLimits.versions + 1)
  const long = 'x'.repeat(99_000)
  for (let n = 0; n < 30; n += 1) write(documents, `${n} ${long}`)
  const kept = documents.versions('plan.tsk')
  assert.ok(kept.reduce((sum, { chars }) => sum + chars, 0) <= versionLimits.versionsChars)
  assert.ok(kept[0]?.chars === `29 ${long}`.length, 'the newest one stays')
  assert.equal(readdirSync(folder).length, kept.length + 1)
})

test('versions: a damaged list counts as an empty one, and nothing is read outside of the document', (t) => {
  const { root, documents } = freshProject(t)
  write(documents, 'one')
  writeFileSync(join(root, 'plan.tsk/.versions/index.json'), '[{"version":"../../secret","at":1}, 7, null]')
  assert.deepEqual(documents.versions('plan.tsk'), [])
  mkdirSync(join(root, 'elsewhere'))
  mkdirSync(join(root, 'linked.tsk'))
  symlinkSync('../elsewhere', join(root, 'linked.tsk/.versions'))
  const change = {
    section: goals,
    content: 'x',
    knownHash: null,
    cause: toCause('mia', 'owner'),
    by: { kind: 'human', name: 'mia' },
  } as const
  assert.throws(() => documents.change('linked.tsk', change), /outside of the task document/)
  assert.deepEqual(readdirSync(join(root, 'elsewhere')), [])
})

test('list and create: folders of the project; hidden ones, packages and links are none of them', (t) => {
  const { root, documents } = freshProject(t)
  for (const folder of ['b.tsk', 'plans/a.tsk/deep.tsk', '.minds/x.tsk', 'node_modules/p/y.tsk', 'plain'])
    mkdirSync(join(root, folder), { recursive: true })
  symlinkSync('b.tsk', join(root, 'link.tsk'))
  assert.deepEqual(documents.list(), ['b.tsk', 'plans/a.tsk'])
  assert.equal(documents.create('b.tsk'), false)
  assert.equal(documents.create('plans/new/c.tsk'), true)
  assert.deepEqual(documents.list(), ['b.tsk', 'plans/a.tsk', 'plans/new/c.tsk'])
  for (const path of ['../up.tsk', '/tmp/up.tsk', '.git/x.tsk', 'node_modules/x.tsk', 'b.tsk/x.tsk', 'plan.md', '.tsk'])
    assert.throws(() => documents.create(path), path)
  writeFileSync(join(root, 'file'), '')
  assert.throws(() => documents.create('file/x.tsk'))
})
