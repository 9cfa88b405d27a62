import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { languageCodes } from '../../../shapes/language.ts'
import { documentHeadings } from '../boundary/peer-text.ts'
import { goldenDocuments } from './test/golden-inputs.ts'

const folder = new URL('test/golden/', import.meta.url)

test('every document is the golden one, and no golden file is left over', (t) => {
  const documents = goldenDocuments()
  t.diagnostic(`${documents.size} documents`)
  assert.ok(documents.size >= 28)
  for (const [name, text] of documents) assert.equal(readFileSync(new URL(name, folder), 'utf8'), text, `${name}: run test/write-golden.ts`)
  const files = languageCodes.flatMap((language) => readdirSync(new URL(language, folder)).map((file) => `${language}/${file}`))
  assert.deepEqual(files.toSorted(), [...documents.keys()].toSorted())
})

/** Lines outside fences: what reads as the voice of the document. */
function spokenLines(text: string): string[] {
  let fence: string | null = null
  return text.split('\n').filter((line) => {
    const mark = /^`{3,}/.exec(line)?.[0]
    if (fence === null && mark !== undefined) {
      fence = mark
      return false
    }
    if (fence !== null) {
      if (line === fence) fence = null
      return false
    }
    return true
  })
}

test('headings of a document are those of the protocol, in every language', () => {
  for (const [name, text] of goldenDocuments())
    for (const line of spokenLines(text.split('――― data ―――')[0] ?? ''))
      if (line.startsWith('#'))
        assert.ok(
          documentHeadings.some((heading) => line.replace(/^#+ /, '').replace(/ \d+$/, '') === heading),
          `${name}: ${line}`,
        )
})

test('the brief of the sender is in no document of the recipient', () => {
  for (const [name, text] of goldenDocuments())
    if (name.includes('2-') || name.includes('opener')) assert.ok(!text.includes('Do not talk about my work'), name)
})

test('forged headings and speakers of strangers do not reach the voice of the document', () => {
  for (const [name, text] of goldenDocuments()) {
    const policies = text.split('\n').filter((line) => line === '# Policy').length
    assert.ok(policies <= 1, `${name} has ${policies} policies`)
    assert.ok(!/^System:/m.test(text), name)
  }
})
