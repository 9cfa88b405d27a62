import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sniffFile } from './sniff-file.ts'

const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAYAAAC56t6BAAAAC0lEQVR4nGNgQAcAABIAAejUDX0AAAAASUVORK5CYII=', 'base64')
const gif = Buffer.from('R0lGODlhAgADAIAAAP///wAAACwAAAAAAgADAAACAoRRADs=', 'base64')
const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 3, 0, 2, 1, 1, 0x11, 0])
const webp = Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X\n\0\0\0\0\0\0\0', 'latin1'), Buffer.from([1, 0, 0, 2, 0, 0])])

describe('sniffFile', () => {
  test('finds the type and size of images in their bytes', () => {
    assert.deepEqual(sniffFile(png), { mediaType: 'image/png', width: 2, height: 3 })
    assert.deepEqual(sniffFile(gif), { mediaType: 'image/gif', width: 2, height: 3 })
    assert.deepEqual(sniffFile(jpeg), { mediaType: 'image/jpeg', width: 2, height: 3 })
    assert.deepEqual(sniffFile(webp), { mediaType: 'image/webp', width: 2, height: 3 })
  })

  test('takes a page or a script for text, never for an image', () => {
    assert.deepEqual(sniffFile(Buffer.from('<svg onload="alert(1)">')), { mediaType: 'text/plain' })
    assert.deepEqual(sniffFile(Buffer.from('%PDF-1.7')), { mediaType: 'application/pdf' })
    assert.deepEqual(sniffFile(Buffer.from([0, 1, 2])), { mediaType: 'application/octet-stream' })
    assert.deepEqual(sniffFile(Buffer.from('汉字')), { mediaType: 'text/plain' })
  })

  test('reads no further than the bytes go', () => {
    const heads = [png, gif, jpeg, webp]
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.nat(40), fc.uint8Array({ maxLength: 40 }), (head, cut, tail) => {
        const { mediaType, width = 1, height = 1 } = sniffFile(Buffer.concat([head.subarray(0, cut), tail]))
        assert.ok(mediaType.includes('/') && width > 0 && height > 0)
      }),
    )
  })
})
