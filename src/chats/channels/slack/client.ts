import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { atMost } from '../at-most.ts'
import { refuse } from '../failure.ts'
import { fetchFile } from '../fetch-file.ts'
import type { SlackConfig } from './config.ts'
import { toFailure } from './failure.ts'
import type { SlackReport } from './parse.ts'

/** The only file that imports the libraries of Slack. They are loaded with the first account. */

export const slackClientLimits = { callTimeoutMs: 60_000, downloadBytes: 20 * 1024 * 1024 } as const

export type SlackClient = {
  /** One call. Throws nothing: a failure is a value. */
  call(request: PlatformRequest): Promise<{ result: Record<string, unknown> } | { failure: SendFailure }>
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
  /** Socket mode. Each report is acknowledged after `take` has stored it. */
  listen(take: (report: SlackReport) => Promise<void>, onState: (isConnected: boolean) => void): Promise<{ stop(): Promise<void> }>
}

/** A file that was only linked from elsewhere is named by an address of elsewhere. */
const isPlatformHost = (host: string): boolean => host.endsWith('.slack.com')

export async function slackClient({ token = '', appToken = '', apiRoot }: SlackConfig): Promise<SlackClient> {
  const { WebClient, LogLevel } = await import('@slack/web-api')
  const logger = quietLogger(LogLevel.ERROR)
  const root = apiRoot === undefined ? {} : { slackApiUrl: apiRoot.endsWith('/') ? apiRoot : `${apiRoot}/` }
  // The outbox retries, and it alone knows what may be repeated.
  const options = { ...root, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, timeout: slackClientLimits.callTimeoutMs, logger }
  const web = new WebClient(token, options)
  const secrets = [token, appToken]

  const call: SlackClient['call'] = async ({ operation, body = {} }) => {
    try {
      return { result: { ...(await web.apiCall(operation, body)) } }
    } catch (error) {
      return { failure: toFailure(error, operation, secrets) }
    }
  }
  return {
    call,
    async download(fileId, signal) {
      const info = await call({ operation: 'files.info', body: { file: fileId } })
      if ('failure' in info) return info
      const {
        url_private_download: url,
        name,
        size,
      } = (info.result['file'] ?? {}) as { url_private_download?: string; name?: string; size?: number }
      const gone = refuse('the file is not there any more', 'gone')
      if (url === undefined) return { failure: gone }
      if ((size ?? 0) > slackClientLimits.downloadBytes) return { failure: refuse(`the file has ${size} bytes`, 'too_large') }
      try {
        const response = await fetchFile(url, { apiRoot: web.slackApiUrl, isPlatformHost, token: () => Promise.resolve(token), signal })
        if (!response?.ok || !response.body) return { failure: gone }
        const file = { body: response.body.pipeThrough(atMost(slackClientLimits.downloadBytes)) }
        return { file: { ...file, ...(name !== undefined && { name }), ...(size !== undefined && { sizeBytes: size }) } }
      } catch (error) {
        return { failure: toFailure(error, 'files.info', secrets) }
      }
    },
    async listen(take, onState) {
      const { SocketModeClient } = await import('@slack/socket-mode')
      const socket = new SocketModeClient({ appToken, logger, clientOptions: { ...root } })
      socket.on('connected', () => onState(true))
      socket.on('reconnecting', () => onState(false))
      socket.on('slack_event', (event: { ack: () => Promise<void>; type: SlackReport['type']; body: unknown }) => {
        // Without an acknowledgement Slack sends it again.
        void take({ type: event.type, body: event.body })
          .then(() => event.ack())
          .catch(() => {})
      })
      await socket.start()
      return { stop: () => socket.disconnect() }
    },
  }
}

function quietLogger<Level>(level: Level) {
  const nothing = (): void => {}
  return { debug: nothing, info: nothing, warn: nothing, error: nothing, setLevel: nothing, getLevel: () => level, setName: nothing }
}
