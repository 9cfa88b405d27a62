import { Readable } from 'node:stream'
import type { messagingApi } from '@line/bot-sdk'
import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { atMost } from '../at-most.ts'
import { endingWith } from '../ending-with.ts'
import { refuse } from '../failure.ts'
import type { LineConfig } from './config.ts'
import { isUsedToken, type LineError, toFailure } from './failure.ts'

/** The only file that imports the library of LINE. It is loaded with the first account. */

export const lineClientLimits = { callTimeoutMs: 60_000, downloadBytes: 20 * 1024 * 1024 } as const

export type LineClient = {
  /** One call. Throws nothing: a failure is a value. */
  call(
    request: PlatformRequest,
    by?: { retryKey?: string; signal?: AbortSignal },
  ): Promise<{ result: Record<string, unknown> } | { failure: SendFailure; isUsedToken: boolean }>
  download(messageId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
}

export async function lineClient({ token = '', apiRoot }: LineConfig): Promise<LineClient> {
  const { messagingApi: api } = await import('@line/bot-sdk')
  const options = { channelAccessToken: token, ...(apiRoot !== undefined && { baseURL: apiRoot }) }
  const client = new api.MessagingApiClient(options)
  const blobs = new api.MessagingApiBlobClient(options)
  const secrets = [token]

  return {
    async call(request, { retryKey, signal = AbortSignal.timeout(lineClientLimits.callTimeoutMs) } = {}) {
      try {
        const result: unknown = await endingWith(perform(client, request, retryKey), signal)
        return { result: isRecord(result) ? result : {} }
      } catch (error) {
        const accepted = readAccepted(error)
        if (accepted) return { result: accepted }
        return { failure: toFailure(error, request.operation, secrets), isUsedToken: isUsedToken(error) }
      }
    },
    async download(messageId, signal) {
      try {
        const { httpResponse, body } = await endingWith(blobs.getMessageContentWithHttpInfo(messageId), signal)
        if (httpResponse.status === 202)
          return { failure: { code: 'unreachable', why: 'LINE still prepares the file', retryable: true, maybeSent: false } }
        const sizeBytes = Number(httpResponse.headers.get('content-length') ?? Number.NaN)
        const limit = lineClientLimits.downloadBytes
        if (sizeBytes > limit) return { failure: refuse(`the file has ${sizeBytes} bytes`, 'too_large') }
        const stream = Readable.toWeb(body) as ReadableStream<Uint8Array>
        return { file: { body: stream.pipeThrough(atMost(limit)), ...(Number.isFinite(sizeBytes) && { sizeBytes }) } }
      } catch (error) {
        return { failure: toFailure(error, 'getMessageContent', secrets) }
      }
    },
  }
}

function perform(
  client: messagingApi.MessagingApiClient,
  { operation, path = {}, body }: PlatformRequest,
  retryKey?: string,
): Promise<unknown> {
  const { group = '', room = '', user = '' } = path
  // The renderer writes what the platform documents; its schemas check that.
  switch (operation) {
    case 'pushMessage':
      return client.pushMessage(body as unknown as messagingApi.PushMessageRequest, retryKey)
    case 'replyMessage':
      return client.replyMessage(body as unknown as messagingApi.ReplyMessageRequest)
    case 'showLoadingAnimation':
      return client.showLoadingAnimation(body as unknown as messagingApi.ShowLoadingAnimationRequest)
    case 'getBotInfo':
      return client.getBotInfo()
    case 'getProfile':
      return client.getProfile(user)
    case 'getGroupMemberProfile':
      return client.getGroupMemberProfile(group, user)
    case 'getRoomMemberProfile':
      return client.getRoomMemberProfile(room, user)
    default:
      return Promise.reject(Object.assign(new Error(`LINE has no operation ${operation}`), { status: 400 }))
  }
}

/** A repeated retry key: LINE answers 409 with the messages that the first request sent. */
function readAccepted(error: unknown): Record<string, unknown> | null {
  const { status, body = '' } = (error ?? {}) as LineError
  if (status !== 409) return null
  try {
    const accepted = JSON.parse(body) as unknown
    return isRecord(accepted) ? accepted : {}
  } catch {
    return {}
  }
}
