import type { Channel, Loss, PlatformRequest } from '../../ports/channel.ts'
import { adapt } from '../presentation/adapt.ts'
import { controlTokens } from './control-tokens.ts'
import type { GivenControl } from './delivery-events.ts'
import type { DeliveryState } from './delivery-state.ts'

export type PreparedPart = {
  request: PlatformRequest
  part: number
  parts: number
  key: string
  isEdit: boolean
  hasControls: boolean
  medium: string | null
  losses: Loss[]
  controls: GivenControl[]
}

/** The next part of a delivery in the platform's words. The same state gives the same request and the same key, also after a restart. */
export function preparePart(state: DeliveryState, channel: Channel, isSigned: (value: string) => boolean): PreparedPart | null {
  try {
    return prepare(state, channel, isSigned)
  } catch {
    // A message that a renderer chokes on must not keep all that follow it from being sent.
    return null
  }
}

function prepare(state: DeliveryState, channel: Channel, isSigned: (value: string) => boolean): PreparedPart | null {
  const { delivery, message, address, shown, done: part, revision, plain } = state
  const { tokens, given } = controlTokens(delivery, message, isSigned)
  const { adapted, losses } = adapt(message, channel.capabilities.presentation, tokens)
  const { replyTo, silent } = message.send ?? {}
  const edit = channel.capabilities.delivery.editSentMessage ? shown.map(({ messageId }) => messageId) : []
  const { requests } = channel.render(adapted, {
    address,
    edit,
    showing: shown.map(({ medium }) => medium),
    ...(plain !== null && { plain: true }),
    ...(replyTo !== undefined && { replyTo }),
    ...(silent && { silent }),
  })
  const request = requests[part]
  if (!request) return null
  const isEdit = edit[part] !== undefined
  const blocks = adapted.parts[part]?.blocks ?? []
  return {
    request,
    part,
    parts: requests.length,
    // Without formatting it is another request: a platform that knows keys must not take it for the one it refused.
    key: `${delivery}/${revision}/${part}${isEdit ? '/edit' : ''}${plain === null ? '' : '/plain'}`,
    isEdit,
    hasControls: blocks.some(({ type }) => type === 'buttons' || type === 'select'),
    medium: blocks.flatMap((block) => (block.type === 'media' || block.type === 'image' ? [block.url] : []))[0] ?? null,
    losses: plain === null ? losses : [...losses, { what: 'formatting', from: 'formatted text', to: 'plain text', why: plain }],
    controls: given(),
  }
}
