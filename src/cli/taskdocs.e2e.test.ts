import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

const cli = cliFolder()

before(() => cli.serve())
after(() => cli.close())

test('a task document is made, given to a new dialog, changed and read, and its history is kept', async () => {
  assert.match((await cli.run('taskdocs', 'list')).err, /No task documents in this project\. Make one: parley taskdocs create/)
  const created = await cli.run('taskdocs', 'create', 'plans/garden.tsk')
  assert.equal(created.code, 0, created.err)
  assert.match(created.err, /parley chat --taskdoc plans\/garden\.tsk/)
  assert.match((await cli.run('taskdocs', 'create', 'plans/garden.tsk')).err, /there already/)
  assert.equal((await cli.run('taskdocs', 'list')).out, 'plans/garden.tsk\n')

  const sent = await cli.run('send', 'Hello', '--taskdoc', 'plans/garden.tsk', '--json')
  assert.equal(sent.code, 0, sent.err)
  assert.match((await cli.run('taskdocs', 'change', 'last', 'goals', 'A pond')).out, /^Changed goals\. Its hash is now [\da-f]{12}\.\n$/)
  assert.equal((await cli.run('taskdocs', 'change', 'last', 'goals', 'A pond with fish')).code, 0)
  const shown = await cli.run('taskdocs', 'show', 'last')
  assert.match(shown.out, /^plans\/garden\.tsk\n\ngoals {2}last changed by the owner, [^\n]+ · [\da-f]{12}\nA pond with fish\n/)

  const history = JSON.parse((await cli.run('taskdocs', 'history', 'last', '--json')).out) as { version: string; chars: number }[]
  assert.deepEqual(
    history.map(({ chars }) => chars),
    ['A pond with fish', 'A pond'].map(({ length }) => length),
  )
  assert.equal((await cli.run('taskdocs', 'history', 'last', history[1]?.version.slice(0, 8) ?? '')).out, 'A pond\n')
  assert.match((await cli.run('dialogs', 'show', 'last')).out, /changed "goals" in the task document/)
})

test('a newer section is not overwritten, and mistakes say what to do', async () => {
  const file = join(cli.dir, 'plans/garden.tsk/goals.md')
  const { sections } = JSON.parse((await cli.run('taskdocs', 'show', 'last', 'goals', '--json')).out) as { sections: { hash: string }[] }
  writeFileSync(file, 'by hand')
  const stale = await cli.run('taskdocs', 'change', 'last', 'goals', 'mine', '--hash', sections[0]?.hash ?? '')
  assert.equal(stale.code, 1)
  assert.match(stale.err, /"goals" has changed since you read it\.[^]*Nothing was overwritten/)
  assert.equal(readFileSync(file, 'utf8'), 'by hand')
  assert.match((await cli.run('taskdocs', 'change', 'last', 'plans', 'x')).err, /one of goals, constraints, progress/)
  const outside = await cli.run('send', 'Hello', '--taskdoc', '../up.tsk')
  assert.equal(outside.code, 1)
  assert.match(outside.err, /cannot be a task document/)
  assert.equal((await cli.run('chat', '--to', 'last', '--taskdoc', 'plans/garden.tsk')).code, 2)
  assert.ok(!existsSync(join(cli.dir, '../up.tsk')))
})

test('a model that the agent does not offer is refused', async () => {
  const refused = await cli.run('chat', '--to', 'last', '--model', 'huge')
  assert.equal(refused.code, 1)
  assert.match(refused.err, /People cannot choose the model "huge"/)
})
