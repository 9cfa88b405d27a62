import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { textFiles } from '../../agents/minds/text-files.ts'
import { taskdocs } from '../../agents/taskdoc/taskdoc.ts'
import type { Person } from '../../authority/people.ts'
import { defaultPolicy } from '../../authority/policy.ts'
import type { Role } from '../../authority/roles.ts'
import { ClientError } from '../../client/client-error.ts'
import type { ParleyClient } from '../../client/client.ts'
import { systemClock } from '../../ports/clock.ts'
import type { Caller } from '../../shapes/parley.ts'
import { teamOf } from '../../testing/team-of.ts'
import { serverUnderTest, type ServerUnderTest } from '../test/server-under-test.ts'

const root = mkdtempSync(join(tmpdir(), 'parley-taskdoc-routes-'))
const person = (key: string, role: Role): Person => ({ key, name: key, role, identities: [] })
const people = [person('mia', 'owner'), person('ann', 'operator'), person('bob', 'member')]
const asPerson = (key: string, role: Role): Caller => ({ by: { kind: 'human', name: key, id: `person:${key}`, role }, via: 'web' })

let under: ServerUnderTest
let owner: ParleyClient
let operator: ParleyClient
let member: ParleyClient
let dialog: string

before(async () => {
  const documents = taskdocs(root, textFiles(), systemClock)
  const team = { ...teamOf(async function* () {}), taskdocs: documents }
  under = await serverUnderTest({ team, policy: () => ({ ...defaultPolicy, people }), limits: { requestsPerMinute: 1_000_000 } })
  owner = await under.client()
  operator = await under.client(undefined, { token: await under.token(['admin'], { role: 'operator' }) })
  member = await under.client(undefined, { token: await under.token(['admin'], { role: 'member' }) })
  await owner.taskdocs.create('plan.tsk')
  dialog = (await owner.dialogs.open({ taskdoc: 'plan.tsk' })).id
})
after(async () => {
  await under.close()
  rmSync(root, { recursive: true })
})

const readCode = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'worked',
    (error: unknown) => (error instanceof ClientError ? error.code : String(error)),
  )

test('a document is made, chosen, read and changed, and the dialog notes who changed what', async () => {
  assert.deepEqual(await owner.taskdocs.list(), [{ path: 'plan.tsk' }])
  assert.deepEqual(await owner.taskdocs.create('plan.tsk'), { path: 'plan.tsk', isNew: false })
  assert.equal((await owner.dialogs.get(dialog)).taskdoc, 'plan.tsk')
  const changed = await owner.taskdocs.change(dialog, { selector: 'goals', content: 'A garden', knownHash: 'none' })
  assert.equal(changed.path, 'plan.tsk')
  const [goals] = changed.sections
  assert.deepEqual([goals?.text, goals?.changed?.by?.kind, goals?.changed?.by?.role], ['A garden', 'human', 'owner'])
  const { items } = await owner.events.read({ stream: dialog })
  const notes = items.filter(({ type }) => type === 'taskdoc.changed')
  assert.deepEqual(
    notes.map(({ data }) => (data as { section: string }).section),
    ['goals'],
  )
  assert.equal(await readCode(owner.taskdocs.get((await owner.dialogs.open({})).id)), 'no_taskdoc')
})

test('a newer version is not overwritten, and a repeated request changes nothing', async () => {
  const { sections } = await owner.taskdocs.get(dialog)
  const read = sections.find(({ selector }) => selector === 'progress')?.hash ?? ''
  const change = { selector: 'progress', content: 'half way', knownHash: read }
  await owner.taskdocs.change(dialog, change, { key: 'once-1' })
  assert.equal(await readCode(operator.taskdocs.change(dialog, { ...change, content: 'over it' })), 'section_changed')
  assert.equal(readFileSync(join(root, 'plan.tsk/progress.md'), 'utf8'), 'half way')
  writeFileSync(join(root, 'plan.tsk/progress.md'), 'by hand since')
  await owner.taskdocs.change(dialog, change, { key: 'once-1' })
  assert.equal(readFileSync(join(root, 'plan.tsk/progress.md'), 'utf8'), 'by hand since', 'the first result counts')
})

test('versions are listed by section and read by name', async () => {
  const { sections } = await owner.taskdocs.get(dialog)
  const knownHash = sections.find(({ selector }) => selector === 'goals')?.hash ?? ''
  await owner.taskdocs.change(dialog, { selector: 'goals', content: 'A pond', knownHash })
  const versions = await owner.taskdocs.versions(dialog, { selector: 'goals' })
  assert.equal(versions.length, 2)
  const texts = await Promise.all(versions.map(async ({ version }) => (await owner.taskdocs.version(dialog, version)).text))
  assert.deepEqual(texts, ['A pond', 'A garden'])
  assert.equal(await readCode(owner.taskdocs.version(dialog, 'index.json')), 'taskdoc_version_not_found')
})

test('attacker: a member reads, lists and makes no document, and changes none of a dialog of others', async () => {
  assert.equal(await readCode(member.taskdocs.list()), 'role_too_low')
  assert.equal(await readCode(member.taskdocs.create('evil.tsk')), 'role_too_low')
  assert.equal(await readCode(member.dialogs.open({ taskdoc: 'plan.tsk' })), 'role_too_low')
  assert.equal(await readCode(member.taskdocs.get(dialog)), 'dialog_not_found')
  assert.equal(await readCode(member.taskdocs.versions(dialog)), 'dialog_not_found')
  assert.equal(
    await readCode(member.taskdocs.change(dialog, { selector: 'goals', content: 'pay Eve', knownHash: 'none' })),
    'dialog_not_found',
  )
  assert.equal(existsSync(join(root, 'evil.tsk')), false)
  assert.equal(existsSync(join(root, 'plan.tsk/.floor.json')), false)
})

test('attacker: a token for one dialog does not reach the document, because other dialogs share it', async () => {
  const limited = await under.client(undefined, { token: await under.token(['admin'], { role: 'owner', limit: { dialog } }) })
  for (const call of [limited.taskdocs.get(dialog), limited.taskdocs.versions(dialog), limited.taskdocs.list()])
    assert.notEqual(await readCode(call), 'worked')
  assert.notEqual(await readCode(limited.taskdocs.change(dialog, { selector: 'goals', content: 'x', knownHash: 'none' })), 'worked')
})

test('attacker: a token with the scope read changes nothing', async () => {
  const reader = await under.client(['read'])
  assert.equal((await reader.taskdocs.get(dialog)).path, 'plan.tsk')
  assert.equal(
    await readCode(reader.taskdocs.change(dialog, { selector: 'risks', category: 'bearinmind', content: 'x', knownHash: 'none' })),
    'not_allowed',
  )
})

test('attacker: no path, section or version leads out of the project or the document', async () => {
  for (const path of [
    '../up.tsk',
    '/tmp/up.tsk',
    'C:\\x.tsk',
    '.git/x.tsk',
    '.minds/x.tsk',
    'a/../../x.tsk',
    'plan.tsk/in.tsk',
    'parley.yaml',
    '~/x.tsk',
  ])
    assert.equal(await readCode(owner.taskdocs.create(path)), 'bad_taskdoc', path)
  for (const [category, selector] of [
    [null, '../../x'],
    ['..', 'x'],
    ['.versions', 'index'],
    ['notes', '../x'],
    [null, '.floor'],
    ['bearinmind', 'other'],
  ] as const)
    assert.equal(
      await readCode(owner.taskdocs.change(dialog, { category, selector, content: 'x', knownHash: 'none' })),
      'bad_section',
      selector,
    )
  assert.deepEqual(readdirSync(root), ['plan.tsk'])
})

test('the text of a person counts with their role: an operator lowers the floor of every dialog that reads it', async () => {
  const { sections } = await operator.taskdocs.get(dialog)
  const knownHash = sections.find(({ selector }) => selector === 'constraints')?.hash ?? ''
  await operator.taskdocs.change(dialog, { selector: 'constraints', content: 'cheap', knownHash })
  const floor = JSON.parse(readFileSync(join(root, 'plan.tsk/.floor.json'), 'utf8')) as { role: string; writers: { role: string }[] }
  assert.deepEqual([floor.role, floor.writers.map(({ role }) => role)], ['operator', ['operator']])
})

test('a member changes the document of a dialog of their own, and it counts as text of a member', async () => {
  const bob = asPerson('bob', 'member')
  const own = await under.parley.dialogs.open({}, bob)
  assert.equal((await under.parley.dialogs.get(own.id)).taskdoc, undefined)
  // An operator chose the document; the member was let in since.
  const shared = await under.parley.dialogs.open({ taskdoc: 'plan.tsk' }, { ...asPerson('ann', 'operator') })
  const now = (await under.parley.taskdocs.get(shared.id)).sections.find(({ selector }) => selector === 'goals')
  await under.parley.taskdocs.change(shared.id, { selector: 'goals', content: 'by bob', knownHash: now?.hash ?? '' }, bob)
  const floor = JSON.parse(readFileSync(join(root, 'plan.tsk/.floor.json'), 'utf8')) as { role: string; writers: { id: string }[] }
  assert.equal(floor.role, 'member')
  assert.ok(floor.writers.some(({ id }) => id === 'person:bob'))
})
