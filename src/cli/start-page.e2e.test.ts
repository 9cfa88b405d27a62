import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cliFolder } from './testing/spawned.ts'

const cli = cliFolder()
after(() => cli.close())

test('parley alone: from an empty folder to an answered question of an own agent', async () => {
  const empty = await cli.run()
  assert.equal(empty.code, 0)
  assert.match(empty.out, /not running in this folder[^]*none: the demo agent answers[^]*parley demo · parley init/)

  const made = await cli.json<{ files: { path: string; isNew: boolean }[] }>('init')
  assert.deepEqual(
    made.files.map(({ isNew }) => isNew),
    [true, true, true],
  )
  assert.match((await cli.run()).out, /\.\/parley\.yaml[^]*parley serve · parley doctor/)

  writeFileSync(join(cli.dir, '.env.example'), 'MINE=1\n')
  const again = await cli.run('init')
  assert.match(again.out, /parley\.yaml exists and was not changed/)
  assert.equal(readFileSync(join(cli.dir, '.env.example'), 'utf8'), 'MINE=1\n')

  await cli.serve()
  assert.equal((await cli.run('send', 'Plan a trip', '--wait')).code, 5)
  assert.match((await cli.run()).out, /1 waiting for you[^]*parley chat · parley inbox · parley open/)
  assert.equal((await cli.run('inbox')).out, (await cli.run('inbox', 'list')).out)
  assert.match((await cli.run('inbox')).out, /ada asks you: Where to\?/)
  assert.equal((await cli.run('answer', 'last', '--choice', 'sea')).code, 0)
  assert.match((await cli.run()).out, /nothing is waiting for you/)

  const { url } = await cli.json<{ url: string }>('open', 'last')
  assert.match(url, /\/c\/dlg_\w+#k=/)
  assert.match((await cli.run('open', 'dlg_none')).err, /There is no dialog dlg_none/)
})
