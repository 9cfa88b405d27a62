import { createHash } from 'node:crypto'
import { describeError, ParleyError } from '../errors.ts'
import { normaliseMessage } from '../chats/message/normalise.ts'
import { findReservedAction } from '../chats/message/reserved-actions.ts'
import { readChoice, own } from '../chats/message/untrusted.ts'
import type { Tool, ToolContext } from '../ports/agent-runtime.ts'
import type { CapabilitySheet } from '../ports/channel.ts'
import type { DeliveryView, Messaging } from '../shapes/messaging.ts'
import type { Caller } from '../shapes/parley.ts'
import { messageGate } from './message-gate.ts'
import { type Abilities, findAbilities, type MessageAction, messageActions, messageSchema } from './message-schema.ts'
import { isRecord } from '../shapes/record.ts'

export const messageToolLimits = { waitMs: 5_000, pins: 20 } as const

export type MessageCommand = {
  action: MessageAction
  channel?: string
  target: string
  dryRun?: boolean
  message?: string
  media?: string
  replyTo?: string
  silent?: boolean
  presentation?: unknown
  delivery?: unknown
  messageId?: string
  emoji?: string
  notify?: boolean
}

const description =
  'Write to a chat app, or change what was written there: to a person who is not in this dialog, or to another chat. What you say in this dialog itself needs no tool. The receipt says what arrived and what had to be shown otherwise.'

/**
 * The agent's way to chat apps. What it offers follows what is connected, so its schema may change from one generation to the
 * next. Repeated after a crash: the call's own id is the key, so nothing is sent twice.
 */
export function messageTool({
  messaging,
  sheets,
}: {
  messaging: () => Messaging | null
  /** Capability sheets of the accounts that are connected now. */
  sheets: () => readonly CapabilitySheet[]
}): Tool {
  let cached: { key: string; schema: object } | null = null
  return {
    name: 'message',
    description,
    afterCrash: 'repeat',
    gate: messageGate(messaging),
    /** The same object for the same abilities, so that callers can cache what they derive from it. */
    get inputSchema() {
      const abilities = findAbilities(sheets())
      const key = JSON.stringify(abilities)
      if (cached?.key !== key) cached = { key, schema: messageSchema(abilities) }
      return cached.schema
    },
    check: (input) => checkCommand(input, findAbilities(sheets())),
    async run(input, context) {
      const connected = messaging()
      try {
        if (!connected) throw new ParleyError('no_channels')
        return await perform(input as MessageCommand, connected, context)
      } catch (error) {
        // An agent can act on the hint as well as a person.
        throw error instanceof ParleyError ? new Error(`${error.message} ${error.hint}`, { cause: error }) : error
      }
    },
  }
}

const texts = ['channel', 'target', 'threadId', 'message', 'media', 'replyTo', 'messageId', 'emoji'] as const
const flags = ['dryRun', 'silent', 'notify'] as const
const knownFields: readonly string[] = ['action', 'presentation', 'delivery', ...texts, ...flags]

/** The model's input as one request, or the fault and how to correct it. */
function checkCommand(given: unknown, abilities: Abilities): { input: MessageCommand } | { fault: string } {
  const input = withObjects(given)
  if (!isRecord(input)) return { fault: 'it is not an object' }
  const action = readChoice(own(input, 'action') ?? 'send', messageActions)
  if (!action || !abilities.actions.includes(action))
    return { fault: `action: ${JSON.stringify(own(input, 'action'))} is not one of ${abilities.actions.join(', ')}` }
  for (const name of texts) {
    const value = own(input, name)
    if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
      return { fault: `${name}: it must be text that is not empty` }
  }
  for (const name of flags)
    if (own(input, name) !== undefined && typeof own(input, name) !== 'boolean') return { fault: `${name}: it must be true or false` }
  if (own(input, 'dryRun') === true && action !== 'send') return { fault: 'dryRun: only a send can be tried without doing it' }
  if (own(input, 'target') === undefined) return { fault: 'target: say where to' }
  const fault = faultOfWords(input, action, abilities)
  if (fault !== null) return { fault }
  const odd = Object.keys(input).filter((name) => !knownFields.includes(name))
  if (odd.length > 0) return { fault: `there is no field ${odd.slice(0, 5).join(', ')}; the fields are ${knownFields.join(', ')}` }
  if (action !== 'send' && action !== 'pins' && own(input, 'messageId') === undefined)
    return { fault: `messageId: ${action} needs the id of the message` }
  const { threadId, target, ...rest } = input as MessageCommand & { threadId?: string }
  const where = threadId === undefined || target.includes(':topic:') ? target : `${target}:topic:${threadId}`
  return { input: { ...rest, action, target: where } }
}

/** Small models like to write an object as a text of JSON. */
function withObjects(input: unknown): unknown {
  if (!isRecord(input)) return input
  const read = (name: string): object => {
    const value = own(input, name)
    if (typeof value !== 'string') return {}
    try {
      return { [name]: JSON.parse(value) as unknown }
    } catch {
      return {}
    }
  }
  return { ...input, ...read('presentation'), ...read('delivery') }
}

function faultOfWords(input: Readonly<Record<string, unknown>>, action: MessageAction, abilities: Abilities): string | null {
  const presentation = own(input, 'presentation')
  const media = own(input, 'media')
  if (presentation !== undefined && !abilities.presentation) return 'presentation: no connected channel shows one; put it into message'
  if (own(input, 'delivery') !== undefined && !abilities.pin) return 'delivery: no connected channel can pin; leave it out'
  const reserved = findReservedAction(input)
  if (reserved) return `${reserved.at}: "${reserved.type}" is Parley's own; use callback, or ask with askHuman`
  if (typeof media === 'string' && !/^https?:\/\/\S+$/.test(media)) return 'media: it must be an http(s) address'
  const read = normaliseMessage(input)
  if ('refused' in read) {
    const { code, details } = read.refused
    const isEnough = code === 'empty_message' && (media !== undefined || (action !== 'send' && action !== 'edit'))
    if (isEnough) return null
    if (code === 'empty_message' && presentation === undefined) return `message: ${action} needs message or presentation`
    const { message, hint } = describeError(code, details)
    return `${message} ${hint}`
  }
  // For a person the rest would be sent; a model can repeat its call.
  const [first] = read.dropped
  return first ? `${first.at}: ${first.why}` : null
}

async function perform(command: MessageCommand, { messages }: Messaging, context: ToolContext): Promise<unknown> {
  const { action, dryRun = false, messageId = '', emoji, notify = false, channel, target, ...rest } = command
  const at = { ...(channel !== undefined && { channel }), target }
  const there = { ...at, messageId }
  const caller = toCaller(command, context)
  context.signal.throwIfAborted()
  switch (action) {
    case 'send': {
      const input = { ...at, ...rest, from: context.dialog }
      if (dryRun) return messages.dryRun(input)
      return receipt((await messages.send(input, caller, messageToolLimits.waitMs)).delivery)
    }
    case 'edit':
      return receipt((await messages.edit(there, { message: rest.message, presentation: rest.presentation }, caller)).delivery)
    case 'delete':
      return messages.remove(there)
    case 'react':
      return messages.react(there, emoji ?? null)
    case 'pin':
      return messages.pin(there, notify)
    case 'unpin':
      return messages.unpin(there)
    case 'pins':
      return { pins: (await messages.pins(at, messageToolLimits.pins)).map(receipt) }
  }
}

/** The key is the call's own, so that a call that is run again after a crash finds what the first run has done. */
function toCaller(command: MessageCommand, { agent, dialog, call }: ToolContext): Caller {
  const request = createHash('sha256').update(JSON.stringify(command)).digest('base64url')
  return { by: { kind: 'agent', name: agent }, via: 'tool', once: { key: `call:${dialog}:${call}`, request } }
}

/** A delivery as the agent reads it. A delivery that failed is a failed call, with the next step. */
function receipt({ id, channel, address, state, receipts, losses, pin, error, text }: DeliveryView): object {
  if (state === 'failed' || state === 'parked')
    throw new Error(
      `It was not sent to ${channel} ${address}: ${error === null ? state : `${error.message} ${error.hint}`} (delivery ${id})`,
    )
  return {
    delivery: id,
    channel,
    target: address,
    state,
    messageIds: receipts.map(({ messageId }) => messageId),
    ...(pin !== 'none' && { pin }),
    ...(losses.length > 0 && { losses }),
    ...(error !== null && { note: `${error.message} ${error.hint}` }),
    text: text.slice(0, 200).toWellFormed(),
  }
}
