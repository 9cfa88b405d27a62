import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getEnding, getKind, getName } from './media.ts'
import { normaliseMessage } from './normalise.ts'
import { textReading } from './text-reading.ts'

const read = (media: unknown, more: object = {}): unknown => {
  const got = normaliseMessage({ media }, more)
  return 'message' in got ? { media: got.message.media, dropped: got.dropped.map(({ at }) => at) } : got.refused.code
}

test('an address, a list of them and whole objects say the same', () => {
  const url = 'https://example.org/a.png'
  for (const given of [url, [url], { url }, [{ url }]]) assert.deepEqual(read(given), { media: [{ url }], dropped: [] })
  assert.deepEqual(read([{ url, kind: 'image', name: ' A\npicture ', caption: 'two\nlines' }]), {
    media: [{ url, kind: 'image', name: 'A picture', caption: 'two\nlines' }],
    dropped: [],
  })
})

test('invalid media are dropped and named; a message with nothing else is refused', () => {
  const url = 'https://example.org/a.png'
  assert.deepEqual(read([url, 7, { caption: 'no address' }, { url: 'javascript:alert(1)' }, { url, kind: 'hologram', name: 5 }]), {
    media: [{ url }, { url }],
    dropped: ['media[1]', 'media[2]', 'media[3]', 'media[4].kind'],
  })
  for (const nothing of ['data:image/png;base64,x', '/etc/passwd', '../a.png', [], {}, null, 'https://x/a b'])
    assert.equal(read(nothing), 'empty_message')
  assert.equal(read(Array.from({ length: 21 }, () => url)), 'message_too_big')
  assert.equal(read(`https://example.org/${'x'.repeat(2_000)}`), 'message_too_big')
})

test('a file of this machine is taken from its owner alone, in one spelling', () => {
  for (const url of ['file:///etc/passwd', 'FILE:///etc/passwd', 'file:/etc/passwd']) {
    assert.equal(read(url), 'empty_message')
    assert.deepEqual(read(url, { mayUseFiles: true }), { media: [{ url: 'file:///etc/passwd' }], dropped: [] })
  }
})

test('kind and name come from the address unless they are said', () => {
  const kinds: [string, string][] = [
    ['https://example.org/a.JPG?size=9', 'image'],
    ['https://example.org/a.ogg', 'audio'],
    ['https://example.org/a.mov', 'video'],
    ['https://example.org/a.tar.gz', 'file'],
    ['https://example.org/', 'file'],
  ]
  for (const [url, kind] of kinds) assert.equal(getKind({ url }), kind, url)
  assert.equal(getKind({ url: 'https://example.org/x', name: 'cat.png' }), 'image')
  assert.equal(getEnding({ url: 'https://example.org/x' }), '')
  assert.equal(getName({ url: 'https://example.org/%E8%B2%93.png' }), '貓.png')
  assert.equal(getName({ url: 'https://example.org/%E8' }), '%E8')
  assert.equal(getName({ url: 'https://example.org/' }), 'example.org')
})

test('as text, media follow the words; of a file of this machine only its name is told', () => {
  const media = [{ url: 'https://example.org/a.png', caption: 'Ada' }, { url: 'file:///home/ada/secret-project/b.pdf' }]
  assert.equal(textReading({ text: 'Look', media }), 'Look\n\na.png (image): https://example.org/a.png\nAda\n\nb.pdf (file)')
  assert.equal(textReading({ media: [{ url: 'https://example.org/a.png' }] }), 'a.png (image): https://example.org/a.png')
})
