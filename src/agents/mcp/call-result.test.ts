import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { resultInWords } from './call-result.ts'
import { mcpLimits, readOffer } from './offered-tool.ts'

describe('what an MCP server says', () => {
  it('is told in words, part by part', () => {
    const content = [
      { type: 'text', text: 'hello' },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAAAAAA' },
      { type: 'resource_link', name: 'plan', uri: 'file:///plan' },
      { type: 'resource', resource: { uri: 'a:b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'a:b', blob: 'AAAA', mimeType: 'x/y' } },
      { type: 'mystery' },
      7,
    ]
    assert.deepEqual(resultInWords({ content }), {
      files: [],
      ok: true,
      text: 'hello\n[a sound, audio/wav, about 6 bytes: not shown]\n[a link: plan file:///plan]\ninside\n[a file, x/y, a:b: not shown]\n[a part of the kind mystery: not shown]\n[a part that cannot be read]',
    })
    assert.deepEqual(resultInWords({ structuredContent: { a: 1 } }), { ok: true, text: '{"a":1}', files: [] })
    assert.deepEqual(resultInWords({ isError: true }), { ok: false, text: '(no output)', files: [] })
  })

  it('is bounded and never breaks its reader, whatever it is', () => {
    const settings = { prefix: '', suffix: '' }
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('content', 'isError', 'structuredContent', 'x'), fc.jsonValue()),
        fc.array(fc.jsonValue()),
        (result, listings) => {
          const { text } = resultInWords(result)
          assert.ok(text.length > 0 && text.length < mcpLimits.resultChars + 100 && text.isWellFormed())
          for (const { name } of readOffer(listings, settings).tools) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
        },
      ),
    )
  })

  it('may promise what it likes: annotations of a server that is not trusted decide nothing', () => {
    const listings = [{ name: 'pay', inputSchema: { type: 'object' }, annotations: { idempotentHint: true } }]
    const readRepeatPolicy = (trust: object): unknown => readOffer(listings, { prefix: '', suffix: '', ...trust }).tools[0]?.afterCrash
    assert.deepEqual([readRepeatPolicy({}), readRepeatPolicy({ trust: 'annotations' })], ['ask', 'repeat'])
  })

  it('may name tools as it likes: only usable ones are taken, each once', () => {
    const named = fc.record({
      name: fc.oneof(fc.string(), fc.constantFrom('a', 'b', 'tellask', 'clear_mind')),
      inputSchema: fc.constantFrom({ type: 'object' }, null, []),
    })
    fc.assert(
      fc.property(fc.array(named), (listings) => {
        const { tools, problems } = readOffer(listings, { prefix: '', suffix: '' })
        assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length)
        assert.ok(tools.every(({ name }) => name !== 'tellask' && name !== 'clear_mind'))
        assert.ok(tools.length + problems.length >= Math.min(listings.length, mcpLimits.problemsPerServer))
      }),
    )
  })
})

it('resultInWords: an image comes with its bytes', () => {
  const { text, files } = resultInWords({ content: [{ type: 'image', mimeType: 'image/png', data: 'QUJD' }] })
  assert.equal(text, '[an image, image/png]')
  assert.deepEqual(
    files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]),
    [['image-1', 'ABC']],
  )
})
