import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { RenderTarget } from '../../../ports/channel.ts'
import { type Component, listComponents } from '../../../testing/discord-emulator/discord-state.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { discordRenderer } from './render.ts'

const schema = platformSchema('discord')

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, to: RenderTarget): string[] {
  return present(message, discordRenderer, to, previewTokens).requests.flatMap(({ operation, body }) => {
    const all = listComponents((body?.['components'] ?? []) as Component[])
    const ids = all.flatMap(({ custom_id: id }) => id ?? [])
    const texts = all.flatMap((one) => [one.content, one.label, one.placeholder, ...(one.options ?? []).map(({ label }) => label)])
    const length = texts.reduce((sum, text) => sum + (text ?? '').length, 0)
    const media = all.filter(({ type }) => type === 12 || type === 13)
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(all.length > 40 ? [`${all.length} components`] : []),
      ...(length > 4_000 ? [`${length} characters`] : []),
      ...(media.length > 10 ? [`${media.length} media`] : []),
      ...(new Set(ids).size === ids.length ? [] : ['a custom_id occurs twice']),
      ...(all.some(({ type, content }) => type === 10 && (content ?? '').trim() === '') ? ['an empty text'] : []),
      ...all.flatMap(({ options = [] }) =>
        new Set(options.map(({ value }) => value)).size === options.length ? [] : ['an option occurs twice'],
      ),
    ]
  })
}

testRenderer(
  'Discord',
  [{ address: '1100000000000000001' }, { address: 'user:1000000000000000001', edit: ['1300000000000000001'] }],
  findFaults,
)
