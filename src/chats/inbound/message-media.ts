import { fileLimits } from '../../dialogs/rules/message-file.ts'
import { ParleyError } from '../../errors.ts'
import type { Channel, InboundMedia } from '../../ports/channel.ts'
import type { Caller } from '../../shapes/parley.ts'
import type { InboundMessage } from '../bindings/binding-events.ts'
import type { InboundParts } from './inbound-parts.ts'

export const mediaLimits = { downloadMs: 60_000 } as const

export type MediaParts = Pick<InboundParts, 'connections' | 'log'> & {
  parley: { files: InboundParts['parley']['files'] }
  hooks: Pick<InboundParts['hooks'], 'transcribe'>
}

/** `files` are stored for the message; `rest` is what could not be fetched, and is named in its text. */
export type TakenMedia = { files: string[]; rest: InboundMedia[] }

/**
 * Fetches what came with a message, so that the agent gets its content. The same message stores the same files again.
 * Throws where the platform may give the file later; with `isLastTry`, the file is only named.
 */
export async function takeMedia(
  parts: MediaParts,
  channelName: string,
  inbound: InboundMessage,
  { caller, isLastTry }: { caller: Caller; isLastTry: boolean },
): Promise<TakenMedia> {
  const taken: TakenMedia = { files: [], rest: [] }
  const channel = parts.connections.get(channelName)
  for (const [index, medium] of inbound.media.entries()) {
    const isTooMuch = index >= fileLimits.filesPerMessage || (medium.sizeBytes ?? 0) > fileLimits.bytes
    const file = isTooMuch || !channel ? null : await takeMedium(parts, channel, { inbound, medium, index, caller, isLastTry })
    if (file === null) taken.rest.push(medium)
    else taken.files.push(file)
  }
  return taken
}

async function takeMedium(
  { parley, hooks, connections, log }: MediaParts,
  channel: Channel,
  which: { inbound: InboundMessage; medium: InboundMedia; index: number; caller: Caller; isLastTry: boolean },
): Promise<string | null> {
  const { inbound, medium, index, caller, isLastTry } = which
  const fetched = await download(channel, medium)
  if ('failure' in fetched) {
    const { why, isPassing } = fetched.failure
    if (isPassing && !isLastTry) throw new ParleyError('channel_refused', { channel: channel.name, why }, { retryable: true })
    log('info', 'a file of a person could not be fetched; it is named in the message', { channel: channel.name, why })
    return null
  }
  const { name, bytes } = fetched
  const { mimeType = '' } = medium
  const voice = {
    channel: channel.name,
    kind: connections.getKind(channel.name),
    name,
    mimeType,
    bytes,
    language: inbound.from.language ?? null,
  }
  const text = medium.kind === 'audio' ? await hooks.transcribe(voice) : null
  const key = `${caller.once?.key ?? inbound.id}/file/${index}`
  try {
    const { file } = await parley.files.add({ name, bytes, ...(text !== null && { text }) }, { ...caller, once: { key, request: key } })
    return file
  } catch (error) {
    if (!(error instanceof ParleyError) || error.retryable) throw error
    // Empty, too large for an image, or too many unused ones: the message is more important than the file.
    return null
  }
}

type Downloaded = { name: string; bytes: Uint8Array } | { failure: { why: string; isPassing: boolean } }

async function download(channel: Channel, { fileId, name, kind }: InboundMedia): Promise<Downloaded> {
  const signal = AbortSignal.timeout(mediaLimits.downloadMs)
  const got = await channel.download(fileId, signal)
  if ('failure' in got) return { failure: { why: got.failure.why, isPassing: got.failure.retryable } }
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of got.file.body) {
      size += chunk.length
      if (size > fileLimits.bytes) return { failure: { why: `it has more than ${fileLimits.bytes} bytes`, isPassing: false } }
      chunks.push(chunk)
    }
  } catch (error) {
    return { failure: { why: error instanceof Error ? error.message : 'it could not be read to its end', isPassing: true } }
  }
  return { name: name ?? got.file.name ?? kind, bytes: Buffer.concat(chunks) }
}
