import { createHash } from 'node:crypto'
import type { Channel, PlatformRequest, Receipt, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { lineAddress } from './address.ts'
import { lineCapabilities } from './capabilities.ts'
import type { LineClient } from './client.ts'
import { lineLimits } from './limits.ts'
import { renderLine } from './render.ts'
import type { ReplyTokens } from './reply-tokens.ts'

type LineChannelParts = { name: string; client: LineClient; tokens: ReplyTokens; now: () => number }
type Sent = Awaited<ReturnType<Channel['send']>>

/** One bot of LINE. A reply within a minute is sent with the reply token of the chat, everything else is pushed. */
export function lineChannel({ name, client, tokens, now }: LineChannelParts): Channel {
  const toReceipt = (result: Record<string, unknown>): { receipt: Receipt } => {
    const sentMessages = Array.isArray(result['sentMessages']) ? (result['sentMessages'] as unknown[]) : []
    const messageIds = sentMessages.flatMap((one) => (isRecord(one) && typeof one['id'] === 'string' ? [one['id']] : []))
    return { receipt: { address: '', messageIds, at: now() } }
  }

  async function reply(request: PlatformRequest, token: string, signal: AbortSignal): Promise<Sent> {
    const used = tokens.use(token)
    if (!used) return { failure: usedUp }
    const first = await client.call(request, { signal })
    if ('result' in first) return toReceipt(first.result)
    if (first.failure.code === 'rate_limited') tokens.keep(used)
    if (!first.failure.maybeSent) return first
    // No answer came. The token is good for one call, so a second one finds out, and cannot send twice.
    const second = await client.call(request, { signal })
    if ('result' in second) return toReceipt(second.result)
    return second.isUsedToken ? toReceipt({}) : { failure: { ...second.failure, maybeSent: true } }
  }

  return {
    name,
    capabilities: lineCapabilities,
    address: lineAddress,
    render(adapted, to) {
      const { requests } = renderLine(adapted, to)
      const token = tokens.find(to.address)
      return { requests: token === null ? requests : requests.map((request, at) => (at === 0 ? withToken(request, token) : request)) }
    },
    async send(request, { key, signal }) {
      const token = request.operation === 'replyMessage' && request.isOneTime ? request.body?.['replyToken'] : undefined
      if (typeof token === 'string') return reply(request, token, signal)
      const outcome = await client.call(request, { retryKey: toRetryKey(`${name}/${key}`), signal })
      return 'result' in outcome ? toReceipt(outcome.result) : outcome
    },
    download: (fileId, signal) => client.download(fileId, signal),
    operations: {
      pin: () => ({ operation: 'pin' }),
      unpin: () => ({ operation: 'unpin' }),
      remove: () => ({ operation: 'remove' }),
      react: () => ({ operation: 'react' }),
      stripControls: () => ({ operation: 'stripControls' }),
      typing: (address) =>
        address.startsWith('U')
          ? { operation: 'showLoadingAnimation', body: { chatId: address, loadingSeconds: lineLimits.loadingSeconds } }
          : null,
      answerTap({ data: { replyToken = '' } }, toast) {
        if (toast === null || replyToken === '') return null
        return { operation: 'replyMessage', body: { replyToken, messages: [{ type: 'text', text: toast }] } }
      },
    },
  }
}

function withToken(request: PlatformRequest, replyToken: string): PlatformRequest {
  const { to: _to, ...rest } = request.body ?? {}
  return { ...request, operation: 'replyMessage', body: { replyToken, ...rest }, isOneTime: true }
}

const usedUp: SendFailure = { code: 'unreachable', why: 'the reply token is used up', retryable: true, retryAfterMs: 0, maybeSent: false }

/** A retry key is a UUID; the same key of ours is always the same one. */
function toRetryKey(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
