import type * as sdkTypes from '@a2a-js/sdk'
import type * as sdkErrors from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'

type Parts = {
  sdk: typeof sdkTypes
  errors: typeof sdkErrors
  handler: A2ARequestHandler
  stream(answers: AsyncGenerator, signal: AbortSignal): Response
}

export const restContentType = 'application/a2a+json'

/** The paths of A2A 1.0 over HTTP+JSON, below the address of a tenant. */
export type RestBinding = {
  isPath(path: string): boolean
  answer(request: Request, path: string, context: ServerCallContext): Promise<Response>
}

const taskPath = /^tasks\/([^/:]+)(?::(cancel|subscribe)|(\/pushNotificationConfigs(?:\/[^/]+)?))?$/

/** The SDK has this binding for Express alone; it is written here over the same handler. */
export function restBinding({ sdk, errors, handler, stream }: Parts): RestBinding {
  const json = (body: unknown, status = 200): Response => Response.json(body, { status, headers: { 'content-type': restContentType } })

  async function readMessage(request: Request): Promise<sdkTypes.SendMessageRequest> {
    const body: unknown = await request.json().catch(() => null)
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new errors.RequestMalformedError('The body is not a JSON object.')
    const params = sdk.SendMessageRequest.fromJSON(body)
    return { ...params, tenant: '' }
  }

  /** The first event is awaited, so that a refusal is an error response and not a broken stream. */
  async function streamed(events: AsyncGenerator<sdkTypes.StreamResponse>, signal: AbortSignal): Promise<Response> {
    const first = await events.next()
    return stream(
      (async function* () {
        try {
          if (!first.done) yield sdk.StreamResponse.toJSON(first.value)
          for await (const event of events) yield sdk.StreamResponse.toJSON(event)
        } finally {
          await events.return(undefined)
        }
      })(),
      signal,
    )
  }

  function readWhole(query: URLSearchParams, name: string): number | undefined {
    const text = query.get(name)
    if (text === null || text === '') return undefined
    if (!/^\d{1,6}$/.test(text)) throw new errors.RequestMalformedError(`${name} is not a whole number.`)
    return Number(text)
  }

  function readState(query: URLSearchParams): sdkTypes.TaskState {
    const text = query.get('status')
    if (text === null || text === '') return 0
    return sdk.taskStateFromJSON(/^\d+$/.test(text) ? Number(text) : text)
  }

  async function listTasks(query: URLSearchParams, context: ServerCallContext): Promise<Response> {
    const listed = await handler.listTasks(
      {
        tenant: '',
        contextId: query.get('contextId') ?? '',
        status: readState(query),
        pageSize: readWhole(query, 'pageSize'),
        pageToken: query.get('pageToken') ?? '',
        historyLength: readWhole(query, 'historyLength'),
        statusTimestampAfter: query.get('statusTimestampAfter') ?? undefined,
      },
      context,
    )
    // Required fields, which ProtoJSON leaves out when they are empty.
    return json({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0, ...(sdk.ListTasksResponse.toJSON(listed) as object) })
  }

  async function onTask(request: Request, [, id = '', act, push]: RegExpExecArray, context: ServerCallContext): Promise<Response | null> {
    const isGet = request.method === 'GET'
    const isPost = request.method === 'POST'
    const of = { tenant: '', id: decodeURIComponent(id) }
    if (push !== undefined) {
      await handler.getTaskPushNotificationConfig({ ...of, taskId: of.id }, context)
      return null
    }
    if (act === 'subscribe' && (isGet || isPost)) return streamed(handler.resubscribe(of, context), request.signal)
    if (act === 'cancel' && isPost) return json(sdk.Task.toJSON(await handler.cancelTask({ ...of, metadata: undefined }, context)))
    if (act !== undefined || !isGet) return null
    const historyLength = readWhole(new URL(request.url).searchParams, 'historyLength')
    return json(sdk.Task.toJSON(await handler.getTask({ ...of, ...(historyLength === undefined ? {} : { historyLength }) }, context)))
  }

  /** Null for a method that the path does not have. */
  async function run(request: Request, path: string, context: ServerCallContext): Promise<Response | null> {
    const isGet = request.method === 'GET'
    const task = taskPath.exec(path)
    if (task) return onTask(request, task, context)
    if (path === 'tasks' && isGet) return listTasks(new URL(request.url).searchParams, context)
    if (path === 'extendedAgentCard' && isGet)
      return json(sdk.AgentCard.toJSON(await handler.getAuthenticatedExtendedAgentCard({ tenant: '' }, context)))
    if (request.method !== 'POST') return null
    if (path === 'message:stream') return streamed(handler.sendMessageStream(await readMessage(request), context), request.signal)
    if (path !== 'message:send') return null
    const result = await handler.sendMessage(await readMessage(request), context)
    const payload = 'messageId' in result ? { $case: 'message' as const, value: result } : { $case: 'task' as const, value: result }
    return json(sdk.SendMessageResponse.toJSON({ payload }))
  }

  return {
    isPath: (path) => ['message:send', 'message:stream', 'tasks', 'extendedAgentCard'].includes(path) || taskPath.test(path),
    async answer(request, path, context) {
      try {
        return (await run(request, path, context)) ?? new Response(null, { status: 405 })
      } catch (error) {
        if (!(error instanceof errors.A2AError)) throw error
        const status = errors.restStatusFor(error)
        return json(errors.toRestErrorBody(error, status), status)
      }
    },
  }
}

/** An error before the handler is reached, in the shape of this binding. */
export const restRefusal = (status: number, name: string, message: string): Response =>
  Response.json({ error: { code: status, status: name, message, details: [] } }, { status, headers: { 'content-type': restContentType } })
