import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '../../ports/ids.ts'
import { buildOfDialog, dialogOfBuild, isBuildId, isOfBuild } from './build-dialog.ts'

test('a build, its dialog and every other stream are told apart by their names', () => {
  const build = randomIds.uuid(Date.now())
  const dialog = dialogOfBuild(build)
  assert.equal(buildOfDialog(dialog), build)
  assert.deepEqual([isBuildId(build), isOfBuild(dialog)], [true, true])
  for (const other of [dialog, randomIds.next('dlg'), `doc_${build}`, `${build}0`, build.toUpperCase(), ''])
    assert.equal(isBuildId(other), false, other)
  for (const other of [build, randomIds.next('dlg'), `dlg_dlg_${build}`]) assert.equal(isOfBuild(other), false, other)
})
