import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peerDialog } from '../dialogs/rules/peer-dialog.ts'
import { buildNotices, dialogNotices, noticeDelayMs } from './notice.ts'
import { buildText } from './notice-text.ts'
import { isNotifiedOfBuild } from './notified.ts'

const event = (type: string, data: object = {}) => ({ type, at: 1_000, data })

test('dialogNotices: a question wakes work a moment later, and nothing else does', () => {
  const events = [event('message.said'), event('question.asked', { question: 'q_1' }), event('turn.finished')]
  const payload = { about: 'question', dialog: 'dlg_1', question: 'q_1' }
  assert.deepEqual(dialogNotices('dlg_1', events), [{ kind: 'notice', key: 'q_1', at: 1_000 + noticeDelayMs, payload }])
  assert.deepEqual(dialogNotices(peerDialog('x'), events), [])
})

test('buildNotices: questions and both ends, each under the number of its event', () => {
  const events = [event('status.changed'), event('session.completed'), event('question.requested')]
  assert.deepEqual(
    buildNotices('b1', events, 9).map(({ key, at }) => [key, at]),
    [
      ['b1/8', 1_000],
      ['b1/9', 1_000 + noticeDelayMs],
    ],
  )
  assert.equal(buildNotices('b1', [event('session.failed')], 1).length, 1)
})

test('isNotifiedOfBuild: the person who started it; the owner where that was a program', () => {
  const [mia, bob] = [
    { id: 'person:mia', name: 'mia', role: 'owner' as const },
    { id: 'person:bob', name: 'bob', role: 'member' as const },
  ]
  assert.deepEqual([isNotifiedOfBuild(bob, bob), isNotifiedOfBuild(mia, bob)], [true, false])
  const token = { id: 'token:t1', name: 'ci', role: 'member' as const }
  assert.deepEqual([isNotifiedOfBuild(mia, token), isNotifiedOfBuild(bob, token), isNotifiedOfBuild(bob, null)], [true, false, false])
})

test('buildText: says what it is about, and nothing where a locked screen shows nothing', () => {
  const build = { build_id: 'b1', agent: 'coder', prompt: `a list\u202e${'x'.repeat(1_000)}`, question: null }
  const shown = buildText(build, 'done', 'en', 'words')
  assert.deepEqual([shown.title, shown.path, shown.body.length], ['Your build is finished', 'b/b1', 400])
  assert.equal(shown.body.includes('\u202e'), false)
  assert.deepEqual(buildText(build, 'failed', 'en', 'nothing'), {
    title: 'A build failed',
    body: 'Open Parley to read it.',
    path: 'b/b1',
    buttons: [],
  })
})
