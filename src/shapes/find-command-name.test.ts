import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asTyped } from './as-typed.ts'
import { findCommandName } from './find-command-name.ts'

test('findCommandName: the words that work where the program was started', () => {
  assert.equal(findCommandName({ npm_lifecycle_event: 'parley' }, true), 'npm run parley --')
  assert.equal(findCommandName({ npm_lifecycle_event: 'start' }, true), 'npm run parley --')
  assert.equal(findCommandName({ npm_lifecycle_event: 'test' }, true), 'parley')
  assert.equal(findCommandName({ npm_lifecycle_event: 'npx' }, false), 'npx parley-runtime')
  assert.equal(findCommandName({}, false), 'parley')
})

test('findCommandName: outside the clone npm is told where the clone is', () => {
  const name = (folder: string, clone = '/srv/parley'): string =>
    findCommandName({ npm_lifecycle_event: 'parley', INIT_CWD: folder }, true, clone)
  assert.equal(name('/srv/parley'), 'npm run parley --')
  assert.equal(name('/srv/parley/examples'), 'npm run parley --')
  assert.equal(name('/srv/trips'), 'npm --prefix /srv/parley run parley --')
  assert.equal(name('/srv/parley-trips'), 'npm --prefix /srv/parley run parley --')
  assert.equal(name('/srv', '/srv/my clone'), 'npm --prefix "/srv/my clone" run parley --')
})

test('asTyped: changes commands, and neither names nor a command that is already right', () => {
  const inClone = (text: string): string => asTyped(text, 'npm run parley --')
  assert.equal(inClone('./.parley does not exist'), './.parley does not exist')
  assert.equal(inClone('Set a key: parley model set'), 'Set a key: npm run parley -- model set')
  assert.equal(inClone('请设置：parley model set'), '请设置：npm run parley -- model set')
  assert.equal(inClone(inClone('parley link (or parley token create)')), 'npm run parley -- link (or npm run parley -- token create)')
  const elsewhere = 'npm --prefix /srv/parley run parley --'
  assert.equal(asTyped(asTyped('Set a key: parley model set', elsewhere), elsewhere), `Set a key: ${elsewhere} model set`)
  assert.equal(inClone('Parley runs; see parley.yaml and .parley'), 'Parley runs; see parley.yaml and .parley')
})
