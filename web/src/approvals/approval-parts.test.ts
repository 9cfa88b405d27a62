import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOfKey } from './approval-keys.ts'
import { countLines, diffLines } from './diff-lines.ts'
import { groupQuestions } from './group-questions.ts'
import { dayAfter, endOfDay, otherScopes, scopeChoices, scopeToSend } from './scope-choice.ts'
import { withVisibleCharacters } from './visible-characters.ts'

test('diffLines: signs are lines only inside of a hunk', () => {
  const lines = diffLines('--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-- dash\n+++ plus\n')
  assert.deepEqual(
    lines?.map(({ kind }) => kind),
    ['head', 'head', 'head', 'same', 'removed', 'added'],
  )
  assert.deepEqual(countLines(lines ?? []), { added: 1, removed: 1 })
  assert.equal(diffLines('+ a list\n- that is no diff'), null)
})

test('groupQuestions: approvals of one turn are one card, questions stand alone', () => {
  const approval = { turn: 3 }
  const groups = groupQuestions([
    { id: 'a', dialog: 'd', approval },
    { id: 'b', dialog: 'd' },
    { id: 'c', dialog: 'd', approval },
    { id: 'e', dialog: 'other', approval },
    { id: 'f', dialog: 'd', approval: { turn: 4 } },
    { id: 'g', dialog: 'd', approval: { turn: null } },
    { id: 'h', dialog: 'd', approval: { turn: null } },
  ])
  assert.deepEqual(
    groups.map(({ questions }) => questions.map(({ id }) => id).join('')),
    ['ac', 'b', 'e', 'f', 'g', 'h'],
  )
})

test('scopeToSend: an unchanged best proposal is left to the server, everything else is sent', () => {
  const proposals = [
    [{ text: 'run(python3 x.py)', script: 'x.py' }, { text: 'run(python3 *)' }],
    [{ text: 'mcp(a/b)', where: { repo: 'x' } }],
  ]
  assert.deepEqual(scopeToSend({ text: ' run(python3 x.py) ', where: {} }, { proposals }), {})
  assert.deepEqual(scopeToSend({ text: 'run(python3 *)', where: {} }, { proposals }), { scope: 'run(python3 *)' })
  assert.deepEqual(scopeToSend({ text: 'mcp(a/b)', where: { repo: 'x' } }, { proposals }), {})
  assert.deepEqual(scopeToSend({ text: 'mcp(a/b)', where: { repo: ' ' } }, { proposals }), { scope: 'mcp(a/b)' })
  assert.deepEqual(scopeToSend({ text: 'mcp(a/b)', where: { repo: 'y*' } }, { proposals }), { scope: 'mcp(a/b)', where: { repo: 'y*' } })
  assert.deepEqual(
    scopeChoices({ proposals }).map(({ part, text }) => `${part} ${text}`),
    ['0 run(python3 x.py)', '0 run(python3 *)', '1 mcp(a/b)'],
  )
  assert.deepEqual(otherScopes(0, { proposals }), ['mcp(a/b)'])
})

test('endOfDay: today up to 90 days, and never later than a grant may last', () => {
  const now = new Date(2026, 10, 15, 12).getTime()
  assert.equal(dayAfter(now, 0), '2026-11-15')
  assert.equal(dayAfter(now, 90), '2027-02-13')
  assert.equal(endOfDay('2026-11-15', now), new Date(2026, 10, 16).getTime() - 1)
  assert.equal(endOfDay('2027-02-13', now), now + 90 * 86_400_000)
  for (const day of ['2026-11-14', '2027-02-14', '', '15 Nov']) assert.equal(endOfDay(day, now), null, day)
})

test('endOfDay: the last moment of that day at every hour, in every zone, also when the clocks change', (t) => {
  const zone = process.env['TZ']
  t.after(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  for (const name of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Shanghai', 'Pacific/Auckland', 'Pacific/Niue']) {
    process.env['TZ'] = name
    for (const first of ['2026-09-24T00:00', '2026-10-24T00:00', '2028-02-28T00:00', '2026-12-31T00:00'])
      for (let hours = 0; hours < 48; hours += 1) {
        const now = Date.parse(first) + hours * 3_600_000
        const day = dayAfter(now, 30)
        assert.equal(Date.parse(day) - Date.parse(dayAfter(now, 0)), 30 * 86_400_000, `${name} ${first} + ${hours} h`)
        assert.equal(endOfDay(day, now), Date.parse(`${day}T23:59:59.999`), `${name} ${first} + ${hours} h`)
      }
  }
})

test('actionOfKey: capitals need Shift, and other modifiers are left to the browser', () => {
  const press = (key: string, more: object = {}) =>
    actionOfKey({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more })
  assert.equal(press('a'), 'once')
  assert.equal(press('A'), 'once')
  assert.equal(press('A', { shiftKey: true }), 'always')
  assert.equal(press('c', { ctrlKey: true }), null)
  assert.equal(press('Enter'), null)
  assert.equal(press('D', { shiftKey: true }), null)
})

test('withVisibleCharacters: writes out what cannot be seen, and is the same when applied twice', () => {
  const text = withVisibleCharacters('a\u202Eb\u200Bc\u0007\n\td')
  assert.equal(text, 'a⟨U+202E⟩b⟨U+200B⟩c⟨U+0007⟩\n\td')
  assert.equal(withVisibleCharacters(text), text)
})
