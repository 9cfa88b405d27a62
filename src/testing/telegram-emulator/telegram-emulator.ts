import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asking } from './asking.ts'
import { changing } from './changing.ts'
import { type Chats, makeChats, type Person } from './chats.ts'
import { telegramContract } from './contract.ts'
import type { Desk, Method, ToastAnswer } from './desk.ts'
import { faultPlan, type PlannedFault } from './faults.ts'
import { getFiles } from './files.ts'
import { type People, listPeople } from './people.ts'
import { type Params, readRequest, type ReadRequest } from './request-body.ts'
import { sending } from './sending.ts'
import { badRequest, TelegramFault } from './telegram-fault.ts'
import { type Update, updateQueue } from './updates.ts'

export type TelegramRequest = { method: string; params: Params }

export type TelegramEmulator = People & {
  /** The value for `apiRoot`. */
  readonly url: string
  readonly token: string
  readonly me: Person
  /** Every call but getUpdates, in the order they came. */
  readonly requests: TelegramRequest[]
  /** Rules of the platform that a request broke. A test expects it to be empty. */
  readonly failures: string[]
  readonly toasts: ToastAnswer[]
  readonly drafts: { chat: number; text: string }[]
  /** One line: what requests were checked against. */
  readonly checkedAgainst: string
  person: Chats['person']
  privateChat: Chats['privateChat']
  group: Chats['group']
  topic(chat: number, name: string): number
  /** Plans what goes wrong next. */
  fault(fault: PlannedFault): void
  clearFaults(): void
  /** Sends an update again, the newest unless told which. */
  redeliver(updateId?: number): void
  /** Not yet confirmed by the reader. */
  pending(): readonly Update[]
  /** A client waits in getUpdates. */
  isPolled(): boolean
  /** Resolves with the first value that is not undefined, null or false; looked at after every call. */
  until<T>(look: () => T | undefined | null | false, what?: string): Promise<T>
  close(): Promise<void>
}

const methods = new Map<string, [name: string, method: Method]>(
  Object.entries({ ...asking, ...sending, ...changing }).map(([name, method]) => [name.toLowerCase(), [name, method]]),
)

/** Upper bound of `until` for a broken test; not a measurement. */
const mostWaitMs = 20_000

/**
 * Telegram's Bot API on the loopback interface, with people on the other side. It keeps chats, checks every request, and
 * misbehaves on demand.
 */
export async function telegramEmulator(
  options: {
    token?: string
    port?: number
    record?: boolean
    checks?: boolean
    webhookRetryMs?: number
    now?: () => number
    /** Numbers of updates, messages and taps start this much higher: they must differ from those of an earlier emulator. */
    numbersFrom?: number
  } = {},
): Promise<TelegramEmulator> {
  const { token = '123456789:emulated-token', record = true, checks = true, now = Date.now, numbersFrom = 0 } = options
  const me: Person = { id: Number(token.split(':')[0]), is_bot: true, first_name: 'Parley', username: 'parley_emulated_bot' }
  const contract = checks ? await telegramContract() : { about: 'Telegram requests are not checked.', faultsOf: () => [] }
  const requests: TelegramRequest[] = []
  const failures: string[] = []
  const plan = faultPlan()
  const watchers = new Set<() => void>()
  const notifyWatchers = (): void => watchers.forEach((look) => look())

  const never = new AbortController().signal
  const updates = updateQueue({
    retryMs: options.webhookRetryMs ?? 50,
    numbersFrom,
    reply: (method, params) => perform(method, { params, uploads: new Map() }, never),
  })
  const desk: Desk = {
    me,
    files: getFiles(),
    updates,
    now,
    chats: makeChats(me, now, numbersFrom),
    queries: new Map(),
    toasts: [],
    commands: [],
    drafts: [],
    refuse(broken) {
      for (const { rule } of broken) failures.push(rule)
      const answer = broken.find((one) => one.answer !== null)?.answer
      if (answer) throw badRequest(answer)
    },
  }

  async function perform(name: string, { params, uploads }: ReadRequest, closed: AbortSignal): Promise<unknown> {
    const [method, run] = methods.get(name.toLowerCase()) ?? []
    if (!method || !run) throw new TelegramFault(404, 'Not Found')
    if (record && method !== 'getUpdates') requests.push({ method, params })
    if (checks) for (const fault of contract.faultsOf(method, params)) failures.push(`${method}: ${fault}`)
    return run({ desk, method, params, uploads, closed })
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, isFile, given, rest = ''] = /^\/(file\/)?bot([^/]+)\/([^?]*)/.exec(decodeURI(request.url ?? '')) ?? []
    if (given !== token) return send(response, new TelegramFault(401, 'Unauthorized'))
    if (isFile !== undefined) return download(response, desk.files.at(rest)?.bytes)
    const read = await readRequest(request)
    const method = methods.get(rest.toLowerCase())?.[0] ?? rest
    const trouble = plan.take(method, read.params)
    if (trouble?.does === 'answer') {
      if (record) requests.push({ method, params: read.params })
      return send(response, trouble.fault)
    }
    if (trouble?.does === 'garbage')
      return void response.writeHead(trouble.status, { 'content-type': 'text/html' }).end('<html>gateway</html>')
    if (trouble?.does === 'drop-before') {
      await trouble.first?.()
      return void request.socket.destroy()
    }
    if (trouble?.does === 'slow') await sleep(trouble.delayMs)
    if (trouble?.does === 'hold-before') await trouble.until
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const performing = perform(rest, read, gone.signal)
    // A long poll confirms when it starts, not when it ends.
    notifyWatchers()
    const outcome = await performing.catch((error: unknown) => {
      if (error instanceof TelegramFault) return error
      throw error
    })
    notifyWatchers()
    if (trouble?.does === 'drop-after') {
      await trouble.first?.()
      return void request.socket.destroy()
    }
    if (trouble?.does === 'hold-after') await trouble.until
    if (trouble?.does === 'afterwards') response.once('finish', () => void trouble.act())
    send(response, outcome)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      failures.push(`the emulator could not read a request: ${String(error)}`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))

  return {
    ...listPeople(desk, numbersFrom),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    me,
    requests,
    failures,
    toasts: desk.toasts,
    drafts: desk.drafts,
    checkedAgainst: contract.about,
    person: desk.chats.person,
    privateChat: desk.chats.privateChat,
    group: desk.chats.group,
    topic: (chat, name) => desk.chats.topic(desk.chats.find(chat), name),
    fault: plan.add,
    clearFaults: plan.clear,
    redeliver: updates.redeliver,
    pending: updates.pending,
    isPolled: updates.isPolled,
    until: (look, what = 'what was expected') =>
      new Promise((resolve, reject) => {
        const end = (): void => {
          clearTimeout(timer)
          watchers.delete(check)
        }
        const check = (): void => {
          const match = look()
          if (match === undefined || match === null || match === false) return
          end()
          resolve(match)
        }
        const timer = setTimeout(() => (end(), reject(new Error(`Telegram was not asked for ${what}.`))), mostWaitMs)
        watchers.add(check)
        check()
      }),
    async close() {
      updates.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function send(response: ServerResponse, outcome: unknown): void {
  if (response.destroyed) return
  const isFault = outcome instanceof TelegramFault
  const body = JSON.stringify(isFault ? outcome.body() : { ok: true, result: outcome })
  response.writeHead(isFault ? outcome.status : 200, { 'content-type': 'application/json' }).end(body)
}

function download(response: ServerResponse, bytes: Buffer | undefined): void {
  if (!bytes) return send(response, new TelegramFault(404, 'Not Found'))
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': bytes.length }).end(bytes)
}
