import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChannelPresentationCapabilities } from '../message/channel-capabilities.ts'
import { adapt } from './adapt.ts'
import { previewTokens } from './preview-tokens.ts'

const capabilities: ChannelPresentationCapabilities = {
  supported: true,
  images: true,
  media: ['image'],
  limits: { images: { httpsOnly: true }, media: { httpsOnly: true } },
}

test('where only https is fetched, an image over http is listed with its address, and that is a loss', () => {
  for (const scheme of ['https', 'http']) {
    const url = `${scheme}://example.org/i.png`
    const message = { media: [{ url }], presentation: { blocks: [{ type: 'image' as const, url, alt: 'A cat' }] } }
    const { adapted, losses } = adapt(message, capabilities, previewTokens)
    const shown = adapted.parts.flatMap(({ blocks }) => blocks.map(({ type }) => type))
    assert.deepEqual(shown.filter((type) => type === 'image' || type === 'media').length, scheme === 'https' ? 2 : 0)
    assert.equal(losses.filter(({ why }) => why.includes('https')).length, scheme === 'https' ? 0 : 2)
    assert.ok(JSON.stringify(adapted).includes(url))
  }
})
