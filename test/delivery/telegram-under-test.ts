import { telegramChannel } from '../../src/chats/channels/telegram/channel.ts'
import { telegramClient } from '../../src/chats/channels/telegram/client.ts'
import type { ReadFile } from '../../src/ports/channel-kind.ts'
import type { Channel } from '../../src/ports/channel.ts'

/** Telegram as a channel, with the real client. */
export async function telegramUnderTest({
  token,
  url,
  readFile,
}: {
  token: string
  url: string
  readFile?: ReadFile
}): Promise<{ channel: Channel; client: Awaited<ReturnType<typeof telegramClient>> }> {
  const client = await telegramClient({ token, apiRoot: url, ...(readFile && { readFile }) })
  return { channel: telegramChannel({ name: 'telegram', client }), client }
}
