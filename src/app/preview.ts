import { plainRenderer } from '../chats/channels/plain/render.ts'
import { telegramRenderer } from '../chats/channels/telegram/render.ts'
import { webRenderer } from '../chats/channels/web/render.ts'
import { ParleyError } from '../errors.ts'
import { normaliseMessage } from '../chats/message/normalise.ts'
import type { Dropped } from '../chats/message/normalise-blocks.ts'
import type { ChannelRenderer } from '../ports/channel.ts'
import { present, type Presented } from '../chats/presentation/present.ts'
import { previewTokens } from '../chats/presentation/preview-tokens.ts'

/** Every channel a message can be drawn for. Pure: none of them loads a platform's library. */
const renderers: readonly ChannelRenderer[] = [telegramRenderer, webRenderer, plainRenderer]

/** Somewhere on each platform, so that the requests are whole. */
const sampleAddress: Record<string, string> = { telegram: '1', web: 'page', plain: 'text' }

export type Preview = {
  channels: Record<string, Presented>
  /** Parts of the input that were not understood. */
  dropped: Dropped[]
}

export const previewChannels: readonly string[] = renderers.map(({ name }) => name)

/** One message as each channel would get it: the very requests, how it reads as text, and what is lost on the way. */
export function previewMessage(json: unknown, channels: readonly string[] = previewChannels): Preview {
  for (const name of channels) {
    if (!previewChannels.includes(name))
      throw new ParleyError('bad_request', {
        field: 'channels',
        why: `there is no channel called ${name}; there are ${previewChannels.join(', ')}`,
      })
  }
  const read = normaliseMessage(json)
  if ('refused' in read) throw new ParleyError(read.refused.code, read.refused.details)
  const chosen = renderers.filter(({ name }) => channels.includes(name))
  return {
    channels: Object.fromEntries(
      chosen.map((one) => [one.name, present(read.message, one, { address: sampleAddress[one.name] ?? '1' }, previewTokens)]),
    ),
    dropped: read.dropped,
  }
}
