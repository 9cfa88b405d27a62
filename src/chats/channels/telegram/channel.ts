import type { Channel, Receipt, SentAt } from '../../../ports/channel.ts'
import { telegramCapabilities, telegramRates, type TelegramRates } from './capabilities.ts'
import type { TelegramClient } from './client.ts'
import { parseUpdate, toPlace } from './parse.ts'
import { renderTelegram } from './render.ts'
import { verifySecret } from './webhook.ts'

/** One bot account of Telegram. Without a secret for its webhook, nothing that calls us is genuine. */
export function telegramChannel({
  name,
  client,
  webhookSecret = '',
  rates = {},
}: {
  name: string
  client: TelegramClient
  webhookSecret?: string
  rates?: TelegramRates
}): Channel {
  const at = ({ address, messageId }: SentAt) => ({ chat_id: toPlace(address).chat_id, message_id: Number(messageId) })
  return {
    name,
    capabilities: { ...telegramCapabilities, delivery: { ...telegramCapabilities.delivery, rates: telegramRates(rates) } },
    render: renderTelegram,
    verify: (raw) => verifySecret(raw, webhookSecret),
    parse: (body) => parseUpdate(body),
    async send(request, { signal }) {
      const answer = await client.call(request, signal)
      return 'failure' in answer ? answer : { receipt: toReceipt(answer.result, request.body) }
    },
    download: (fileId, signal) => client.download(fileId, signal),
    operations: {
      pin: (where, notify) => ({ operation: 'pinChatMessage', body: { ...at(where), disable_notification: !notify } }),
      unpin: (where) => ({ operation: 'unpinChatMessage', body: at(where) }),
      remove: (where) => ({ operation: 'deleteMessage', body: at(where) }),
      react: (where, emoji) => ({
        operation: 'setMessageReaction',
        body: { ...at(where), reaction: emoji === null ? [] : [{ type: 'emoji', emoji }] },
      }),
      stripControls: (where, marker) => ({
        operation: 'editMessageReplyMarkup',
        // Said although it is empty: a keyboard that is left out stays.
        body: { ...at(where), reply_markup: { inline_keyboard: marker === undefined ? [] : [[{ text: marker, disabled: {} }]] } },
      }),
      typing: (address) => ({ operation: 'sendChatAction', body: { ...toPlace(address), action: 'typing' } }),
      answerTap: (tap, toast) => ({
        operation: 'answerCallbackQuery',
        body: { callback_query_id: tap, ...(toast !== null && { text: toast }) },
      }),
    },
  }
}

/** Calls that make no message answer with `true`; then the message is the one that was named. */
function toReceipt(result: unknown, body: Record<string, unknown>): Receipt {
  const { message_id: made, date } = (typeof result === 'object' && result !== null ? result : {}) as { message_id?: number; date?: number }
  const messageId = made ?? body['message_id']
  return {
    address: typeof body['chat_id'] === 'number' || typeof body['chat_id'] === 'string' ? String(body['chat_id']) : '',
    messageId: typeof messageId === 'number' ? String(messageId) : '',
    at: date === undefined ? 0 : date * 1_000,
  }
}
