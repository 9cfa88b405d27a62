import { type DialogItem, type DialogView, emptyView, freshKey, viewOfAll, withDelta } from '../../client/index.ts'
import type { EventView, LiveState } from '../../client/index.ts'
import { askQuestion } from '../ask.ts'
import { type Connection, dialogId, isTransient } from '../connect.ts'
import { EventReader } from '../event-lines.ts'
import { exitCode } from '../exit-code.ts'
import { faultOf } from '../fault.ts'
import { connectionTalk } from '../live-talk.ts'
import { oneLine, plainText } from '../plain-text.ts'
import { answerCommand } from '../question-words.ts'
import type { Terminal } from '../terminal.ts'
import { WordWrap } from '../word-wrap.ts'
import { tellDialogs, tellInbox } from './lists.ts'
import { Screen } from './screen.ts'
import { slashOf } from './slash.ts'
import { StreamedReply } from './streamed-reply.ts'

type Happening = { kind: 'line'; line: string } | { kind: 'changed' } | { kind: 'interrupt' } | { kind: 'end' } | { kind: 'fault'; error: unknown }

const shownAtFirst = 12

/** A question becomes a menu, a stop its own line; the rest of these only matters in a transcript. */
const shownOtherwise = new Set(['question.asked', 'dialog.opened', 'dialog.titled', 'stop.requested'])

/** A chat at a terminal: one loop that takes what happens in order, be it typed or from the log. */
export class TerminalChat {
  readonly #terminal: Terminal
  readonly #connection: Connection
  readonly #screen: Screen
  readonly #queue: Happening[] = []
  #wake: () => void = () => {}
  #dialog: string | undefined
  #agent: string | undefined
  #view: DialogView = emptyView
  #reader: EventReader
  #reply = new StreamedReply()
  readonly #wrap: WordWrap
  #stopFollowing: () => void = () => {}
  /** What was said or answered from here: the terminal has shown it already. */
  readonly #own = new Set<string>()
  /** Questions put off with Esc; asked again only by /answer. */
  readonly #later = new Set<string>()
  #interruptedAt = 0

  constructor(terminal: Terminal, connection: Connection, start: { dialog: string | undefined; agent: string | undefined }) {
    this.#terminal = terminal
    this.#connection = connection
    this.#dialog = start.dialog
    this.#agent = start.agent
    this.#reader = new EventReader(terminal.words, terminal.errPaint, terminal.width)
    this.#wrap = new WordWrap(() => terminal.width)
    this.#screen = new Screen(terminal, {
      onLine: (line) => this.#happen({ kind: 'line', line }),
      onInterrupt: () => this.#happen({ kind: 'interrupt' }),
      onEnd: () => this.#happen({ kind: 'end' }),
    })
  }

  async run(): Promise<number> {
    const { words, errPaint } = this.#terminal
    if (this.#dialog !== undefined) await this.#enter(this.#dialog)
    else {
      const { agents } = await this.#connection.client.info()
      this.#agent ??= agents.find((agent) => agent.default)?.name ?? agents[0]?.name
    }
    this.#screen.say(errPaint.dim(words.chatWith(this.#agent ?? '?')))
    this.#settle()
    try {
      for (;;) {
        const happening = await this.#next()
        if (happening.kind === 'end') return this.#leave(exitCode.ok)
        const exit = await this.#take(happening).catch((error: unknown) => this.#tell(error))
        if (typeof exit === 'number') return this.#leave(exit)
      }
    } finally {
      this.#stopFollowing()
      this.#screen.release()
    }
  }

  #happen(happening: Happening): void {
    this.#queue.push(happening)
    this.#wake()
  }

  async #next(): Promise<Happening> {
    for (;;) {
      const first = this.#queue.shift()
      if (first) return first
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  #leave(exit: number): number {
    this.#screen.release()
    if (this.#dialog !== undefined) this.#terminal.say(this.#terminal.errPaint.dim(this.#terminal.words.leave(this.#dialog)))
    return exit
  }

  /** A refusal is part of the talk; being signed out, or a fault of ours, ends it. */
  #tell(error: unknown): void {
    const { message, hint, code } = faultOf(error)
    if (code === 'internal' || code === 'bad_token' || code === 'not_signed_in') throw error
    const { errPaint } = this.#terminal
    this.#screen.say(`${errPaint.red('✗')} ${plainText(message)}`, `  ${errPaint.cyan('→')} ${plainText(hint)}`)
    this.#settle()
  }

  async #take(happening: Happening): Promise<number | void> {
    switch (happening.kind) {
      case 'line':
        return this.#line(happening.line)
      case 'interrupt':
        return this.#interrupt()
      case 'fault':
        throw happening.error
      case 'changed':
        return this.#askWhatIsOpen()
      case 'end':
        return
    }
  }

  async #interrupt(): Promise<number | void> {
    const { words } = this.#terminal
    const isRunning = this.#view.status === 'working'
    if (Date.now() - this.#interruptedAt < 3_000 || (!isRunning && this.#view.status !== 'stopping' && this.#dialog === undefined)) return exitCode.interrupted
    this.#interruptedAt = Date.now()
    this.#screen.say(this.#terminal.errPaint.dim(isRunning ? `${words.stopAsked} ${words.leaveHint}` : words.leaveHint))
    if (isRunning && this.#dialog !== undefined) await this.#connection.client.dialogs.stop(this.#dialog)
    this.#settle()
  }

  async #line(line: string): Promise<number | void> {
    if (line.trim() === '') return this.#settle()
    const meant = slashOf(line)
    if ('say' in meant) return this.#say(meant.say)
    if ('unknown' in meant) {
      this.#screen.say(this.#terminal.words.unknownSlash(meant.unknown))
      return this.#settle()
    }
    const { client } = this.#connection
    switch (meant.name) {
      case 'quit':
        return exitCode.ok
      case 'help':
        this.#screen.say(...this.#terminal.words.chatHelp)
        break
      case 'stop':
        if (this.#dialog !== undefined) await client.dialogs.stop(this.#dialog)
        break
      case 'continue':
        if (this.#dialog !== undefined) await client.dialogs.continue(this.#dialog)
        break
      case 'dialogs':
        this.#screen.say(...(await tellDialogs(this.#terminal, client)))
        break
      case 'inbox':
        this.#screen.say(...(await tellInbox(this.#terminal, client)))
        break
      case 'answer':
        this.#later.clear()
        return this.#askWhatIsOpen()
      case 'new':
        this.#forget()
        this.#dialog = undefined
        break
      case 'open':
        await this.#enter(await dialogId(client, meant.rest || 'last'))
        break
    }
    this.#settle()
  }

  /** Sent under one key until the server has taken it, so an outage loses nothing and says nothing twice. */
  async #say(text: string): Promise<void> {
    const key = freshKey()
    this.#screen.busy(this.#terminal.words.thinking(this.#agent ?? ''))
    for (;;) {
      const { client } = this.#connection
      try {
        if (this.#dialog === undefined) {
          const opened = await client.dialogs.open({ text, language: this.#terminal.language, ...(this.#agent === undefined ? {} : { agent: this.#agent }) }, { key })
          this.#ownFirst = true
          return await this.#enter(opened.id, 0)
        }
        this.#own.add(text)
        await client.dialogs.say(this.#dialog, text, { key })
        return
      } catch (error) {
        if (!isTransient(error)) throw error
        this.#screen.busy(this.#terminal.words.connectionLost)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
    }
  }
  #ownFirst = false

  #forget(): void {
    this.#stopFollowing()
    this.#stopFollowing = () => {}
    this.#view = emptyView
    this.#reader = new EventReader(this.#terminal.words, this.#terminal.errPaint, this.#terminal.width)
    this.#reply.drop()
  }

  /** Goes to a dialog. What happened there before is shown in short, what comes from now on in full. */
  async #enter(dialog: string, showFrom?: number): Promise<void> {
    const detail = await this.#connection.client.dialogs.get(dialog)
    this.#forget()
    this.#dialog = detail.id
    this.#agent = detail.agent
    const from = showFrom ?? Number.POSITIVE_INFINITY
    const ready = Promise.withResolvers<void>()
    const talk = connectionTalk({ ...this.#terminal, say: (...lines) => this.#screen.say(...lines) }, (error) => {
      ready.reject(error)
      this.#happen({ kind: 'fault', error })
    })
    const history: EventView[] = []
    let isLive = showFrom !== undefined
    this.#stopFollowing = this.#connection.follow(
      detail.id,
      0,
      {
        onEvents: (events) => {
          if (isLive) return this.#show(events.filter(({ seq }) => seq > (from === Number.POSITIVE_INFINITY ? 0 : from)))
          history.push(...events)
          this.#view = viewOfAll(this.#view, events)
        },
        onDelta: (delta) => {
          this.#view = withDelta(this.#view, delta)
          if (isLive) this.#showDraft()
        },
        onLive: () => {
          if (!isLive) this.#showHistory(history)
          isLive = true
          ready.resolve()
        },
        onError: (words) => ready.reject(new Error(words.message)),
      },
      (state: LiveState) => talk(state),
    )
    if (showFrom === undefined) await ready.promise
  }

  #showHistory(events: readonly EventView[]): void {
    const entries = events.map((event) => this.#reader.lines(event)).filter((lines) => lines.length > 0)
    if (this.#view.title) this.#screen.say(this.#terminal.errPaint.bold(oneLine(this.#view.title)))
    for (const lines of entries.slice(-shownAtFirst)) this.#screen.say(...lines)
    this.#happen({ kind: 'changed' })
  }

  #show(events: EventView[]): void {
    for (const event of events) {
      const before = this.#view
      this.#view = viewOfAll(this.#view, [event])
      const item = this.#view.items.length > before.items.length ? this.#view.items.at(-1) : undefined
      const lines = this.#reader.lines(event)
      if (item?.kind === 'message') this.#showMessage(item, lines)
      else if (shownOtherwise.has(event.type)) continue
      else if (event.type === 'question.answered' && this.#own.delete(String((event.data as { question?: unknown }).question))) continue
      else if (lines.length > 0) {
        this.#reply.drop()
        this.#screen.stream(this.#wrap.flush())
        this.#screen.say(...lines)
      }
    }
    this.#settle()
    this.#happen({ kind: 'changed' })
  }

  #showMessage(item: DialogItem & { kind: 'message' }, lines: string[]): void {
    if (item.by.kind === 'human') {
      const isOwn = this.#own.delete(item.text) || this.#ownFirst
      this.#ownFirst = false
      if (!isOwn) this.#screen.say(...lines)
      return
    }
    const isNew = !this.#reply.isOpen
    const { again, piece } = this.#reply.finish(item.text)
    if (isNew) this.#name(item.by.name)
    if (again) this.#beginAgain()
    this.#screen.stream(`${this.#wrap.push(piece.trimEnd())}${this.#wrap.flush()}\n`)
    if (item.isCut) this.#screen.say(this.#terminal.errPaint.yellow(`■ ${this.#terminal.words.stoppedHere}`))
  }

  #showDraft(): void {
    const { draft } = this.#view
    if (!draft || draft.text === '') return
    const isNew = !this.#reply.isOpen
    const { again, piece } = this.#reply.grow(draft.id, draft.text)
    if (isNew && piece !== '') this.#name(this.#agent ?? '')
    if (again) this.#beginAgain()
    this.#screen.stream(this.#wrap.push(piece))
  }

  #beginAgain(): void {
    this.#screen.stream(this.#wrap.flush())
    this.#screen.say(this.#terminal.errPaint.dim(this.#terminal.words.restarted))
  }

  #name(name: string): void {
    this.#screen.say(this.#terminal.errPaint.cyan(this.#terminal.errPaint.bold(oneLine(name))))
  }

  /** Puts the screen into the mode the dialog is in. */
  #settle(): void {
    if (this.#screen.mode === 'released' && this.#asking) return
    const { status } = this.#view
    if (status === 'working') this.#screen.busy(this.#terminal.words.thinking(this.#agent ?? ''))
    else if (status === 'stopping') this.#screen.busy(this.#terminal.words.stopAsked)
    else this.#screen.prompt()
  }
  #asking = false

  async #askWhatIsOpen(): Promise<void> {
    if (this.#view.status === 'working' || this.#view.status === 'stopping') return
    const open = this.#view.questions.find(({ id }) => !this.#later.has(id))
    if (!open) return
    this.#screen.release()
    this.#asking = true
    const { words, errPaint } = this.#terminal
    // Answered elsewhere meanwhile: the menu goes away by itself.
    const elsewhere = new AbortController()
    const watch = setInterval(() => {
      if (!this.#view.questions.some(({ id }) => id === open.id)) elsewhere.abort()
    }, 200)
    try {
      this.#terminal.say(`${errPaint.yellow('?')} ${errPaint.bold(words.asks(this.#agent ?? ''))}: ${plainText(open.ask.text)}`)
      const answers = await askQuestion(this.#terminal, open.ask, elsewhere.signal)
      if (elsewhere.signal.aborted) return
      if (answers) {
        this.#own.add(open.id)
        await this.#connection.client.questions.answer(open.id, { answers })
      } else {
        this.#later.add(open.id)
        this.#terminal.say(`${words.notNow}/answer · ${answerCommand(open.id, open.ask)}`)
      }
    } finally {
      clearInterval(watch)
      this.#asking = false
      this.#settle()
    }
  }
}
