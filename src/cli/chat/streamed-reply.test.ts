import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { slashOf } from './slash.ts'
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
        let shown = ''
        for (const cut of cuts.toSorted((a, b) => a - b)) shown += reply.grow('d', text.slice(0, cut)).piece
        const { again, piece } = reply.finish(text)
        assert.equal(again, false)
        const whole = new StreamedReply().finish(text).piece
        assert.equal(shown + piece, whole)
      }),
    )
  })
})

describe('lines that steer the chat', () => {
  test('commands, their shortcuts and what is said', () => {
    assert.deepEqual(slashOf('/stop'), { name: 'stop', rest: '' })
    assert.deepEqual(slashOf('/open dlg_1'), { name: 'open', rest: 'dlg_1' })
    assert.deepEqual(slashOf('c'), { name: 'continue', rest: '' })
    assert.deepEqual(slashOf(' s '), { name: 'stop', rest: '' })
    assert.deepEqual(slashOf('/exit'), { name: 'quit', rest: '' })
    assert.deepEqual(slashOf('/stpo'), { unknown: '/stpo' })
    assert.deepEqual(slashOf('/usr/bin is a folder'), { say: '/usr/bin is a folder' })
    assert.deepEqual(slashOf('//stop is a command'), { say: '/stop is a command' })
    assert.deepEqual(slashOf('so'), { say: 'so' })
  })
})
