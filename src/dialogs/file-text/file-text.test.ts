import assert from 'node:assert/strict'
import { crc32, deflateRawSync } from 'node:zlib'
import { test } from 'node:test'
import { systemClock } from '../../ports/clock.ts'
import { sniffFile } from '../control/sniff-file.ts'
import { fileLimits } from '../rules/message-file.ts'
import { docxLimits } from './docx-part.ts'
import { fileTexts, fileTextLimits } from './file-text.ts'

const problems: unknown[] = []
const readText = fileTexts({ clock: systemClock, log: (_level, _message, fields) => void problems.push(fields?.['why']) })
const read = (name: string, bytes: Uint8Array | string): Promise<string | null> => {
  const buffer = Buffer.from(bytes as string)
  return readText({ name, mediaType: sniffFile(buffer).mediaType, bytes: buffer })
}

/** An archive with one entry. */
function zip(name: string, content: Buffer, unpacked = content.length): Buffer {
  const packed = deflateRawSync(content)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(unpacked, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
  const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(entry.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, entry, end])
}

const paragraph = (text: string): string => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const docx = (body: string): Buffer => zip('word/document.xml', Buffer.from(`<w:document><w:body>${body}</w:body></w:document>`))

/** A page for each text. */
function pdf(...pages: string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${4 + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const stream = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return String(offset).padStart(10, '0')
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((offset) => `${offset} 00000 n \n`).join('')}`
  return Buffer.from(`${text}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`)
}

test('plain text, Markdown, CSV and JSON are read to the letter; other files have no text', async () => {
  for (const [name, text] of Object.entries({ 'a.txt': 'Zürich', 'a.md': '# A\n\n- b', 'a.csv': 'a,b\n1,<2>', 'a.json': '{"a":[1]}' }))
    assert.equal(await read(name, text), text)
  assert.equal(await read('a.bin', Buffer.from([1, 0, 2, 3])), null)
  assert.equal(await read('a.txt', ' \n'), null)
})

test('HTML is read without tags, scripts and styles, broken or not', async () => {
  const page = '<!DOCTYPE html><style>p{}</style><h1>A &amp; B</h1><script>if (a < b) x()</script><p>One<br>two<!-- no --><td>c</td></p>'
  assert.equal(await read('page', page), 'A & B\n\nOne\ntwoc')
  assert.equal(await read('a.htm', 'Left <b>open'), 'Left open')
  assert.equal(await read('a.html', 'Words <script>never ends'), 'Words')
  assert.equal(await read('a.html', '1 &lt; 2 &#8364;&#x20ac; &unknown; &#99999999;'), '1 < 2 €€ &unknown; &#99999999;')
})

test('the text of a Word document; another archive has none', async () => {
  const body = `${paragraph('Dear Ann &amp; Bob')}${paragraph('One')}<w:p><w:r><w:t>Two</w:t><w:tab/><w:t>three</w:t></w:r></w:p>`
  assert.equal(await read('letter.docx', docx(body)), 'Dear Ann & Bob\nOne\nTwo\tthree')
  assert.equal(await read('other.zip', zip('readme.txt', Buffer.from('hello'))), null)
})

test('the text of a PDF, page by page', async () => {
  assert.equal((await read('two.pdf', pdf('First page', 'Second page')))?.replaceAll(/\s+/g, ' ').trim(), 'First page Second page')
})

test('a damaged document, and one that unpacks to more than is allowed, have no text, and the reason is logged', async () => {
  problems.length = 0
  assert.equal(await read('broken.pdf', '%PDF-1.4\nnothing'), null)
  assert.equal(await read('broken.docx', docx(paragraph('x')).subarray(0, 60)), null)
  // The archive says that it is small.
  const bomb = zip('word/document.xml', Buffer.alloc(docxLimits.unpackedBytes + 1, 'a'), 10)
  assert.ok(bomb.length < 100_000)
  assert.equal(await read('bomb.docx', bomb), null)
  assert.equal(problems.length, 2)
  assert.match(String(problems[1]), /larger than/i)
})

test('a long text is cut visibly', async () => {
  const text = await read('long.txt', 'word '.repeat(fileLimits.textChars))
  assert.ok(text?.endsWith(`\n[cut after ${fileLimits.textChars} characters]`))
  assert.ok(text !== null && text.length < fileLimits.textChars + 50)
})

test('a document that takes too long is given up', async () => {
  const givenUp: unknown[] = []
  const clock = { now: () => 0, after: (_ms: number, fire: () => void) => (queueMicrotask(fire), () => {}) }
  const impatient = fileTexts({ clock, log: (_level, _message, fields) => void givenUp.push(fields?.['why']) })
  assert.equal(await impatient({ name: 'slow.pdf', mediaType: 'application/pdf', bytes: pdf('Slow') }), null)
  assert.deepEqual(givenUp, [`it took longer than ${fileTextLimits.extractMs} ms`])
})
