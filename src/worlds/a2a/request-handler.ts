import { createHash } from 'node:crypto'
import type { AgentCard, ListTasksResponse, Message, StreamResponse, Task } from '@a2a-js/sdk'
import type * as sdkErrors from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import { describeError, type Refusal } from '../../errors.ts'
import type { HostResult, RequestView, WorldsHost } from '../../ports/worlds.ts'
import { sha256 } from '../keys/statements.ts'
import { conversationTokens } from '../rules/boundary/conversation-tokens.ts'
import { turnHash } from '../rules/turn-chain.ts'
import { worldLimits } from '../rules/world-limits.ts'
import { type Guest, guestLimits, type Guests } from './guests.ts'
import { type GuestMessage, readMessage } from './read-message.ts'
import type { Destination } from './sent-once.ts'
import { contextId, extensionUri, isTerminal, type Picture, readState, toTask } from './task-view.ts'

export const a2aLimits = {
  /** Messages of a task in one answer. */
  historyMessages: 24,
  page: 50,
  /** An idle stream is kept alive with a comment. */
  keepAliveMs: 20_000,
  requestsPerSecond: 10,
  requestsAtOnce: 100,
} as const

type Errors = typeof sdkErrors

type Parts = {
  host: WorldsHost
  guests: Guests
  errors: Errors
  sendOnce: (account: string, messageId: string, destination: Destination) => Promise<Destination>
  card: (tenant: string | null) => Promise<AgentCard | null>
}

export const guestKey = 'guest'

type CallContext = Pick<ServerCallContext, 'tenant' | 'state'>

/** A2A over the log of the host: a chat request is a task, a turn is a message. One instance serves every account. */
export function worldsRequestHandler({ host, guests, errors, sendOnce, card }: Parts): A2ARequestHandler {
  function fail(refusal: Refusal): never {
    const { message, hint } = describeError(refusal.code, refusal.details)
    const text = `${message} ${hint}`
    if (refusal.code === 'chat_request_not_found') throw new errors.TaskNotFoundError(text)
    if (['conversation_over', 'chat_request_closed', 'reply_not_allowed', 'delivery_waits'].includes(refusal.code))
      throw new errors.UnsupportedOperationError(text)
    throw new errors.RequestMalformedError(text)
  }
  const orFail = <Value>(result: HostResult<Value>): Value => (result.ok ? result.value : fail(result.refusal))
  const getGuest = ({ state }: CallContext): Guest => state.get(guestKey) as Guest

  async function look({ account }: Guest, request: string): Promise<Picture> {
    const [view, waiting, all] = await Promise.all([
      host.call(account, 'requests.get', { request }),
      host.call(account, 'deliveries.get', { request }),
      host.call(account, 'conversations.turns', { request }),
    ])
    return { view: orFail(view), delivery: orFail(waiting).delivery, turns: all.ok ? all.value.turns : [] }
  }
  const readTask = async (guest: Guest, request: string, history?: number): Promise<Task> =>
    toTask(await look(guest, request), Math.min(history ?? a2aLimits.historyMessages, a2aLimits.historyMessages))

  /** The first message is the request: one line for the owner of the other agent. */
  async function submit(guest: Guest, tenant: string, sent: GuestMessage): Promise<string> {
    const request = `crq_${createHash('sha256').update(`${guest.account} ${sent.messageId}`).digest('hex').slice(0, 26)}`
    const { worldId } = sent.extension
    if (sent.text.length > worldLimits.purposeChars)
      return fail({ code: 'text_too_long', details: { field: 'purpose', length: sent.text.length, limit: worldLimits.purposeChars } })
    const draft = { request, agentCode: tenant, displayName: null, world: worldId, purpose: sent.text, hasBrief: true, trace: null }
    const submitted = orFail(await host.call(guest.account, 'requests.submit', draft))
    return submitted.request.request
  }

  /** Consent to a request that another agent sent to this guest. */
  async function decide(guest: Guest, view: RequestView, consent: boolean | null): Promise<void> {
    if (consent === null)
      throw new errors.RequestMalformedError(`Answer the chat request first: metadata["${extensionUri}"].accept is true or false.`)
    orFail(await host.call(guest.account, consent ? 'requests.accept' : 'requests.reject', { request: view.request }))
  }

  async function write(guest: Guest, picture: Picture, sent: GuestMessage): Promise<void> {
    const { view, delivery } = picture
    const aimed: Destination = { request: view.request, delivery: delivery?.delivery ?? null, turn: view.turns + 1 }
    const goal = await sendOnce(guest.account, sent.messageId, aimed)
    if (goal.request !== view.request) throw new errors.RequestMalformedError('This messageId was used for another task.')
    // Sent before: the turn is there, or its delivery still waits.
    if (goal.delivery !== aimed.delivery || goal.turn < aimed.turn) return
    const asksEnd = sent.extension.end
    if (sent.text === '' && delivery)
      return void orFail(
        await host.call(guest.account, 'deliveries.keep-silent', {
          request: view.request,
          delivery: delivery.delivery,
          reason: 'no_reply_token',
          asksOwner: false,
          asksEnd,
        }),
      )
    const text = asksEnd && !delivery ? `${sent.text}\n${conversationTokens.end}`.trim() : sent.text
    const value = {
      from: guest.code,
      to: view.counterparty.agentCode,
      intent: view.request,
      turn: view.turns + 1,
      previous: view.head,
      text,
    }
    const link = { turn: value.turn, previous: value.previous, hash: turnHash(value, sha256), signature: null }
    const reply = { request: view.request, text, link }
    orFail(
      delivery
        ? await host.call(guest.account, 'deliveries.reply', {
            ...reply,
            delivery: delivery.delivery,
            author: 'agent',
            asksOwner: false,
            asksEnd,
          })
        : await host.call(guest.account, 'conversations.write', reply),
    )
  }

  async function send(message: Message | undefined, context: CallContext): Promise<{ guest: Guest; request: string }> {
    const input = readMessage(message)
    if (typeof input === 'string') throw new errors.RequestMalformedError(input)
    const guest = getGuest(context)
    if (input.taskId === '') {
      if (context.tenant === undefined) throw new errors.UnsupportedOperationError('Send the request to the address of an agent.')
      return { guest, request: await submit(guest, context.tenant, input) }
    }
    const picture = await look(guest, input.taskId)
    const { view } = picture
    if (input.contextId !== '' && input.contextId !== contextId(view.key))
      throw new errors.RequestMalformedError('contextId and taskId do not belong together.')
    if (isTerminal(readState(picture))) throw new errors.UnsupportedOperationError('This conversation is over. Send a new request.')
    if (view.status === 'pending' && view.direction === 'inbound') await decide(guest, view, input.extension.accept)
    else if (view.status === 'pending') throw new errors.UnsupportedOperationError('The owner has not decided on this request yet.')
    else await write(guest, picture, input)
    return { guest, request: input.taskId }
  }

  /** The task, then every change, until it is over or the reader goes. A reader that lags is told the latest state only. */
  async function* follow(guest: Guest, request: string): AsyncGenerator<StreamResponse, void, undefined> {
    let wake = (): void => {}
    let isChanged = false
    const leave = guests.follow(guest, (push) => {
      const about = push.type === 'delivery' ? push.delivery.request.request : push.type === 'request.updated' ? push.request.request : null
      if (about !== request) return
      isChanged = true
      wake()
    })
    if (!leave) throw new errors.UnsupportedOperationError(`A guest follows at most ${guestLimits.streamsPerGuest} tasks at a time.`)
    try {
      const first = await look(guest, request)
      yield { payload: { $case: 'task', value: toTask(first, a2aLimits.historyMessages) } }
      let last = JSON.stringify(toTask(first, 0).status)
      if (isTerminal(readState(first))) return
      for (;;) {
        if (!isChanged) await new Promise<void>((resolve) => (wake = resolve))
        isChanged = false
        const picture = await look(guest, request)
        const { status, metadata, contextId: context } = toTask(picture, 0)
        const text = JSON.stringify(status)
        if (text !== last) yield { payload: { $case: 'statusUpdate', value: { taskId: request, contextId: context, status, metadata } } }
        last = text
        if (isTerminal(readState(picture))) return
      }
    } finally {
      leave()
    }
  }

  const noPush = (): never => {
    throw new errors.PushNotificationNotSupportedError('Addresses of others are never called from here: subscribe, or ask again.')
  }

  return {
    async getAgentCard() {
      const own = await card(null)
      if (!own) throw new errors.UnsupportedOperationError('There is no card here.')
      return own
    },
    async getAuthenticatedExtendedAgentCard() {
      throw new errors.ExtendedAgentCardNotConfiguredError('The public card is the whole card.')
    },
    async sendMessage({ message, configuration }, context) {
      const { guest, request } = await send(message, context)
      return readTask(guest, request, configuration?.historyLength)
    },
    async *sendMessageStream({ message }, context) {
      const { guest, request } = await send(message, context)
      yield* follow(guest, request)
    },
    getTask: ({ id, historyLength }, context) => readTask(getGuest(context), id, historyLength),
    async cancelTask({ id }, context) {
      const guest = getGuest(context)
      const { view } = await look(guest, id)
      if (view.status === 'pending')
        orFail(await host.call(guest.account, view.direction === 'outbound' ? 'requests.withdraw' : 'requests.reject', { request: id }))
      else if (view.status === 'accepted' && !view.end)
        orFail(await host.call(guest.account, 'conversations.close', { request: id, reason: 'owner_closed' }))
      else throw new errors.TaskNotCancelableError('This conversation is over.')
      return readTask(guest, id)
    },
    async *resubscribe({ id }, context) {
      const guest = getGuest(context)
      if (isTerminal(readState(await look(guest, id)))) throw new errors.UnsupportedOperationError('This conversation is over.')
      yield* follow(guest, id)
    },
    async listTasks(
      { pageSize, pageToken, contextId: context, historyLength, status, statusTimestampAfter },
      call,
    ): Promise<ListTasksResponse> {
      const guest = getGuest(call)
      const state: number = status
      // The SDK sends the name of an unknown state when a program leaves the field out.
      if (state < 0) throw new errors.RequestMalformedError('status is not a state of a task. For tasks of every state, send 0.')
      const limit = Math.min(pageSize || a2aLimits.page, a2aLimits.page)
      const listed = orFail(await host.call(guest.account, 'requests.list', { limit, ...(pageToken === '' ? {} : { after: pageToken }) }))
      const since = statusTimestampAfter === undefined ? -Infinity : Date.parse(statusTimestampAfter)
      if (Number.isNaN(since)) throw new errors.RequestMalformedError('statusTimestampAfter is not a time.')
      const views = listed.items.filter((view) => (context === '' || contextId(view.key) === context) && view.updatedAt > since)
      const all = await Promise.all(views.map((view) => readTask(guest, view.request, historyLength ?? 0)))
      const tasks = all.filter((task) => {
        const own: number = task.status?.state ?? 0
        return state === 0 || own === state
      })
      const { pendingInbound, pendingOutbound, live, ended } = listed.counts
      const totalSize = pendingInbound + pendingOutbound + live + ended
      return { tasks, nextPageToken: listed.next ?? '', pageSize: limit, totalSize }
    },
    createTaskPushNotificationConfig: async () => noPush(),
    getTaskPushNotificationConfig: async () => noPush(),
    listTaskPushNotificationConfigs: async () => noPush(),
    deleteTaskPushNotificationConfig: async () => noPush(),
  }
}
