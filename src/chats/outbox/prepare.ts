import type { AdaptedBlock, AdaptedMessage, Channel, Loss, PlatformRequest, RenderTarget } from '../../ports/channel.ts'
import { adapt } from '../presentation/adapt.ts'
import { renderOrPlain } from '../presentation/present.ts'
import { controlTokens } from './control-tokens.ts'
import type { GivenControl } from './delivery-events.ts'
import type { DeliveryState } from './delivery-state.ts'

export type PreparedPart = {
  request: PlatformRequest
  part: number
  parts: number
  covers: number
  key: string
  isEdit: boolean
  hasControls: boolean
  medium: string | null
  losses: Loss[]
  controls: GivenControl[]
}

/**
 * The request for the next part of a delivery. The same state gives the same request and the same key, also after a restart.
 * Null when there is nothing to send.
 */
export function preparePart(state: DeliveryState, channel: Channel, isSigned: (value: string) => boolean): PreparedPart | null {
  const { delivery, message, done: part, revision, plain } = state
  const { tokens, given } = controlTokens(delivery, message, isSigned)
  const target = toTarget(state, channel)
  const rendered = renderOrPlain(message, channel, target, tokens)
  const { request, covers, total } = findRequest(rendered?.requests ?? [], part)
  if (!rendered || !request) return null
  const { adapted, losses } = rendered
  const isEdit = target.edit?.[part] !== undefined
  const blocks = adapted.parts.slice(part, part + covers).flatMap((one) => one.blocks)
  return {
    request,
    part,
    parts: total,
    covers,
    // Without formatting it is another request: a platform that knows keys must not take it for the one it refused.
    key: `${delivery}/${revision}/${part}${isEdit ? '/edit' : ''}${plain === null ? '' : '/plain'}`,
    isEdit,
    hasControls: blocks.some(isControls),
    medium: blocks.flatMap((block) => (block.type === 'media' || block.type === 'image' ? [block.url] : []))[0] ?? null,
    losses: plain === null ? losses : [...losses, { what: 'formatting', from: 'formatted text', to: 'plain text', why: plain }],
    controls: given(),
  }
}

/** The request that replaces a sent message by itself without its controls, for platforms that change messages only as a whole. */
export function prepareStrip(
  state: DeliveryState,
  channel: Channel,
  messageId: string,
  { isSigned, marker }: { isSigned: (value: string) => boolean; marker?: string | undefined },
): PlatformRequest | null {
  const part = state.shown.findIndex((one) => one.messageId === messageId)
  if (part === -1) return null
  const { tokens } = controlTokens(state.delivery, state.message, isSigned)
  const { adapted } = adapt(state.message, channel.capabilities.presentation, tokens)
  const note: AdaptedBlock = { type: 'context', text: marker ?? '✓', format: 'plain' }
  const parts: AdaptedMessage['parts'] = adapted.parts.map(({ blocks }) => {
    const rest = blocks.filter((block) => !isControls(block))
    return { blocks: rest.length === 0 || marker !== undefined ? [...rest, note] : rest }
  })
  try {
    const { requests } = channel.render({ ...adapted, parts }, toTarget(state, channel)) ?? { requests: [] }
    return findRequest(requests, part).request ?? null
  } catch {
    return null
  }
}

const isControls = ({ type }: AdaptedBlock): boolean => type === 'buttons' || type === 'select'

function toTarget({ address, shown, resend, plain, message }: DeliveryState, { capabilities }: Channel): RenderTarget {
  const { replyTo, silent, onlyFor } = message.send ?? {}
  return {
    address,
    edit:
      capabilities.delivery.editing.ability === 'none'
        ? []
        : shown.map(({ messageId }, part) => (resend.includes(part) ? undefined : messageId)),
    showing: shown.map(({ medium }) => medium),
    ...(plain !== null && { plain: true }),
    ...(replyTo !== undefined && { replyTo }),
    ...(silent && { silent }),
    ...(onlyFor !== undefined && { onlyFor }),
  }
}

/** The request that begins with this part, and the number of parts of all requests together. */
function findRequest(requests: readonly PlatformRequest[], part: number): { request?: PlatformRequest; covers: number; total: number } {
  let total = 0
  let match: PlatformRequest | undefined
  for (const request of requests) {
    if (total === part) match = request
    total += request.covers ?? 1
  }
  return { ...(match && { request: match }), covers: match?.covers ?? 1, total }
}
