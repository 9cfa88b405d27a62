import { setTimeout as sleep } from 'node:timers/promises'
import { asText, type Params } from './request-body.ts'
import { TelegramFault } from './telegram-fault.ts'

export type Update = { update_id: number } & Record<string, unknown>

/** Kinds that are only sent to who asks for them. */
const onlyOnRequest = new Set(['chat_member', 'message_reaction', 'message_reaction_count'])
const conflict = (why: string): TelegramFault => new TelegramFault(409, `Conflict: ${why}`)

type Hook = { url: string; secret: string | undefined; allowed: string[]; lastError?: { date: number; message: string } }
type Waiter = { give: (updates: Update[]) => void; fail: (fault: TelegramFault) => void }

/**
 * Updates the platform has not delivered yet: one queue, read by long polling or handed to a webhook. An update is kept until it is
 * confirmed: by a getUpdates with a higher offset, or by a 2xx of the webhook.
 */
export function updateQueue(options: {
  retryMs: number
  reply: (method: string, params: Params) => Promise<unknown>
  numbersFrom?: number
}) {
  let nextId = 500_001 + (options.numbersFrom ?? 0)
  let pending: Update[] = []
  /** Sent again although they were confirmed. */
  const again: Update[] = []
  const sentUpdates: Update[] = []
  let allowed: string[] = []
  let hook: Hook | null = null
  let waiter: Waiter | null = null
  let isPosting = false
  let isClosed = false

  const ready = (): number => again.length + pending.length
  const isWanted = (kind: string): boolean => {
    const list = hook ? hook.allowed : allowed
    return list.length === 0 ? !onlyOnRequest.has(kind) : list.includes(kind)
  }

  const wake = (): void => {
    if (hook) void post(hook)
    else if (waiter && ready() > 0) waiter.give(batch(100))
  }
  const batch = (limit: number): Update[] => {
    const repeated = again.splice(0, limit)
    return [...repeated, ...pending.slice(0, limit - repeated.length)]
  }

  /** One after the other, each until it was taken; Telegram waits longer between tries, tests do not have to. */
  async function post(to: Hook): Promise<void> {
    if (isPosting) return
    isPosting = true
    while (!isClosed && hook === to && ready() > 0) {
      const update = again[0] ?? pending[0]
      if (!update) break
      const error = await deliver(to, update)
      if (error === null) {
        if (again[0] === update) again.shift()
        else pending = pending.filter((one) => one !== update)
      } else {
        to.lastError = { date: Math.floor(Date.now() / 1_000), message: error }
        await sleep(options.retryMs)
      }
    }
    isPosting = false
    if (hook && hook !== to) void post(hook)
  }

  async function deliver(to: Hook, update: Update): Promise<string | null> {
    try {
      const headers = {
        'content-type': 'application/json',
        ...(to.secret !== undefined && { 'x-telegram-bot-api-secret-token': to.secret }),
      }
      const response = await fetch(to.url, { method: 'POST', headers, body: JSON.stringify(update) })
      const text = await response.text()
      if (!response.ok) return `Wrong response from the webhook: ${response.status} ${response.statusText}`
      const { method, ...params } = (text.startsWith('{') ? JSON.parse(text) : {}) as Params
      if (typeof method === 'string') await options.reply(method, params)
      return null
    } catch {
      return 'Connection refused'
    }
  }

  return {
    push(kind: string, body: unknown): Update {
      const update: Update = { update_id: nextId++, [kind]: body }
      sentUpdates.push(update)
      if (isWanted(kind)) pending.push(update)
      wake()
      return update
    },
    /** The same update once more, as after a lost confirmation. */
    redeliver(id?: number): void {
      const update = id === undefined ? sentUpdates.at(-1) : sentUpdates.find((one) => one.update_id === id)
      if (!update) throw new Error(`There is no update ${id ?? ''} to send again.`)
      again.push(update)
      wake()
    },
    async getUpdates(params: Params, closed: AbortSignal): Promise<Update[]> {
      if (hook) throw conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
      waiter?.fail(conflict('terminated by other getUpdates request; make sure that only one bot instance is running'))
      const position = Number(params.offset ?? 0)
      const limit = Math.min(Math.max(Number(params.limit ?? 100), 1), 100)
      if (Array.isArray(params.allowed_updates)) allowed = params.allowed_updates as string[]
      if (position > 0) pending = pending.filter((update) => update.update_id >= position)
      if (position < 0) pending = pending.slice(position)
      const waitMs = Number(params.timeout ?? 0) * 1_000
      if (ready() > 0 || waitMs === 0 || isClosed) return batch(limit)
      return new Promise((resolve, reject) => {
        const finish = (): void => {
          clearTimeout(timer)
          closed.removeEventListener('abort', leave)
          if (waiter === own) waiter = null
        }
        const give = (updates: Update[]): void => (finish(), resolve(updates))
        const leave = (): void => give([])
        const own: Waiter = { give, fail: (fault) => (finish(), reject(fault)) }
        const timer = setTimeout(leave, waitMs)
        closed.addEventListener('abort', leave)
        waiter = own
      })
    },
    setWebhook(params: Params): true {
      if (params.drop_pending_updates === true) pending = []
      const url = asText(params.url)
      const list = Array.isArray(params.allowed_updates) ? (params.allowed_updates as string[]) : (hook?.allowed ?? [])
      hook = url === '' ? null : { url, secret: params.secret_token === undefined ? undefined : asText(params.secret_token), allowed: list }
      waiter?.fail(conflict('terminated by setWebhook request'))
      wake()
      return true
    },
    webhookInfo: (): object => ({
      url: hook?.url ?? '',
      has_custom_certificate: false,
      pending_update_count: ready(),
      ...(hook?.lastError && { last_error_date: hook.lastError.date, last_error_message: hook.lastError.message }),
      ...(hook && hook.allowed.length > 0 && { allowed_updates: hook.allowed }),
    }),
    /** A long poll is open. */
    isPolled: (): boolean => waiter !== null,
    /** Not yet confirmed. */
    pending: (): readonly Update[] => [...again, ...pending],
    close(): void {
      isClosed = true
      waiter?.give([])
    },
  }
}

export type UpdateQueue = ReturnType<typeof updateQueue>
