import type { ReadFile } from '../../../ports/channel-kind.ts'
import type { InboundFile, PlatformRequest, SendFailure } from '../../../ports/channel.ts'
import { isRecord } from '../../../shapes/record.ts'
import { atMost } from '../at-most.ts'
import { refuse } from '../failure.ts'
import type { MattermostConfig } from './config.ts'
import { toFailure, toRefusal } from './failure.ts'
import { mattermostLimits } from './limits.ts'

/** The only file that imports the library of Mattermost. It is loaded with the first account. */

export const mattermostClientLimits = { callTimeoutMs: 30_000, uploadTimeoutMs: 120_000, downloadBytes: 20 * 1024 * 1024 } as const

export type Called = { result: Record<string, unknown> } | { failure: SendFailure }

export type MattermostClient = {
  /** One call. Throws nothing: a failure is a value. A list is in `items`. */
  call(request: PlatformRequest, signal?: AbortSignal): Promise<Called>
  download(fileId: string, signal: AbortSignal): Promise<{ file: InboundFile } | { failure: SendFailure }>
}

/** Operations as the OpenAPI description of Mattermost names them. */
const routes: Readonly<Record<string, readonly [method: string, path: string]>> = {
  GetClientConfig: ['GET', '/config/client'],
  GetUser: ['GET', '/users/{user_id}'],
  GetChannel: ['GET', '/channels/{channel_id}'],
  GetChannelsForUser: ['GET', '/users/me/channels'],
  GetPostsForChannel: ['GET', '/channels/{channel_id}/posts'],
  GetPost: ['GET', '/posts/{post_id}'],
  GetPostThread: ['GET', '/posts/{post_id}/thread'],
  GetReactions: ['GET', '/posts/{post_id}/reactions'],
  GetFileInfo: ['GET', '/files/{file_id}/info'],
  CreateDirectChannel: ['POST', '/channels/direct'],
  CreatePost: ['POST', '/posts'],
  PatchPost: ['PUT', '/posts/{post_id}/patch'],
  DeletePost: ['DELETE', '/posts/{post_id}'],
  PinPost: ['POST', '/posts/{post_id}/pin'],
  UnpinPost: ['POST', '/posts/{post_id}/unpin'],
  CreatePostEphemeral: ['POST', '/posts/ephemeral'],
  SaveReaction: ['POST', '/reactions'],
  DeleteReaction: ['DELETE', '/users/me/posts/{post_id}/reactions/{emoji_name}'],
  PublishUserTyping: ['POST', '/users/me/typing'],
}

/** The call below all calls of the library. Its named calls drop the status and headers of a refusal, which rate limits need. */
type Fetching = {
  setUrl(url: string): void
  setToken(token: string): void
  setIncludeCookies(include: boolean): void
  getBaseRoute(): string
  doFetchWithResponse(
    url: string,
    options: { method: string; body?: string | FormData; signal?: AbortSignal; ignoreStatus: true },
  ): Promise<{ response: Response; headers: Map<string, string>; data: unknown }>
}

export async function mattermostClient({ url = '', token = '' }: MattermostConfig, readFile: ReadFile): Promise<MattermostClient> {
  const { Client4 } = await import('@mattermost/client')
  const api = new Client4() as unknown as Fetching
  const root = url.replace(/(?<!\/)\/+$/, '')
  api.setUrl(root)
  api.setToken(token)
  api.setIncludeCookies(false)
  const secrets = [token, root, new URL(root || 'http://none').host]

  async function request(
    operation: string,
    method: string,
    path: string,
    body: string | FormData | undefined,
    signal: AbortSignal,
  ): Promise<Called> {
    try {
      const options = { method, signal, ignoreStatus: true as const, ...(body !== undefined && { body }) }
      const { response, data } = await api.doFetchWithResponse(api.getBaseRoute() + path, options)
      if (!response.ok) return { failure: toRefusal({ status: response.status, headers: response.headers, data }, operation, secrets) }
      return { result: Array.isArray(data) ? { items: data } : isRecord(data) ? data : {} }
    } catch (error) {
      return { failure: toFailure(error, operation, secrets) }
    }
  }

  const call: MattermostClient['call'] = async ({ operation, path = {}, query, body }, signal) => {
    const [method, template] = routes[operation] ?? []
    if (!method || !template) return { failure: refuse(`there is no operation ${operation}`) }
    const filled = await withUploads(body, path['channel_id'], signal)
    if (filled && 'failure' in filled) return { failure: filled.failure as SendFailure }
    const at = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''))
    // A list of people is the whole body of this call.
    const json = operation === 'CreateDirectChannel' ? filled?.['user_ids'] : filled
    const text = json === undefined ? undefined : JSON.stringify(json)
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    return request(operation, method, at + search, text, within(mattermostClientLimits.callTimeoutMs, signal))
  }

  /** The body with files of this machine uploaded. They are read at the last moment, so that a request stays plain JSON until then. */
  async function withUploads(body: Record<string, unknown> | undefined, channel: string | undefined, signal: AbortSignal | undefined) {
    const files = body?.['file_ids']
    if (!body || !Array.isArray(files)) return body
    const ids: string[] = []
    for (const file of files as string[]) {
      const uploaded = file.startsWith('file:') ? await upload(file, (body['channel_id'] ?? channel ?? '') as string, signal) : { id: file }
      if ('failure' in uploaded) return uploaded
      ids.push(uploaded.id)
    }
    return { ...body, file_ids: ids }
  }

  async function upload(
    file: string,
    channel: string,
    signal: AbortSignal | undefined,
  ): Promise<{ id: string } | { failure: SendFailure }> {
    const read = await readFile(file)
    if ('problem' in read) return { failure: refuse(read.problem) }
    if (read.bytes.length > mattermostLimits.uploadBytes)
      return {
        failure: refuse(`${read.name} has ${read.bytes.length} bytes; Mattermost takes ${mattermostLimits.uploadBytes}`, 'too_large'),
      }
    const form = new FormData()
    form.set('channel_id', channel)
    form.set('files', new Blob([new Uint8Array(read.bytes)]), read.name)
    const answer = await request('UploadFile', 'POST', '/files', form, within(mattermostClientLimits.uploadTimeoutMs, signal))
    if ('failure' in answer) return answer
    const [info] = (answer.result['file_infos'] ?? []) as { id?: string }[]
    return info?.id === undefined ? { failure: refuse(`${read.name} was not stored`) } : { id: info.id }
  }

  return {
    call,
    async download(fileId, signal) {
      const info = await call({ operation: 'GetFileInfo', path: { file_id: fileId } }, signal)
      if ('failure' in info) return info
      const { name, size } = info.result as { name?: string; size?: number }
      if ((size ?? 0) > mattermostClientLimits.downloadBytes) return { failure: refuse(`the file has ${size} bytes`, 'too_large') }
      try {
        const address = `${api.getBaseRoute()}/files/${encodeURIComponent(fileId)}`
        const response = await fetch(address, { headers: { authorization: `Bearer ${token}` }, signal })
        if (!response.ok || !response.body) return { failure: refuse('the file is not there any more', 'gone') }
        const body = response.body.pipeThrough(atMost(mattermostClientLimits.downloadBytes))
        return { file: { body, ...(name !== undefined && { name }), ...(size !== undefined && { sizeBytes: size }) } }
      } catch (error) {
        return { failure: toFailure(error, 'GetFile', secrets) }
      }
    },
  }
}

const within = (ms: number, signal: AbortSignal | undefined): AbortSignal =>
  signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms)
