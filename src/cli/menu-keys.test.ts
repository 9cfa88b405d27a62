import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { menuKeys } from './menu-keys.ts'

const down = '\u001b[B'
const escape = '\u001b'

describe('menuKeys', () => {
  test('letters never move or choose, and are kept as text', () => {
    const keys = menuKeys(() => true)
    assert.equal(keys.read('hello'), '')
    assert.equal(keys.typed(), 'hello')
  })

  test('Enter after a word leaves the menu instead of choosing', () => {
    const keys = menuKeys(() => true)
    assert.equal(keys.read('no\r'), escape)
    assert.equal(keys.typed(), 'no')
  })

  test('an arrow after a word makes Enter choose again', () => {
    const keys = menuKeys(() => true)
    keys.read('x')
    assert.equal(keys.read(`${down}\r`), `${down}\r`)
  })

  test('arrows and Enter do nothing while the menu is new; Esc and Ctrl+C leave it', () => {
    const keys = menuKeys(() => false)
    assert.equal(keys.read(`${down}\r`), '')
    assert.equal(keys.read(escape), escape)
    assert.equal(keys.read('\u0003'), escape)
  })

  test('backspace removes the last kept character; tab and other control keys are dropped', () => {
    const keys = menuKeys(() => true)
    assert.equal(keys.read('n好\u007fo\t\u0001'), '')
    assert.equal(keys.typed(), 'no')
  })
})
