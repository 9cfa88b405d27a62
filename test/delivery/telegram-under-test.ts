import { telegramChannel } from '../../src/channels/telegram/channel.ts'
import { telegramClient } from '../../src/channels/telegram/client.ts'
import type { Channel } from '../../src/ports/channel.ts'

/** Telegram as a channel, with the real client. */
export async function telegramUnderTest({
  token,
  url,
}: {
  token: string
  url: string
}): Promise<{ channel: Channel; client: Awaited<ReturnType<typeof telegramClient>> }> {
  const client = await telegramClient({ token, apiRoot: url })
  return { channel: telegramChannel({ name: 'telegram', client }), client }
}
