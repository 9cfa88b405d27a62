import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { qrCode, qrLimits, qrLines } from './qr-code.ts'

const sample = (length: number): string =>
  Array.from({ length }, (_, index) => 'http://192.168.1.20:4700/#k=aZ09_-'[(index * 7 + length) % 34]).join('')

// All codes of this test were read back with jsQR 1.4.0, which gave the texts they were made of.

test('qrCode: draws a link as it was read back by another program', () => {
  const modules = qrCode('http://192.168.1.20:4700/#k=abc')
  assert.ok(modules)
  const drawn = `
█████████████████████████████
██ ▄▄▄▄▄ ██ ▄██ ██▄█ ▄▄▄▄▄ ██
██ █   █ █▀ ██ ▀▀▀ █ █   █ ██
██ █▄▄▄█ █▄ █▄██▄█▀█ █▄▄▄█ ██
██▄▄▄▄▄▄▄█▄█ █▄█▄█▄█▄▄▄▄▄▄▄██
██  █▀▀▄▄ ▀ ▀ ▀ █  ▀██  ▀▀███
██ █▄▀ ▄▄▀ ▀▄▀▀▄█ ▀█▄▄▀ █▄ ██
██ ▀▄▀▀█▄█▀▄█▀▄█ ▀▄▄▄████▀▄██
██ █▄███▄▀▀▀▄▀▀█ ▄▀▄█▄▀▄▀▄ ██
██▄██▄▄█▄█ ▄█▀ ▄▀▀ ▄▄▄ █ ████
██ ▄▄▄▄▄ █ ▀  ██▀█ █▄█ ▄█▀▄██
██ █   █ ██▀▄  ▄█▄▄▄  ▄ ▄ ▀██
██ █▄▄▄█ █▀  █ ██▀▀▄▀▀▀█▄█ ██
██▄▄▄▄▄▄▄█▄▄█▄██▄▄▄█▄██▄██▄██
▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀`
  assert.equal(`\n${qrLines(modules).join('\n')}`, drawn)
})

test('qrCode: draws one text of each version, and none that is too long', () => {
  const lengths = [1, 17, 18, 32, 53, 78, 106, 107, 134, 154, 192, 230]
  const drawn = lengths.map((length) => (qrCode(sample(length)) ?? []).map((row) => row.map(Number).join('')).join('\n'))
  assert.deepEqual(
    drawn.map((text) => (text.indexOf('\n') - 17) / 4),
    [1, 1, 2, 2, 3, 4, 5, 6, 6, 7, 8, 9],
  )
  assert.equal(
    createHash('sha256').update(drawn.join('\n\n')).digest('hex'),
    '80320070ee3c04391ebaa3e7cca135084c6a0389decea426ba484b48d1c255ff',
  )
  assert.equal(qrCode('x'.repeat(qrLimits.bytes + 1)), null)
  assert.equal(qrCode('é'.repeat(qrLimits.bytes / 2))?.length, 53)
})
