import type { Channel, Receipt, SentAt } from '../../../ports/channel.ts'
import { telegramCapabilities, telegramRates, type TelegramRates } from './capabilities.ts'
import { telegramAddress, toPlace } from './address.ts'
import type { TelegramClient } from './client.ts'
import { renderTelegram } from './render.ts'

/** One bot account of Telegram. */
export function telegramChannel({ name, client, rates = {} }: { name: string; client: TelegramClient; rates?: TelegramRates }): Channel {
  const at = ({ address, messageId }: SentAt) => ({ chat_id: toPlace(address).chat_id, message_id: Number(messageId) })
  return {
    name,
    capabilities: { ...telegramCapabilities, delivery: { ...telegramCapabilities.delivery, rates: telegramRates(rates) } },
    render: renderTelegram,
    address: telegramAddress,
    async send(request, { signal }) {
      const answer = await client.call(request, signal)
      return 'failure' in answer ? answer : { receipt: toReceipt(answer.result, request.body ?? {}) }
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
        body: { callback_query_id: tap.data['id'], ...(toast !== null && { text: toast }) },
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
    messageIds: typeof messageId === 'number' ? [String(messageId)] : [],
    at: date === undefined ? 0 : date * 1_000,
  }
}
