import { type Refusal, refuse } from '../../errors.ts'
import { normaliseMedia } from './media.ts'
import { findExcess } from './message-limits.ts'
import { type Dropped, normaliseInteractive, normalisePresentation } from './normalise-blocks.ts'
import type { ReplyPayload } from './reply-payload.ts'
import { findReservedAction } from './reserved-actions.ts'
import { own, getOpaque, getText } from './untrusted.ts'
import { isRecord } from '../../shapes/record.ts'

/** Forms of one platform, and the portable field that says the same. */
const nativeFields: readonly [field: string, portable: string][] = [
  ['components', 'presentation.blocks'],
  ['blocks', 'presentation.blocks'],
  ['buttons', 'presentation.blocks with a block of type "buttons"'],
  ['card', 'presentation (title, tone and blocks)'],
  ['embeds', 'presentation (title, tone and blocks)'],
  ['reply_markup', 'presentation.blocks with a block of type "buttons"'],
]

/** The same names inside a presentation, where `blocks` is the portable field itself. */
const nativeInside = nativeFields.filter(([field]) => field !== 'blocks')

/**
 * Untrusted JSON to a message. What cannot be shown is left out and named in `dropped`; the form of one platform is
 * refused, because it would be silently wrong on every other one. Files of this machine are taken from its owner alone
 * (`mayUseFiles`), never from an agent. Actions that decide for a person are refused: the server alone makes them. Total: takes anything, never throws.
 */
export function normaliseMessage(
  input: unknown,
  { mayUseFiles = false }: { mayUseFiles?: boolean } = {},
): { message: ReplyPayload; dropped: Dropped[] } | { refused: Refusal } {
  if (!isRecord(input)) return refuse('bad_request', { field: 'message', why: 'it is not an object' })
  const rawPresentation = own(input, 'presentation')
  const native =
    nativeFields.find(([field]) => present(own(input, field))) ??
    (isRecord(rawPresentation) ? nativeInside.find(([field]) => present(own(rawPresentation, field))) : undefined)
  if (native) return refuse('native_field', { field: native[0], portable: native[1] })
  const reserved = findReservedAction(input)
  if (reserved) return refuse('action_reserved', reserved)

  const dropped: Dropped[] = []
  const drop = (at: string, why: string): undefined => void dropped.push({ at, why })
  const text = getText(own(input, 'text')) ?? getText(own(input, 'message'))
  const older = own(input, 'interactive')
  const presentation =
    present(rawPresentation) || !present(older)
      ? normalisePresentation(rawPresentation ?? undefined, drop)
      : normaliseInteractive(older, drop)
  if (present(rawPresentation) && present(older)) drop('interactive', 'the presentation says it')
  const media = normaliseMedia(own(input, 'media'), drop, mayUseFiles)
  if (text === undefined && !presentation && media.length === 0) return refuse('empty_message')

  const message: ReplyPayload = {
    ...(text !== undefined && { text }),
    ...(presentation && { presentation }),
    ...(media.length > 0 && { media }),
    ...(own(input, 'presentationTextMode') === 'fallback' && text !== undefined && presentation && { presentationTextMode: 'fallback' }),
    ...getSend(own(input, 'send')),
    ...makeDelivery(own(input, 'delivery')),
  }
  const excess = findExcess(message)
  return excess ? refuse('message_too_big', excess) : { message, dropped }
}

const present = (value: unknown): boolean => value !== undefined && value !== null

function getSend(input: unknown): Pick<ReplyPayload, 'send'> {
  if (!isRecord(input)) return {}
  const replyTo = getOpaque(own(input, 'replyTo'))
  const onlyFor = getOpaque(own(input, 'onlyFor'))
  const send = {
    ...(replyTo !== undefined && { replyTo }),
    ...(own(input, 'silent') === true && { silent: true }),
    ...(onlyFor !== undefined && { onlyFor }),
  }
  return Object.keys(send).length > 0 ? { send } : {}
}

function makeDelivery(input: unknown): Pick<ReplyPayload, 'delivery'> {
  const pin = isRecord(input) ? own(input, 'pin') : undefined
  if (typeof pin === 'boolean') return { delivery: { pin } }
  if (!isRecord(pin) || typeof own(pin, 'enabled') !== 'boolean') return {}
  const flags = ['enabled', 'notify', 'required'].flatMap((name) => (typeof own(pin, name) === 'boolean' ? [[name, own(pin, name)]] : []))
  return { delivery: { pin: Object.fromEntries(flags) as { enabled: boolean } } }
}
