import type { Formatted } from './entities.ts'
import { asText, type Params } from './request-body.ts'

/**
 * Limits of a request, whether or not the platform's schemas are at hand. Lengths of text are counted in UTF-16 units:
 * Telegram says "characters", and of all readings this is the one that never lets too much through.
 */
const limits = {
  textUnits: 4_096,
  captionUnits: 1_024,
  toastUnits: 200,
  callbackBytes: 64,
  copyTextUnits: 256,
  buttons: 100,
  buttonsPerRow: 8,
  markupBytes: 10_240,
  entities: 100,
  reactions: 1,
} as const

/** One rule that was broken: what is recorded, and what Telegram answers (null: it takes the request all the same). */
export type BrokenRule = { rule: string; answer: string | null }

type Button = Record<string, unknown>
const actions = [
  'url',
  'callback_data',
  'web_app',
  'login_url',
  'switch_inline_query',
  'switch_inline_query_current_chat',
  'switch_inline_query_chosen_chat',
  'copy_text',
  'callback_game',
  'pay',
  'disabled',
]

export function brokenText(kind: 'text' | 'caption', { text, entities }: Formatted): BrokenRule[] {
  const most = kind === 'text' ? limits.textUnits : limits.captionUnits
  const broken: BrokenRule[] = []
  if (kind === 'text' && text.trim() === '') broken.push({ rule: 'text is empty', answer: 'message text is empty' })
  if (text.length > most)
    broken.push({
      rule: `${kind} has ${text.length} UTF-16 units, at most ${most}`,
      answer: kind === 'text' ? 'message is too long' : 'message caption is too long',
    })
  if (entities.length > limits.entities)
    broken.push({ rule: `${entities.length} entities, beyond ${limits.entities} formatting is dropped`, answer: null })
  return broken
}

export function brokenCall(method: string, params: Params): BrokenRule[] {
  const broken: BrokenRule[] = []
  if (method === 'answerCallbackQuery' && typeof params.text === 'string' && params.text.length > limits.toastUnits)
    broken.push({ rule: `toast has ${params.text.length} UTF-16 units, at most ${limits.toastUnits}`, answer: 'MESSAGE_TOO_LONG' })
  if (method === 'setMessageReaction' && Array.isArray(params.reaction) && params.reaction.length > limits.reactions)
    broken.push({ rule: `${params.reaction.length} reactions, at most ${limits.reactions}`, answer: 'REACTIONS_TOO_MANY' })
  if (method === 'sendMediaGroup' && !(Array.isArray(params.media) && params.media.length >= 2 && params.media.length <= 10))
    broken.push({ rule: 'a media group has 2 to 10 items', answer: 'wrong number of media in the group' })
  return [...broken, ...brokenMarkup(params.reply_markup)]
}

function brokenMarkup(markup: unknown): BrokenRule[] {
  if (markup === undefined || markup === null) return []
  const bytes = Buffer.byteLength(JSON.stringify(markup))
  const tooLong: BrokenRule[] =
    bytes > limits.markupBytes
      ? [{ rule: `reply_markup has ${bytes} bytes, at most ${limits.markupBytes}`, answer: 'reply markup is too long' }]
      : []
  const rows = (markup as { inline_keyboard?: unknown }).inline_keyboard
  if (rows === undefined) return tooLong
  if (!Array.isArray(rows) || !rows.every(Array.isArray))
    return [
      {
        rule: 'inline_keyboard is not a list of rows',
        answer: 'field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays',
      },
    ]
  const buttons = (rows as Button[][]).flat()
  const broken = [...tooLong, ...buttons.flatMap(brokenButton)]
  if (buttons.length > limits.buttons)
    broken.push({ rule: `${buttons.length} buttons, at most ${limits.buttons}`, answer: 'reply markup is too long' })
  for (const row of rows as Button[][]) {
    if (row.length > limits.buttonsPerRow)
      broken.push({ rule: `${row.length} buttons in a row, at most ${limits.buttonsPerRow}`, answer: null })
  }
  return broken
}

function brokenButton(button: Button): BrokenRule[] {
  const broken: BrokenRule[] = []
  const { text, callback_data: data, url, copy_text: copy } = button
  if (typeof text !== 'string' || text.trim() === '') broken.push({ rule: 'a button without a label', answer: 'button text is empty' })
  const used = actions.filter((action) => action in button)
  if (used.length !== 1)
    broken.push({
      rule: `a button with ${used.length} actions instead of one`,
      answer: "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
    })
  if (data !== undefined) {
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 0
    if (bytes < 1 || bytes > limits.callbackBytes)
      broken.push({ rule: `callback_data has ${bytes} bytes, 1 to ${limits.callbackBytes}`, answer: 'BUTTON_DATA_INVALID' })
  }
  if (url !== undefined && !/^(https?|tg):\/\/[^\s]+$/i.test(asText(url)))
    broken.push({
      rule: `a button with the address "${asText(url)}"`,
      answer: `inline keyboard button URL '${asText(url)}' is invalid: Wrong HTTP URL`,
    })
  if (copy !== undefined) {
    const length = asText((copy as { text?: unknown }).text).length
    if (length < 1 || length > limits.copyTextUnits)
      broken.push({ rule: `copy_text has ${length} UTF-16 units, 1 to ${limits.copyTextUnits}`, answer: 'BUTTON_COPY_TEXT_INVALID' })
  }
  return broken
}
