import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError, everything, parleyClient, type ParleyClient } from '../../src/client/index.ts'
import type { Fetch } from '../../src/client/http.ts'
import { eventsIn } from '../../src/client/sse.ts'
import type { TelegramEmulator } from '../../src/testing/telegram-emulator/telegram-emulator.ts'
import type { Acknowledged, Reading } from './checker.ts'

export const loadLimits = {
  /** Pause of a person between two things. */
  pauseMs: 300,
  /** Under faults everything may take long. */
  faultyMs: 180_000,
  /** After the last fault it must not take longer than a lease and some retries. */
  restMs: 75_000,
} as const

type Parts = { url: string; token: string; telegram: TelegramEmulator; people: number; chats: number }

/** Steady load from outside: people on the API, people in the chat app, and live readers of everything they do. */
export class Load {
  readonly acknowledged: Acknowledged[] = []
  readonly written: string[] = []
  readonly readings: Reading[] = []
  /** Results that people waited for in vain. */
  readonly stuck: string[] = []
  /** Requests that were given up: their outcome is open, so nothing is expected of them. */
  unanswered = 0
  readonly #parts: Parts
  readonly #over = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #close: (() => void)[] = []
  #words = 0
  #isEnding = false
  #quietAt = Infinity

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    const { people, chats } = this.#parts
    this.#readEverything()
    this.#running.push(this.#readSentEvents())
    for (let number = 0; number < people; number += 1) this.#running.push(this.#person(number))
    for (let number = 0; number < chats; number += 1) this.#running.push(this.#chat(number))
  }

  /** No new work; resolves when all of it has come to rest. `afterPeople` runs while the readers of everything still follow. */
  async finish(afterPeople: () => Promise<void>): Promise<void> {
    this.#isEnding = true
    this.#quietAt = performance.now()
    const [sent, ...people] = this.#running
    await Promise.all(people)
    await afterPeople()
    await this.#settleReaders()
    this.#over.abort()
    await sent
    for (const close of this.#close) close()
  }

  #word(suffix = ''): string {
    this.#words += 1
    return `w${this.#words}${suffix}`
  }

  #client(): ParleyClient {
    const { url, token } = this.#parts
    const client = parleyClient({ baseUrl: url, token, fetch: stubborn, tries: 8, timeoutMs: 60_000 })
    this.#close.push(() => client.close())
    return client
  }

  /** A change counts as acknowledged only when its answer came. */
  async #acknowledge<Result>(call: () => Promise<Result>, note: (result: Result) => Acknowledged): Promise<Result | null> {
    try {
      const result = await call()
      this.acknowledged.push(note(result))
      return result
    } catch (error) {
      if (!(error instanceof ClientError)) throw error
      this.unanswered += 1
      return null
    }
  }

  async #person(number: number): Promise<void> {
    const client = this.#client()
    const kinds = ['mark', 'ask', 'team', 'echo', 'build', 'send'] as const
    for (let round = number; !this.#isEnding; round += 1) {
      const kind = kinds[round % kinds.length] ?? 'echo'
      if (kind === 'build') await this.#build(client)
      else if (kind === 'send') await this.#send(client, number)
      else await this.#dialog(client, kind, number)
      await sleep(loadLimits.pauseMs * Math.random())
    }
  }

  async #dialog(client: ParleyClient, verb: 'mark' | 'ask' | 'team' | 'echo', number: number): Promise<void> {
    const word = this.#word(verb === 'team' && this.#words % 2 === 0 ? 'q' : '')
    const opened = await this.#acknowledge(
      () => client.dialogs.open({ title: word, text: `${verb} ${word}`, agent: 'chaos' }),
      ({ id }) => ({ kind: 'said', stream: id, word }),
    )
    if (!opened) return
    const { id } = opened
    const reading: Reading = { reader: `person ${number}`, stream: id, from: 0, places: [] }
    this.readings.push(reading)
    const leave = client.live().follow(id, 0, {
      onEvents: (events) => reading.places.push(...events.map(({ seq }) => seq)),
    })
    try {
      await this.#untilReady(client, id)
      const second = this.#word()
      await this.#acknowledge(
        () => client.dialogs.say(id, `echo ${second}`),
        () => ({ kind: 'said', stream: id, word: second }),
      )
      const head = await this.#untilReady(client, id)
      await this.#until(() => reading.places.length >= head, `the live reader of ${id}`)
    } finally {
      leave()
    }
  }

  /** Answers what is asked in the dialog and in those below it, until it is at rest. Returns its head. */
  async #untilReady(client: ParleyClient, id: string): Promise<number> {
    let head = 0
    await this.#until(async () => {
      const detail = await client.dialogs.get(id)
      const open = detail.questions.map((question) => ({ stream: id, question: question.id }))
      if (detail.status !== 'ready' && open.length === 0)
        for (const { id: side } of await client.dialogs.tree(id))
          if (side !== id)
            for (const question of (await client.dialogs.get(side)).questions) open.push({ stream: side, question: question.id })
      for (const { stream, question } of open) {
        const word = this.#word()
        await this.#acknowledge(
          () => client.questions.answer(question, { text: word }),
          () => ({ kind: 'answered', stream, word }),
        )
      }
      head = detail.head
      return detail.status === 'ready'
    }, `the end of work on ${id}`)
    return head
  }

  async #build(client: ParleyClient): Promise<void> {
    const word = this.#word()
    const started = await this.#acknowledge(
      () => client.builds.start({ prompt: `Build ${word}`, agent: 'chaos' }),
      ({ build_id }) => ({ kind: 'built', stream: build_id, word }),
    )
    if (!started) return
    const { build_id: build } = started
    const answered = new Set<string>()
    await this.#until(async () => {
      const { status } = await client.builds.get(build)
      if (status !== 'waiting') return status === 'complete'
      const log = await client.builds.events(build)
      const question = log.findLast(({ type }) => type === 'question.requested' || type === 'questions.requested')
      const key = String(question?.seq)
      if (!question || answered.has(key)) return false
      const answer = this.#word()
      const isSet = question.type === 'questions.requested'
      const answers = isSet ? { answers: { 'q-name': answer, 'q-size': 's' } } : { question_id: 'q-region', answer: 'eu' }
      const accepted = await this.#acknowledge(
        () => client.builds.answer(build, answers),
        () => ({ kind: 'build-answered', stream: build, word: isSet ? answer : 'eu' }),
      )
      if (accepted) answered.add(key)
      return false
    }, `the end of build ${build}`)
  }

  async #send(client: ParleyClient, number: number): Promise<void> {
    const { telegram } = this.#parts
    const mia = telegram.person({ first_name: `Reader ${number}`, language_code: 'en' })
    const word = this.#word()
    await this.#acknowledge(
      () => client.messages.send({ channel: 'telegram', target: String(telegram.privateChat(mia)), message: `note ${word}` }),
      ({ delivery }) => ({ kind: 'sent', stream: `delivery:${delivery.id}`, word }),
    )
  }

  async #chat(number: number): Promise<void> {
    const { telegram } = this.#parts
    const mia = telegram.person({ first_name: `Mia ${number}`, language_code: 'en' })
    const chat = telegram.privateChat(mia)
    while (!this.#isEnding) {
      const word = this.#word()
      this.written.push(word)
      telegram.say(chat, mia, `echo ${word}`)
      const isAnswered = (): boolean => telegram.messages(chat).some(({ isMine, text }) => isMine && text.includes(`heard ${word}`))
      // A reply whose outcome is not known is not sent again: the person goes on after a while.
      const giveUpAt = performance.now() + 15_000
      await this.#until(() => isAnswered() || performance.now() > giveUpAt, `a reply to ${word}`)
      await sleep(loadLimits.pauseMs * Math.random())
    }
    await this.#until(() => telegram.pending().length === 0, 'the chat app has no messages left')
  }

  /** All streams over one WebSocket, for the whole campaign. */
  #readEverything(): void {
    const reading: Reading = { reader: 'WebSocket', stream: null, from: 0, places: [] }
    this.readings.push(reading)
    this.#client()
      .live()
      .follow(everything, 0, { onEvents: (events) => reading.places.push(...events.map(({ position }) => position)) })
  }

  /** The same by server-sent events, resumed with Last-Event-ID as a browser does it. */
  async #readSentEvents(): Promise<void> {
    const { url, token } = this.#parts
    const reading: Reading = { reader: 'server-sent events', stream: null, from: 0, places: [] }
    this.readings.push(reading)
    const signal = this.#over.signal
    while (!signal.aborted) {
      try {
        const headers = {
          accept: 'text/event-stream',
          authorization: `Bearer ${token}`,
          'last-event-id': String(reading.places.at(-1) ?? 0),
        }
        // A line that says nothing for longer than its heartbeat is dead.
        const silence = new AbortController()
        let timer = setTimeout(() => silence.abort(), 20_000)
        try {
          const { ok, body } = await fetch(`${url}/v1/events`, { headers, signal: AbortSignal.any([signal, silence.signal]) })
          if (ok && body)
            for await (const events of eventsIn(body)) {
              clearTimeout(timer)
              timer = setTimeout(() => silence.abort(), 20_000)
              for (const { id } of events) if (id !== '') reading.places.push(Number(id))
            }
        } finally {
          clearTimeout(timer)
        }
      } catch {
        // The server is gone or busy; the next try resumes.
      }
      if (!signal.aborted) await sleep(200)
    }
  }

  /** Until it holds, or is noted as stuck. */
  async #until(holds: () => Promise<boolean> | boolean, what: string | (() => string)): Promise<void> {
    const startedAt = performance.now()
    for (;;) {
      const waitedMs = Math.min(performance.now() - startedAt, performance.now() - this.#quietAt)
      if (waitedMs > loadLimits.restMs || performance.now() - startedAt > loadLimits.faultyMs) break
      try {
        if (await holds()) return
      } catch (error) {
        // The server is away; its answer comes later.
        if (!(error instanceof ClientError)) throw error
      }
      await sleep(60)
    }
    this.stuck.push(`stuck: it never came: ${typeof what === 'string' ? what : what()}`)
  }

  /** Readers of everything have caught up when their last position is that of the log and stays so. */
  async #settleReaders(): Promise<void> {
    const all = this.readings.filter(({ stream }) => stream === null)
    const client = this.#client()
    await this.#until(
      async () => {
        const last = Math.min(...all.map(({ places }) => places.at(-1) ?? 0))
        const { items, next } = await client.events.read({ after: last, limit: 1 })
        return items.length === 0 && next === null
      },
      () => `readers of everything: ${all.map(({ reader, places }) => `${reader} at ${places.at(-1)}`).join(', ')}`,
    )
  }
}

/** Sends the very same request, key and all, until an answer comes. */
const stubborn: Fetch = async (url, init) => {
  for (;;) {
    try {
      return await fetch(url, init)
    } catch (error) {
      if (init.signal?.aborted) throw error
      await sleep(50)
    }
  }
}
