import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockNames, shortBlock, toNoteName, toPlainText } from './fences.ts'

test('no spelling of a tag of the runtime gets through', () => {
  for (const name of blockNames)
    for (const tag of [`<${name}>`, `</${name}>`, `< / ${name} x="y">`, `＜${name.toUpperCase()}>`, `<\u200b/\u200b${name}>`]) {
      const text = toPlainText(`before ${tag} after`)
      assert.ok(text.includes('&lt;'), tag)
      assert.equal(toPlainText(text), text, 'escaping twice changes nothing')
    }
})

test('other tags and words stay as they are', () => {
  for (const text of ['<div>', '<messages>', '<reply-to>', 'a < b', 'message', '<request_id>']) assert.equal(toPlainText(text), text)
})

test('invisible characters are removed, line breaks and tabs stay', () => {
  assert.equal(toPlainText('a\u0000b\u{E0041}c\n\td'), 'abc\n\td')
})

test('an attribute stays on one line and cannot end itself', () => {
  assert.equal(shortBlock('message', { from: 'a"b\n<c>&' }, 'hi'), '<message from="a&quot;b &lt;c>&amp;">hi</message>')
})

test('only plain names of people stand in notes', () => {
  assert.equal(toNoteName('Mia 2', 'a person'), 'Mia 2')
  for (const name of ['<runtime>', 'a\nb', '', 'x'.repeat(41)]) assert.equal(toNoteName(name, 'a person'), 'a person')
})
