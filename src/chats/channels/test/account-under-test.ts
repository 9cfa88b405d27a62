import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Cursor, OpenAccount, OpenParts, WebhookRequest } from '../../../ports/channel-kind.ts'
import type {
  AdaptedBlock,
  AdaptedMessage,
  Channel,
  Inbound,
  PlatformRequest,
  Receipt,
  RenderTarget,
  SendFailure,
} from '../../../ports/channel.ts'
import { systemClock } from '../../../ports/clock.ts'
import { silentLog } from '../../../ports/log.ts'

export function memoryCursor(): Cursor & { text: string | null } {
  return {
    text: null,
    async read() {
      return this.text
    },
    async write(text) {
      this.text = text
    },
  }
}

/** An account that is open, and the messages it has reported. */
export type Opened = { account: OpenAccount; channel: Channel; taken: Inbound[] }

/** Opens an account that reads at once, and closes it after the test. */
export async function openUnderTest(
  t: TestContext,
  open: (parts: OpenParts) => OpenAccount,
  more: Partial<OpenParts> = {},
): Promise<Opened> {
  const taken: Inbound[] = []
  const closing = new AbortController()
  const account = open({
    take: async (batch) => void taken.push(...batch),
    readFile: async (url) =>
      url.includes('missing') ? { problem: 'there is no such file' } : { bytes: Buffer.from('bytes'), name: 'über 1.txt' },
    reading: {
      isOn: true,
      until: (isOn, signal) => (isOn ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve()))),
    },
    cursor: memoryCursor(),
    clock: systemClock,
    log: silentLog,
    publicUrl: null,
    signal: closing.signal,
    ...more,
  })
  t.after(() => {
    closing.abort()
    return account.close()
  })
  await account.ready
  return { account, channel: account.channel ?? assert.fail('no channel'), taken }
}

/** A call of the platform to a webhook. */
export const postRequest = (body: string, headers: Record<string, string> = {}): WebhookRequest => ({
  method: 'POST',
  path: '/',
  query: {},
  headers,
  body: new TextEncoder().encode(body),
})

export const textPart = (words: string): { blocks: AdaptedBlock[] } => ({ blocks: [{ type: 'text', text: words, format: 'markdown' }] })

/** Words with a button and a select. */
export const helloBlocks: AdaptedBlock[] = [
  { type: 'text', text: 'Hello **you**', format: 'markdown' },
  { type: 'buttons', rows: [[{ label: 'Yes', press: { type: 'value', value: 'token-1' } }]] },
  { type: 'select', placeholder: 'Pick', options: [{ label: 'Tea', value: 'token-2' }] },
]

export const renderAll = (channel: Channel, message: AdaptedMessage, to: RenderTarget): PlatformRequest[] =>
  channel.render(message, to)?.requests ?? assert.fail('no requests')

/** The first request that shows these blocks. */
export const show = (channel: Channel, blocks: AdaptedBlock[], to: RenderTarget): PlatformRequest =>
  renderAll(channel, { parts: [{ blocks }] }, to)[0] ?? assert.fail('no request')

export const send = (
  channel: Channel,
  request: PlatformRequest | undefined,
  key = 'k',
): Promise<{ receipt: Receipt } | { failure: SendFailure }> =>
  channel.send(request ?? assert.fail('no request'), { key, signal: AbortSignal.timeout(60_000) })

/** The id of a message that was sent. */
export async function sendAndGetId(channel: Channel, request: PlatformRequest | undefined, key?: string): Promise<string> {
  const outcome = await send(channel, request, key)
  assert.ok('receipt' in outcome, JSON.stringify(outcome))
  return outcome.receipt.messageIds[0] ?? ''
}

/** The failure of a request. */
export async function sendAndFail(channel: Channel, request: PlatformRequest | undefined, key?: string): Promise<SendFailure> {
  const outcome = await send(channel, request, key)
  assert.ok('failure' in outcome, JSON.stringify(outcome))
  return outcome.failure
}

/** A limited request, and the time it names for the next one. */
export async function sendAndWait(
  channel: Channel,
  request: PlatformRequest | undefined,
): Promise<[SendFailure['code'], SendFailure['retryAfterMs'], SendFailure['scope'], boolean]> {
  const { code, retryAfterMs, scope, maybeSent } = await sendAndFail(channel, request)
  return [code, retryAfterMs, scope, maybeSent]
}

/** The text of a received file and its name, or the code of the failure. */
export async function download(channel: Channel, fileId: string): Promise<{ text: string; name: string | undefined } | { code: string }> {
  const outcome = await channel.download(fileId, AbortSignal.timeout(60_000))
  if ('failure' in outcome) return { code: outcome.failure.code }
  return { text: await new Response(outcome.file.body).text(), name: outcome.file.name }
}

type Lookups = Required<NonNullable<Channel['lookups']>>
type Found = Extract<Awaited<ReturnType<Lookups['messages']>>, { messages: unknown }>['messages'][number]

/** The lookups of a channel that has them all. `list` returns what `read` makes of each message, or the code of the failure. */
export function lookupsUnderTest<Shown>(channel: Channel, read: (message: Found) => Shown) {
  const messages = channel.lookups?.messages ?? assert.fail('no messages')
  const reactions = channel.lookups?.reactions ?? assert.fail('no reactions')
  const signal = AbortSignal.timeout(60_000)
  const list = async (query: Parameters<typeof messages>[0]): Promise<Shown[] | string> => {
    const answer = await messages(query, signal)
    return 'messages' in answer ? answer.messages.map(read) : answer.failure.code
  }
  return { messages, reactions, signal, list }
}
