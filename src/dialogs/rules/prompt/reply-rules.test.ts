import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { statusMarkers } from './blocks.ts'
import { endWithoutReply, judgeReply, type OpenForReply, type ReplyScene, withoutMarkers, type Words } from './reply-rules.ts'

const request: OpenForReply = { handle: 'r1', kind: 'request', from: 'ada' }
const back = (handle: string): OpenForReply => ({ handle, kind: 'ask-back', from: 'researcher' })
const scene = (more: Partial<ReplyScene> = {}): ReplyScene => ({
  language: 'en',
  open: [request],
  callsInStep: ['reply'],
  out: [],
  wasRefusedForText: false,
  ...more,
})
const done = { text: 'The number is 42.', status: 'done' }

describe('a reply is delivered', () => {
  test('to the request, with its status and its own words', () => {
    assert.deepEqual(judgeReply(done, scene()), { delivers: request, status: 'done', text: 'The number is 42.' })
  })

  test('to the newest ask-back unless it names another', () => {
    const open = [request, back('b1'), back('b2')]
    assert.deepEqual(judgeReply(done, scene({ open })), { delivers: back('b2'), status: 'done', text: done.text })
    assert.deepEqual(judgeReply({ ...done, to: 'b1' }, scene({ open })), { delivers: back('b1'), status: 'done', text: done.text })
  })

  test('beside mind tools and further replies', () => {
    assert.ok('delivers' in judgeReply(done, scene({ callsInStep: ['add_reminder', 'reply', 'reply'] })))
  })

  test('as partial or could_not although something is out, and to an ask-back in any case', () => {
    for (const status of ['partial', 'could_not']) assert.ok('delivers' in judgeReply({ ...done, status }, scene({ out: ['t1'] })))
    assert.ok('delivers' in judgeReply(done, scene({ open: [back('b1')], out: ['t1'] })))
  })

  test('without the markers the agent wrote', () => {
    for (const marker of Object.values(statusMarkers))
      assert.deepEqual(judgeReply({ ...done, text: `${marker}\n${marker} 42` }, scene()), { delivers: request, status: 'done', text: '42' })
  })
})

describe('a reply is refused', () => {
  const refusals: [string, unknown, Partial<ReplyScene>, RegExp][] = [
    ['when nothing is open', done, { open: [] }, /There is no open request/],
    ['when it names an unknown request', { ...done, to: '@ada' }, { open: [request, back('b1')] }, /do not fit: to must be r1 or b1\./],
    ['beside another call', done, { callsInStep: ['search', 'reply'] }, /other calls of this step/],
    ['as done while something is out', done, { out: ['t1', 'q2'] }, /Not delivered: t1, q2 still out/],
    ['without a status', { text: 'x' }, {}, /The arguments do not fit: status/],
    ['without a text', { status: 'done' }, {}, /The arguments do not fit: text/],
  ]
  for (const [name, input, more, words] of refusals)
    test(name, () => {
      const verdict = judgeReply(input, scene(more))
      assert.ok('refused' in verdict)
      assert.match(verdict.refused, words)
    })

  test('once when it points to other messages, and then accepted', () => {
    for (const text of ['  ', 'See above.', 'Already sent it.', '见上文']) {
      assert.ok('forText' in judgeReply({ ...done, text }, scene()), text)
      assert.ok('delivers' in judgeReply({ ...done, text }, scene({ wasRefusedForText: true })), text)
    }
    assert.ok('delivers' in judgeReply({ ...done, text: `${'Long result. '.repeat(20)}See above.` }, scene()))
  })
})

describe('a turn that ends without a reply', () => {
  const work = (text: string): Words => ({ text, isToPerson: false })

  test('is asked once for one', () => {
    assert.deepEqual(endWithoutReply({ beforeNudge: [work('42')], afterNudge: null }), { is: 'nudge' })
  })

  test('gives all work words up to the nudge, in order, and never words to a person', () => {
    const beforeNudge = [work('The number is 42.'), { text: 'Fine, thanks.', isToPerson: true }, work('Done.')]
    assert.deepEqual(endWithoutReply({ beforeNudge, afterNudge: [work('Really.')] }), {
      is: 'reply',
      status: 'unstated',
      text: 'The number is 42.\n\nDone.',
    })
  })

  test('gives the words after the nudge when there were none before it, and fails without any', () => {
    assert.deepEqual(endWithoutReply({ beforeNudge: [], afterNudge: [work('42')] }), { is: 'reply', status: 'unstated', text: '42' })
    assert.deepEqual(endWithoutReply({ beforeNudge: [{ text: 'hi', isToPerson: true }], afterNudge: [] }), { is: 'failed' })
    assert.deepEqual(endWithoutReply({ beforeNudge: [work('【最终完成】')], afterNudge: [] }), { is: 'failed' })
  })

  test('never passes on words to a person', () => {
    const words = fc.array(fc.record({ text: fc.constantFrom('alpha', 'beta', ''), isToPerson: fc.boolean() }))
    fc.assert(
      fc.property(words, fc.option(words), (beforeNudge, afterNudge) => {
        const secret = (list: readonly Words[]): Words[] => list.map((one) => (one.isToPerson ? { ...one, text: 'SECRET' } : one))
        const end = endWithoutReply({ beforeNudge: secret(beforeNudge), afterNudge: afterNudge && secret(afterNudge) })
        return end.is !== 'reply' || !end.text.includes('SECRET')
      }),
    )
  })
})

test('withoutMarkers leaves a clean text alone, also the second time', () => {
  fc.assert(fc.property(fc.string(), (text) => withoutMarkers(withoutMarkers(text)) === withoutMarkers(text)))
})
