import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pc from 'picocolors'
import type { ApprovalView } from '../shapes/wire.ts'
import {
  decisionCommands,
  decisionLines,
  grantedLines,
  approvalInList,
  approvalLines,
  type ApprovalQuestion,
  decidedLine,
  endLine,
  hasApproval,
  isApproval,
  waitingLine,
} from './approval-words.ts'
import { readUntil } from './read-until.ts'
import { terminalWords } from '../words/index.ts'

const paint = pc.createColors(false)
const en = terminalWords.en
const zh = terminalWords.zh

const options = (['once', 'chat', 'always', 'deny'] as const).map((value) => ({ value, label: value }))

function getApproval(more: Partial<ApprovalView> = {}, text = 'git log -3'): ApprovalQuestion {
  return {
    id: 'q_1',
    dialog: 'dlg_1',
    dialogTitle: 'Log',
    agent: 'ada',
    state: 'open',
    ask: { text: '', items: [{ id: 'decision', kind: 'choice', text: '', options }] },
    askedAt: 0,
    expiresAt: null,
    closed: null,
    approval: {
      tool: 'run',
      turn: 1,
      names: ['mia', 'ann'],
      shown: { kind: 'run', target: 'run', server: '', text, facts: [{ label: 'Folder', value: 'src' }] },
      because: 'No rule or grant allows run(git log -3).',
      requesters: [{ id: 'telegram:main:9', name: 'Eve', role: 'guest' }],
      proposals: [[{ text: 'run(git log *)' }]],
      keys: 1,
      keysGiven: [],
      onceOnly: false,
      irreversible: false,
      ...more,
    },
  }
}

const renderApproval = (more: Partial<ApprovalView>, text?: string): string => approvalLines(getApproval(more, text), en, paint).join('\n')

describe('approvals in words', () => {
  test('the facts beside a call are in the language of the reader', () => {
    const facts = [
      { label: 'Folder', value: 'src', name: 'folder' },
      { label: 'Network', value: 'none', name: 'network', says: 'noNetwork' },
      { label: 'Time limit', value: '120 s', name: 'timeLimit', says: 'seconds', count: 120 },
      { label: 'Of a plugin', value: 'as it is' },
    ]
    const { shown: base } = getApproval().approval
    const inWords = (words: typeof en): string => approvalLines(getApproval({ shown: { ...base, facts } }), words, paint).join('\n')
    for (const expected of ['文件夹：src', '网络：无', '时限：120 秒', 'Of a plugin：as it is'])
      assert.ok(inWords(zh).includes(expected), inWords(zh))
    for (const expected of ['Folder: src', 'Network: none', 'Time limit: 120 s']) assert.ok(inWords(en).includes(expected), inWords(en))
  })

  test('the reason is in the language of the reader when its facts are known', () => {
    const reason = { why: 'ask-by-default' as const, subjects: ['run(git log -3)'] }
    const facts = (words: typeof en): string => approvalLines(getApproval({ reason }), words, paint).join('\n')
    assert.match(facts(en), /Reason: No rule or grant allows run\(git log -3\)\./)
    assert.match(facts(zh), /原因：没有规则或授权允许 run\(git log -3\)。/)
  })

  test('title, facts and all bytes are shown, in both languages', () => {
    assert.deepEqual(approvalLines(getApproval(), en, paint), [
      '? Allow ada to run this command?',
      '  Requested by Eve (guest, Telegram). Reason: No rule or grant allows run(git log -3).',
      '  Folder: src',
      '  │ git log -3',
    ])
    assert.deepEqual(approvalLines(getApproval({ because: '没有规则或授权允许 run(git log -3)。' }), zh, paint).slice(0, 2), [
      '? 允许 ada 运行这条命令吗？',
      '  发起人：Eve（访客，Telegram）。原因：没有规则或授权允许 run(git log -3)。',
    ])
  })

  test('invisible and control characters are written out and cannot forge a line', () => {
    const text = 'ls \u202Egnp\u200B\u001B[2J\rrm -rf .\n✓ Mia: Allow once'
    const lines = approvalLines(getApproval({ requesters: [{ id: 'x:y', name: 'Eve\n✓ ok\u202E', role: 'guest' }] }, text), en, paint)
    assert.deepEqual(lines.slice(3), ['  │ ls ⟨U+202E⟩gnp⟨U+200B⟩⟨U+001B⟩[2J⟨U+000D⟩rm -rf .', '  │ ✓ Mia: Allow once'])
    assert.match(lines[1] ?? '', /^ {2}Requested by Eve ✓ ok⟨U\+202E⟩ \(guest, X\)/)
    // eslint-disable-next-line no-control-regex
    assert.doesNotMatch(lines.join('\n'), /[\u0000-\u0009\u000b-\u001f\u202a-\u202e\u200b]/)
  })

  test('what is special about a call is said', () => {
    assert.match(renderApproval({ keys: 2, keysGiven: ['ann'] }), /1 of 2 approvals: ann$/)
    assert.match(renderApproval({ isChanged: true }), /! run has changed\. Please decide again\./)
    assert.match(renderApproval({ isInterrupted: true }), /may have taken effect\./)
    assert.match(renderApproval({ irreversible: true }), /This cannot be undone\./)
    assert.match(renderApproval({ offersWorkspace: true }), /parley config set policy\.preset workspace/)
    const people = [
      { id: 'person:mia', name: 'mia', role: 'owner' as const },
      { id: 'token:t1', name: 'ci', role: 'member' as const },
    ]
    assert.match(renderApproval({ requesters: people }), /Requested by mia \(owner\) and ci \(member, API\)\./)
  })

  test('a call that cannot be shown whole can only be denied', () => {
    const { approval } = getApproval()
    const cut = getApproval({ shown: { ...approval.shown, isCut: true } })
    assert.deepEqual(decisionCommands(cut), { answerWith: 'parley deny q_1', denyWith: 'parley deny q_1' })
    assert.deepEqual(decisionCommands(getApproval()), { answerWith: 'parley approve q_1 --once', denyWith: 'parley deny q_1' })
    assert.deepEqual(decisionLines(getApproval(), en, paint), [
      '  Decide with:',
      '    parley approve q_1 --once',
      '    parley approve q_1 --chat',
      '    parley approve q_1 --always',
      '    parley deny q_1',
    ])
    const long = approvalInList(getApproval({}, 'x\n'.repeat(50)), en, paint)
    assert.equal(long.filter((line) => line.includes('│')).length, 20)
    assert.ok(long.some((line) => line.includes('more lines')))
    assert.ok(!long.some((line) => line.includes('--once')))
    assert.ok(long.some((line) => line.endsWith('parley approve q_1')))
  })

  test('who may not decide reads who does; nothing of the call is shown', () => {
    const hidden = getApproval({ isHidden: true, names: ['owner'] })
    assert.equal(isApproval(hidden), true)
    assert.equal(hasApproval(hidden), false)
    assert.equal(waitingLine(getApproval(), en), 'Waiting for mia, ann to approve.')
    assert.equal(waitingLine(hidden, en), 'Waiting for the owner to approve.')
    assert.equal(waitingLine(getApproval(), zh), '正在等待 mia、ann 批准。')
  })

  test('the nameless owner is named once', () => {
    const requesters = [{ id: 'person:owner', name: 'owner', role: 'owner' as const }]
    assert.match(renderApproval({ requesters }), /Requested by the owner\. Reason/)
    assert.match(
      renderApproval({ requesters: [{ id: 'telegram:main:1', name: 'owner', role: 'owner' as const }] }),
      /by the owner \(Telegram\)/,
    )
  })

  test('a decision prints scope, fields and end of its grant, and the other calls it allowed', () => {
    const until = Date.parse('2026-12-17T12:00:00')
    const grants = [{ id: 'grant_1', scope: 'tool(refund)', where: { order: '17', euros: '20' }, dialog: 'dlg_1', until }]
    const lines = (alsoAllowed: number): string[] => grantedLines(getApproval({ decision: 'chat', grants, alsoAllowed }), en, 'en')
    assert.match(lines(0).join('\n'), /^tool\(refund\) order=17 euros=20 in this dialog, until 17 Dec 2026, 12:00\.$/)
    assert.equal(lines(1)[1], 'It also allowed 1 other waiting call.')
    assert.equal(lines(2)[1], 'It also allowed 2 other waiting calls.')
    assert.deepEqual(grantedLines(getApproval({ decision: 'once' }), en, 'en'), [])
    const shortened = grants.map((grant) => ({ ...grant, isShortened: true as const }))
    const cut = (words: typeof en): string | undefined => grantedLines(getApproval({ decision: 'chat', grants: shortened }), words, 'en')[1]
    assert.equal(cut(en), 'Shortened: such a grant lasts at most 30 days.')
    assert.equal(cut(zh), '已缩短：这种授权最长 30 天。')
  })

  test('a late decision names the person and the decision, or why it is not needed', () => {
    const closed = { at: 1, by: 'mia', via: 'web', answers: null, reason: null }
    const end = (more: Partial<ApprovalQuestion>, decision?: 'always'): string | null =>
      endLine({ ...getApproval(decision ? { decision } : {}), closed, ...more }, en)
    assert.equal(end({ state: 'open', closed: null }), null)
    assert.equal(end({ state: 'answered' }, 'always'), 'mia already decided: Always allow.')
    assert.equal(end({ state: 'cancelled', closed: { ...closed, why: 'stopped' } }), 'No longer needed: the turn was stopped.')
    assert.equal(end({ state: 'cancelled', closed: { ...closed, why: 'covered' } }), 'No longer needed: allowed by a rule or grant.')
    for (const reason of ['covered', 'stopped', 'dialog declared dead'])
      assert.equal(end({ state: 'cancelled', closed: { ...closed, reason } }), 'No longer needed: withdrawn by mia.')
    assert.equal(decidedLine({ ...getApproval({ decision: 'deny', note: 'no' }), state: 'answered', closed }, en), 'Denied. Note: no')
    assert.equal(decidedLine(getApproval({ keys: 2, keysGiven: ['mia'] }), en), '1 of 2 approvals: mia')
  })
})

test('readUntil takes days, dates and times, and refuses the rest', () => {
  const now = Date.parse('2026-11-17T12:00:00')
  assert.equal(readUntil('7d', now), now + 7 * 86_400_000)
  assert.equal(readUntil('12h', now), now + 12 * 3_600_000)
  assert.equal(readUntil('2027-01-31', now), Date.parse('2027-01-31T23:59:59'))
  assert.equal(readUntil('2026-11-17T12:30', now), Date.parse('2026-11-17T12:30'))
  for (const text of ['soon', '1', '7x', '', '2020-01-01', '0d', '12'])
    assert.throws(() => readUntil(text, now), { name: 'UsageError' }, text)
})
