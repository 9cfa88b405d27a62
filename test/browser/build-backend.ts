import type { Language } from '../../src/shapes/language.ts'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after as afterAll } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { WebSocketServer } from 'ws'
import { type BuildEventView, buildViewOfAll, currentStep, emptyBuild } from '../../src/client/index.ts'
import type { BuildSummary } from '../../src/client/index.ts'
import { pageBuild, staticPage } from '../../src/server/static-page.ts'
import { builtPage } from './built-page.ts'

/** With `isAnswered` the recorded answers were given before. */
type Recorded = { events: readonly BuildEventView[]; language?: Language; paceMs?: number; isAnswered?: boolean }
type Kept = {
  id: string
  log: BuildEventView[]
  rest: BuildEventView[]
  language: Language
  paceMs: number
  isAnswered: boolean
  readers: Set<() => void>
}

export type BuildBackend = {
  readonly url: string
  /** The requests of people, in order: method, path and body. */
  readonly asked: { method: string; path: string; body: unknown }[]
  /** A build that plays a recorded log: up to each recorded answer, then on from there with the one that was given. */
  record(id: string, recorded: Recorded): void
  /** The next answers are refused with this error of the catalogue. */
  refuse(path: string, status: number, code: string): void
  /** Takes a refusal back. */
  accept(path: string): void
  /** Ends every event stream and refuses connections until it is opened again. */
  cut(isCut: boolean): void
  /** A page of the test's own, at this path. */
  serve(path: string, html: string): void
}

const folder = fileURLToPath(new URL('../../dist/web', import.meta.url))

/** The routes of builds in their shapes, with recorded logs behind them and the built page in front: no agent, no store. It closes when the tests of the file have ended. */
export async function buildBackend(): Promise<BuildBackend> {
  await builtPage()
  const page = staticPage(folder)
  const builds = new Map<string, Kept>()
  const recordings: Recorded[] = []
  const requests: BuildBackend['asked'] = []
  const refusals = new Map<string, { status: number; code: string }>()
  const own = new Map<string, string>()
  const streams = new Set<ServerResponse>()
  const over = new AbortController()
  let isCut = false
  let count = 0

  async function play(build: Kept): Promise<void> {
    while (build.rest[0] && (build.isAnswered || build.rest[0].type !== 'build.answered')) {
      const event = build.rest.shift()
      if (event) append(build, event)
      if (build.paceMs > 0) await pause(build.paceMs, undefined, { signal: over.signal }).catch(() => {})
      if (over.signal.aborted) return
    }
  }
  function append(build: Kept, event: BuildEventView): void {
    build.log.push({ ...event, seq: (build.log.at(-1)?.seq ?? 0) + 2, at: Date.now() })
    for (const tell of build.readers) tell()
    for (const socket of sockets.clients) socket.send(JSON.stringify({ type: 'changed' }))
  }
  function open(id: string, { events, language = 'en', paceMs = 0, isAnswered = false }: Recorded): void {
    const build: Kept = { id, log: [], rest: [...events], language, paceMs, isAnswered, readers: new Set() }
    builds.set(id, build)
    void play(build)
  }
  const toSummary = ({ id, log, language }: Kept): BuildSummary => {
    const view = buildViewOfAll(emptyBuild, log)
    return {
      build_id: id,
      session_id: `s-${id}`,
      agent: 'ada',
      language,
      prompt: view.prompt ?? '',
      status: view.status,
      step: currentStep(view)?.index ?? 0,
      openQuestions: view.question?.questions.length ?? 0,
      question: view.question && { id: view.question.id, prompt: view.question.prompt },
      openedAt: log[0]?.at ?? 0,
      updatedAt: log.at(-1)?.at ?? 0,
    }
  }
  const json = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const refuse = (response: ServerResponse, status: number, code: string): void =>
    json(response, status, { error: { code, message: `Refused: ${code}.`, hint: '' } })

  function stream(build: Kept, after: number, response: ServerResponse): void {
    let last = after
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' })
    response.write('retry: 1000\n\n')
    const tell = (): void => {
      for (const event of build.log.filter(({ seq }) => seq > last)) {
        last = event.seq
        response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`)
      }
    }
    tell()
    build.readers.add(tell)
    streams.add(response)
    response.on('close', () => {
      build.readers.delete(tell)
      streams.delete(response)
    })
  }

  async function api(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const body = await getBody(request)
    const { method = 'GET' } = request
    const path = url.pathname
    if (method !== 'GET') requests.push({ method, path, body })
    if (path === '/v1/info')
      return json(response, 200, {
        version: '0',
        build: pageBuild(folder),
        agents: [{ name: 'ada', about: '', default: true }],
        demo: false,
        problems: [],
      })
    if (path === '/v1/dialogs') return json(response, 200, { items: [], next: null })
    if (path === '/v1/inbox') return json(response, 200, { items: [], count: 0 })
    const refusal = refusals.get(path)
    if (refusal) return refuse(response, refusal.status, refusal.code)
    if (path === '/v1/builds' && method === 'GET')
      return json(response, 200, { items: [...builds.values()].map(toSummary).toReversed(), next: null })
    const [, id = '', what = ''] = /^\/v1\/builds\/([^/]+)\/?(\w*)$/.exec(path) ?? []
    const build = builds.get(decodeURIComponent(id))
    if (path === '/v1/builds') {
      const next = `new-${(count += 1)}`
      const { prompt } = body as { prompt: string }
      const [recorded = { events: [] }] = recordings
      const events = recorded.events.map((event) => (event.type === 'build.opened' ? { ...event, payload: { prompt } } : event))
      open(next, { ...recorded, events })
      return json(response, 201, { build_id: next, session_id: `s-${next}` })
    }
    if (!build) return refuse(response, 404, 'build_not_found')
    if (what === '') return json(response, 200, toSummary(build))
    if (what === 'events') {
      const after = Number(url.searchParams.get('after') ?? request.headers['last-event-id'] ?? 0)
      if (request.headers.accept?.includes('text/event-stream')) return stream(build, after, response)
      return json(response, 200, { events: build.log.filter(({ seq }) => seq > after) })
    }
    if (what === 'retry') {
      const round = build.log.filter(({ type }) => type === 'session.started').length + 1
      const ids = { build_id: build.id, session_id: `s-${build.id}` }
      append(build, { seq: 0, at: 0, type: 'build.retried', payload: {} })
      append(build, { seq: 0, at: 0, type: 'session.started', payload: { ...ids, round, source: 'backend' } })
      // The first recording there is: the one that failed would only fail again.
      const recorded = recordings.at(-1) ?? { events: [] }
      build.rest = recorded.events.filter(({ type }) => type !== 'build.opened' && type !== 'session.started')
      void play(build)
      return json(response, 201, toSummary(build))
    }
    if (what === 'cancel') {
      build.rest = []
      append(build, { seq: 0, at: 0, type: 'build.cancelled', payload: {} })
      append(build, {
        seq: 0,
        at: 0,
        type: 'assistant.message.created',
        payload: { text: 'I stopped this build as you asked.', source: 'agent' },
      })
      append(build, { seq: 0, at: 0, type: 'status.changed', payload: { status: 'failed', source: 'agent' } })
      append(build, { seq: 0, at: 0, type: 'session.failed', payload: { reason: 'cancelled', source: 'agent' } })
      return json(response, 200, toSummary(build))
    }
    const recorded = build.rest.shift()
    if (recorded?.type !== 'build.answered') return refuse(response, 409, 'no_question_open')
    const input = body as { question_id: string; answer: string } | { answers: Record<string, string> }
    const answers = 'answers' in input ? input.answers : { [input.question_id]: input.answer }
    append(build, { ...recorded, payload: { ...recorded.payload, answers } })
    void play(build)
    return json(response, 200, toSummary(build))
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x')
    const html = own.get(url.pathname)
    if (html !== undefined) return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    if (url.pathname.startsWith('/v1/')) {
      if (isCut) return void request.socket.destroy()
      return void api(request, response, url)
    }
    page(url.pathname, (name) => request.headers[name] as string | undefined).then(
      async (found) => response.writeHead(found.status, Object.fromEntries(found.headers)).end(Buffer.from(await found.arrayBuffer())),
      () => response.writeHead(404).end(),
    )
  })
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'parley.live' })
  server.on('upgrade', (request, socket, head) => {
    if (isCut) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (live) => {
      live.send(JSON.stringify({ type: 'welcome', build: pageBuild(folder), version: '0' }))
      live.on('message', () => live.send(JSON.stringify({ type: 'pong' })))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  afterAll(async () => {
    over.abort()
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: requests,
    record(id, recorded) {
      recordings.unshift(recorded)
      open(id, recorded)
    },
    refuse: (path, status, code) => void refusals.set(path, { status, code }),
    accept: (path) => void refusals.delete(path),
    cut(next) {
      isCut = next
      if (!next) return
      for (const response of streams) response.destroy()
      for (const socket of sockets.clients) socket.terminate()
    },
    serve: (path, html) => void own.set(path, html),
  }
}

async function getBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const piece of request) text += String(piece)
  return text === '' ? undefined : JSON.parse(text)
}
