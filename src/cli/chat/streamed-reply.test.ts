import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { getSlash } from './slash.ts'
import { StreamedReply } from './streamed-reply.ts'

describe('streamed reply', () => {
  test('shows each piece once and the rest at the end', () => {
    const reply = new StreamedReply()
    assert.deepEqual(reply.grow('d1', 'Hel'), { again: false, piece: 'Hel' })
    assert.deepEqual(reply.grow('d1', 'Hello'), { again: false, piece: 'lo' })
    assert.deepEqual(reply.finish('Hello you'), { again: false, piece: ' you' })
    assert.deepEqual(reply.finish('Next'), { again: false, piece: 'Next' })
  })

  test('a reply that begins again is announced and shown whole', () => {
    const reply = new StreamedReply()
    reply.grow('d1', 'Half a')
    assert.deepEqual(reply.grow('d2', 'Ha'), { again: true, piece: 'Ha' })
    assert.deepEqual(reply.finish('Half a loaf'), { again: false, piece: 'lf a loaf' })
  })

  test('a finished text that differs is shown whole', () => {
    const reply = new StreamedReply()
    reply.grow('d1', 'One')
    assert.deepEqual(reply.finish('Two'), { again: true, piece: 'Two' })
  })

  test('whatever the pieces, what is shown is the finished text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(40)), (text, cuts) => {
        const reply = new StreamedReply()
        let output = ''
        for (const cut of cuts.toSorted((a, b) => a - b)) output += reply.grow('d', text.slice(0, cut)).piece
        const { again, piece } = reply.finish(text)
        assert.equal(again, false)
        const whole = new StreamedReply().finish(text).piece
        assert.equal(output + piece, whole)
      }),
    )
  })
})

describe('lines that steer the chat', () => {
  test('commands, their shortcuts and what is said', () => {
    assert.deepEqual(getSlash('/stop'), { name: 'stop', rest: '' })
    assert.deepEqual(getSlash('/open dlg_1'), { name: 'open', rest: 'dlg_1' })
    assert.deepEqual(getSlash('c'), { name: 'continue', rest: '' })
    assert.deepEqual(getSlash(' s '), { name: 'stop', rest: '' })
    assert.deepEqual(getSlash('/exit'), { name: 'quit', rest: '' })
    assert.deepEqual(getSlash('/stpo'), { unknown: '/stpo' })
    assert.deepEqual(getSlash('/usr/bin is a folder'), { say: '/usr/bin is a folder' })
    assert.deepEqual(getSlash('//stop is a command'), { say: '/stop is a command' })
    assert.deepEqual(getSlash('so'), { say: 'so' })
  })
})
