import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildViewOfAll, emptyBuild } from '../../../src/client/build-view.ts'
import { failedFor, numbered, opening, status, wholeBuild } from '../../../src/client/test/build-logs.ts'
import { nowTitle } from './now-title.ts'

const after = (...events: Parameters<typeof numbered>[0]): string => nowTitle(buildViewOfAll(emptyBuild, numbered(events)), 'en')

test('a build is getting ready until its first step, and not when it ended before', () => {
  assert.equal(nowTitle(emptyBuild, 'en'), 'Getting ready…')
  assert.equal(after(status('running'), status('failed'), failedFor('agent stopped')), 'Starting your build')
  assert.equal(after(status('running'), status('failed'), failedFor('cancelled')), 'Starting your build')
  assert.equal(after(...opening('A list'), status('failed'), failedFor()), 'Starting your build')
  assert.equal(nowTitle(buildViewOfAll(emptyBuild, wholeBuild), 'zh'), '您的构建已完成')
})
