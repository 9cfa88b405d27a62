import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { RenderTarget } from '../../../ports/channel.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { telegramLimits as limits } from './limits.ts'
import { telegramRenderer } from './render.ts'
import { readHtml } from './test/read-html.ts'

const schema = platformSchema('telegram')

type Key = { callback_data?: string }
type Body = {
  text?: string
  caption?: string
  parse_mode?: string
  media?: { caption?: string; parse_mode?: string }
  reply_markup?: { inline_keyboard: Key[][] }
}

/** Rules of the platform's contract, and those that no schema holds: texts are counted after their formatting is read. */
function findFaults(message: ReplyPayload, to: RenderTarget): string[] {
  return present(message, telegramRenderer, to, previewTokens).requests.flatMap(({ operation, body = {} }) => {
    const { text, reply_markup: markup, media, ...rest } = body as Body
    const { caption = media?.caption, parse_mode: mode = media?.parse_mode } = { ...rest }
    const rows = markup?.inline_keyboard ?? []
    const isLong = rows.flat().some(({ callback_data: data = '-' }) => data === '' || Buffer.byteLength(data) > limits.callbackDataBytes)
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...textFaults(text, mode, limits.textUnits, 1),
      ...textFaults(caption, mode, limits.captionUnits, 0),
      ...(rows.flat().length > limits.buttons ? [`${rows.flat().length} buttons`] : []),
      ...(rows.some((row) => row.length > limits.buttonsPerRow || row.length === 0) ? ['a row that is empty or too long'] : []),
      ...(isLong ? ['data of a button that is empty or too long'] : []),
      ...(markup && Buffer.byteLength(JSON.stringify(markup)) > limits.markupBytes ? ['a large keyboard'] : []),
    ]
  })
}

function textFaults(text: string | undefined, mode: string | undefined, most: number, least: number): string[] {
  if (text === undefined) return []
  try {
    const { text: words, entities } = mode === 'HTML' ? readHtml(text) : { text, entities: 0 }
    return [
      ...(words.length > most ? [`${words.length} units of text`] : []),
      ...(words.trim().length < least ? ['an empty text'] : []),
      ...(entities > limits.entities ? [`${entities} entities`] : []),
    ]
  } catch (error) {
    return [`its HTML is refused: ${String(error)}`]
  }
}

testRenderer(
  'Telegram',
  [
    { address: '42' },
    { address: '-1001:topic:7', replyTo: '5', silent: true },
    { address: '42', edit: ['7'], showing: [null] },
    { address: '42', plain: true },
  ],
  findFaults,
)
