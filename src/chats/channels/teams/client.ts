import type { ActivityParams, Client as TeamsApi } from '@microsoft/teams.api'
import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { atMost } from '../at-most.ts'
import { refuse } from '../failure.ts'
import { fetchFile } from '../fetch-file.ts'
import type { AccessToken } from './access-token.ts'
import { type TeamsError, toFailure } from './failure.ts'

/** The only file that imports the library of Teams. It is loaded with the first account. */

export const teamsClientLimits = { callTimeoutMs: 60_000, downloadBytes: 20 * 1024 * 1024 } as const

export type TeamsClient = {
  /** One call. Throws nothing: a failure is a value. */
  call(
    request: PlatformRequest,
    at: { serviceUrl: string; signal: AbortSignal },
  ): Promise<{ result: Record<string, unknown> } | { failure: SendFailure }>
  /** A file by its URL. The token is sent only to the host of `serviceUrl`. */
  download(url: string, at: { serviceUrl: string; signal: AbortSignal }): Promise<{ file: InboundFile } | { failure: SendFailure }>
}

export async function teamsClient({ token, secrets }: { token: AccessToken; secrets: readonly string[] }): Promise<TeamsClient> {
  const { Client } = await import('@microsoft/teams.api')

  /** The library takes no signal for a call, so each call has a client with its own. */
  const open = (serviceUrl: string, signal: AbortSignal): TeamsApi =>
    new Client(serviceUrl, {
      token: () => token.get(),
      logger: quietLogger,
      timeout: teamsClientLimits.callTimeoutMs,
      middlewares: [
        {
          invoke(context, next) {
            context.config.signal = signal
            return next()
          },
        },
      ],
    })

  async function perform({ operation, path = {}, body }: PlatformRequest, api: TeamsApi): Promise<unknown> {
    const { conversationId = '', activityId = '' } = path
    // The renderer writes what the platform documents; its schemas check that.
    const activity = body as unknown as ActivityParams
    switch (operation) {
      case 'Conversations_SendToConversation':
        return api.conversations.createActivity(conversationId, activity)
      case 'Conversations_UpdateActivity':
        return api.conversations.updateActivity(conversationId, activityId, activity)
      case 'Conversations_DeleteActivity':
        return api.conversations.deleteActivity(conversationId, activityId)
      default:
        throw Object.assign(new Error(`Teams has no operation ${operation}`), { response: { status: 400 } } satisfies TeamsError)
    }
  }

  return {
    async call(request, { serviceUrl, signal }) {
      for (let attempt = 1; ; attempt += 1)
        try {
          const result = await perform(request, open(serviceUrl, signal))
          return { result: isRecord(result) ? result : {} }
        } catch (error) {
          // The token was revoked before its time. The refused request has sent nothing.
          if ((error as TeamsError).response?.status === 401 && attempt === 1) token.forget()
          else return { failure: toFailure(error, request.operation, secrets) }
        }
    },
    async download(url, { serviceUrl, signal }) {
      try {
        const response = await fetchFile(url, { apiRoot: serviceUrl, token: () => token.get(), signal })
        if (!response?.ok || !response.body) return { failure: refuse('the file is not there any more', 'gone') }
        const sizeBytes = Number(response.headers.get('content-length') ?? Number.NaN)
        const limit = teamsClientLimits.downloadBytes
        if (sizeBytes > limit) return { failure: refuse(`the file has ${sizeBytes} bytes`, 'too_large') }
        return { file: { body: response.body.pipeThrough(atMost(limit)), ...(Number.isFinite(sizeBytes) && { sizeBytes }) } }
      } catch (error) {
        return { failure: toFailure(error, 'download', secrets) }
      }
    },
  }
}

const nothing = (): void => {}
const quietLogger = { error: nothing, warn: nothing, info: nothing, debug: nothing, trace: nothing, log: nothing, child: () => quietLogger }
