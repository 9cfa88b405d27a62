import { telegramCapabilities } from '../../src/channels/telegram/capabilities.ts'
import { telegramClient } from '../../src/channels/telegram/client.ts'
import { parseUpdate, placeOf } from '../../src/channels/telegram/parse.ts'
import { renderTelegram } from '../../src/channels/telegram/render.ts'
import type { Channel, SentAt } from '../../src/ports/channel.ts'

/** Telegram's parts put together as a channel, with the real client. */
export async function telegramUnderTest({
  token,
  url,
}: {
  token: string
  url: string
}): Promise<{ channel: Channel; client: Awaited<ReturnType<typeof telegramClient>> }> {
  const client = await telegramClient({ token, apiRoot: url })
  const at = ({ address, messageId }: SentAt) => ({ chat_id: placeOf(address).chat_id, message_id: Number(messageId) })
  const channel: Channel = {
    name: 'telegram',
    capabilities: telegramCapabilities,
    render: renderTelegram,
    verify: () => 'genuine',
    parse: (body) => parseUpdate(body),
    async send(request, { signal }) {
      const answer = await client.call(request, signal)
      if ('failure' in answer) return answer
      const { message_id: id, date = 0 } = answer.result as { message_id?: number; date?: number }
      return { receipt: { address: JSON.stringify(request.body['chat_id'] ?? ''), messageId: String(id ?? ''), at: date * 1_000 } }
    },
    operations: {
      pin: (where, notify) => ({ operation: 'pinChatMessage', body: { ...at(where), disable_notification: !notify } }),
      unpin: (where) => ({ operation: 'unpinChatMessage', body: at(where) }),
      remove: (where) => ({ operation: 'deleteMessage', body: at(where) }),
      react: (where, emoji) => ({
        operation: 'setMessageReaction',
        body: { ...at(where), reaction: emoji === null ? [] : [{ type: 'emoji', emoji }] },
      }),
      stripControls: (where) => ({ operation: 'editMessageReplyMarkup', body: { ...at(where), reply_markup: { inline_keyboard: [] } } }),
      answerTap: (tap, toast) => ({
        operation: 'answerCallbackQuery',
        body: { callback_query_id: tap, ...(toast !== null && { text: toast }) },
      }),
    },
  }
  return { channel, client }
}
