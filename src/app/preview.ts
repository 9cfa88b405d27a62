import { plainRenderer } from '../chats/channels/plain/render.ts'
import { builtInKinds } from '../chats/channels/registry.ts'
import { webRenderer } from '../chats/channels/web/render.ts'
import { ParleyError } from '../errors.ts'
import { normaliseMessage } from '../chats/message/normalise.ts'
import type { Dropped } from '../chats/message/normalise-blocks.ts'
import type { ChannelRenderer } from '../ports/channel.ts'
import { present, type Presented } from '../chats/presentation/present.ts'
import type { MessagePresentation } from '../chats/message/presentation.ts'
import { isRecord } from '../shapes/record.ts'
import { previewTokens } from '../chats/presentation/preview-tokens.ts'

/** Renderers without a platform. */
const ownRenderers = { web: { renderer: webRenderer, sample: 'page' }, plain: { renderer: plainRenderer, sample: 'text' } } as const

export type Preview = {
  /** `shown`: what a person sees of the requests, read back from them; null where a channel cannot be read back. */
  channels: Record<string, Presented & { title: string; shown: MessagePresentation[] | null }>
  /** Parts of the input that were not understood. */
  dropped: Dropped[]
}

export const previewChannels: readonly string[] = [...Object.keys(builtInKinds), ...Object.keys(ownRenderers)]

/** One message as each channel would get it: the very requests, how it reads as text, and what is lost on the way. */
export async function previewMessage(json: unknown, channels: readonly string[] = previewChannels): Promise<Preview> {
  for (const name of channels) {
    if (!previewChannels.includes(name))
      throw new ParleyError('bad_request', {
        field: 'channels',
        why: `there is no channel called ${name}; there are ${previewChannels.join(', ')}`,
      })
  }
  const read = normaliseMessage(isBarePresentation(json) ? { presentation: json } : json)
  if ('refused' in read) throw new ParleyError(read.refused.code, read.refused.details)
  const chosen = previewChannels.filter((name) => channels.includes(name))
  const previews = chosen.map(async (name) => {
    const { renderer, sample, title } = await findRenderer(name)
    const presented = present(read.message, renderer, { address: sample }, previewTokens)
    const shown = renderer.readBack ? presented.requests.flatMap((request) => renderer.readBack?.(request) ?? []) : null
    return [name, { title, ...presented, shown }] as const
  })
  return { channels: Object.fromEntries(await Promise.all(previews)), dropped: read.dropped }
}

/** A presentation on its own, as a program has it at hand: nothing else has blocks and no message around them. */
const isBarePresentation = (json: unknown): boolean =>
  isRecord(json) && Array.isArray(json['blocks']) && Object.keys(json).every((key) => ['title', 'tone', 'blocks'].includes(key))

/** Pure: none of them loads a platform's library. */
async function findRenderer(name: string): Promise<{ renderer: ChannelRenderer; sample: string; title: string }> {
  if (name === 'web' || name === 'plain') return { ...ownRenderers[name], title: name }
  const kind = await builtInKinds[name]?.load()
  if (!kind) throw new Error(`there is no kind ${name}`)
  return { renderer: kind.renderer, sample: kind.address.sample, title: kind.title }
}
