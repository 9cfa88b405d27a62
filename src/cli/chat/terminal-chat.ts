import { listTappable } from '../../chats/message/tappable.ts'
import { findTypedAnswer } from '../../client/typed-answer.ts'
import { type AnswerInput, freshKey, type ParleyClient, toIsoDate } from '../../client/index.ts'
import type { EventView, QuestionItemView } from '../../client/index.ts'
import { type ApprovalQuestion, decidedLine, grantedLines, waitingLine } from '../approval-words.ts'
import { askQuestion, type MenuContext } from '../ask.ts'
import { callerName, type Connection, dialogId, isTransient } from '../connect.ts'
import { askDecisions, decide, groupApprovals } from '../decide-approval.ts'
import { exitCode } from '../exit-code.ts'
import { getFault } from '../fault.ts'
import { connectionTalk, toRefusal } from '../live-talk.ts'
import { openInBrowser } from '../open-browser.ts'
import { oneLine, plainText } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'
import { getRest } from '../tree-rest.ts'
import { uploadFiles } from '../upload-files.ts'
import { sideQuestion, tellDialogs, tellInbox } from './lists.ts'
import type { ChatStart } from './piped-chat.ts'
import { Screen } from './screen.ts'
import { type Slash, getSlash } from './slash.ts'
import { Transcript } from './transcript.ts'

type Happening =
  | { kind: 'line'; line: string }
  | { kind: 'changed' }
  | { kind: 'elsewhere' }
  | { kind: 'interrupt' }
  | { kind: 'end' }
  | { kind: 'fault'; error: unknown }

/** Ctrl+C while the server is away: there is nothing to stop, so it leaves. */
class Left extends Error {}

const twiceMs = 3_000
const retryMs = 1_000

/** A chat at a terminal: one loop that takes what happens in order, be it typed or from the log. */
export class TerminalChat {
  readonly #terminal: Terminal
  readonly #connection: Connection
  readonly #screen: Screen
  readonly #transcript: Transcript
  readonly #queue: Happening[] = []
  #wake: () => void = () => {}
  #dialog: string | undefined
  #agent: string | undefined
  /** Of a new dialog. */
  readonly #taskdoc: string | undefined
  readonly #model: string | undefined
  #stopFollowing: () => void = () => {}
  /** Questions put off with Esc; asked again only by /answer. */
  readonly #later = new Set<string>()
  /** Questions in side dialogs that were pointed out. */
  readonly #told = new Set<string>()
  #isAsking = false
  /** The last words, where they could answer the open question. */
  #offered: ReturnType<typeof findTypedAnswer<QuestionItemView>> = null
  #interruptedAt = 0
  /** Uploaded, for the next message. */
  readonly #files: string[] = []

  constructor(terminal: Terminal, connection: Connection, start: ChatStart) {
    this.#terminal = terminal
    this.#connection = connection
    this.#dialog = start.dialog
    this.#agent = start.agent
    this.#taskdoc = start.taskdoc
    this.#model = start.model
    this.#screen = new Screen(terminal, {
      onLine: (line) => this.#happen({ kind: 'line', line }),
      onInterrupt: () => this.#happen({ kind: 'interrupt' }),
      onEnd: () => this.#happen({ kind: 'end' }),
    })
    this.#transcript = new Transcript(terminal, this.#screen)
  }

  async run(): Promise<number> {
    const { words, errPaint } = this.#terminal
    try {
      this.#transcript.caller = await callerName(this.#connection.client)
      if (this.#dialog !== undefined) await this.#enter(this.#dialog)
      else this.#agent ??= await this.#defaultAgent()
      this.#screen.say(errPaint.dim(words.chatWith(this.#agent ?? '?')))
      this.#settle()
      for (;;) {
        const exit = await this.#take(await this.#next()).catch((error: unknown) => this.#tell(error))
        if (typeof exit === 'number') return this.#leave(exit)
      }
    } finally {
      this.#stopFollowing()
      this.#screen.release()
    }
  }

  async #defaultAgent(): Promise<string | undefined> {
    const { agents } = await this.#connection.client.info()
    return (agents.find((agent) => agent.default) ?? agents[0])?.name
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
  #tell(error: unknown): number | void {
    if (error instanceof Left) return exitCode.interrupted
    const { message, hint, code } = getFault(error)
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
      case 'changed':
        return this.#askWhatIsOpen()
      case 'elsewhere':
        return this.#tellSideQuestions()
      case 'fault':
        throw happening.error
      case 'end':
        return exitCode.ok
    }
  }

  /** Once stops the agent, twice leaves. With nothing said yet, once is enough. */
  async #interrupt(): Promise<number | void> {
    const { words, errPaint } = this.#terminal
    if (this.#dialog === undefined || Date.now() - this.#interruptedAt < twiceMs) return exitCode.interrupted
    this.#interruptedAt = Date.now()
    const isWorking = this.#transcript.view.status === 'working'
    this.#screen.say(errPaint.dim(isWorking ? `${words.stopAsked} ${words.leaveHint}` : words.leaveHint))
    if (isWorking) await this.#connection.client.dialogs.stop(this.#dialog)
    this.#settle()
  }

  async #line(line: string): Promise<number | void> {
    if (line.trim() === '') return this.#settle()
    const slash = getSlash(line)
    if ('say' in slash) return this.#say(slash.say)
    if ('unknown' in slash) this.#screen.say(this.#terminal.words.unknownSlash(slash.unknown))
    else if (slash.name === 'quit') return exitCode.ok
    else await this.#steer(slash, this.#connection.client)
    this.#settle()
  }

  async #steer({ name, rest }: Slash, client: ParleyClient): Promise<void> {
    switch (name) {
      case 'help':
        return this.#screen.say(...this.#terminal.words.chatHelp)
      case 'dialogs':
        return this.#screen.say(...(await tellDialogs(this.#terminal, client)))
      case 'inbox':
        return this.#screen.say(...(await tellInbox(this.#terminal, client)))
      case 'stop':
        if (this.#dialog !== undefined) await client.dialogs.stop(this.#dialog)
        return
      case 'continue':
        if (this.#dialog !== undefined) await client.dialogs.continue(this.#dialog)
        return
      case 'answer':
        if (rest === 'it') return this.#answerWithLastWords()
        this.#later.clear()
        return this.#askWhatIsOpen()
      case 'tap':
        return this.#tap(Number(rest))
      case 'new':
        this.#stopFollowing()
        this.#transcript.reset()
        this.#dialog = undefined
        return
      case 'open':
        return rest === '' ? this.#openPage() : this.#enter(await dialogId(client, rest))
      case 'file':
        return this.#attach(rest)
      case 'quit':
        return
    }
  }

  /** Buttons are numbered in the last card of the dialog. */
  async #tap(number: number): Promise<void> {
    const card = this.#transcript.view.items.findLast((item) => item.kind === 'message' && item.shown)
    const shownMessage = card?.kind === 'message' ? card.shown : undefined
    const control = shownMessage && listTappable(shownMessage.presentation)[number - 1]
    const dialog = this.#dialog
    if (!card || !control || dialog === undefined) return this.#screen.say(this.#terminal.words.nothingToTap)
    await this.#insist((client, key) => client.dialogs.tap(dialog, { message: card.id, value: control.value }, { key }))
  }

  /** The last words were meant as an answer. */
  async #answerWithLastWords(): Promise<void> {
    const offered = this.#offered
    if (!offered) return this.#screen.say(this.#terminal.words.nothingOffered)
    this.#offered = null
    this.#transcript.expect(offered.question.id)
    await this.#insist((client, key) => client.questions.answer(offered.question.id, { answers: offered.answers }, { key }))
  }

  /** The same dialog on the page: opened where there is a screen, printed anyway. */
  async #openPage(): Promise<void> {
    const url = new URL((await this.#connection.client.link()).url)
    url.pathname = this.#dialog === undefined ? '/' : `/c/${this.#dialog}`
    this.#screen.say(url.href)
    await openInBrowser(url.href, this.#terminal.env)
  }

  /** The file goes with the next message. */
  async #attach(path: string): Promise<void> {
    const { words } = this.#terminal
    if (path === '') return this.#screen.say(words.fileUsage)
    this.#files.push(...(await uploadFiles(this.#connection.client, [path], this.#terminal.cwd)))
    this.#screen.say(words.fileAttached(path))
  }

  async #say(text: string): Promise<void> {
    this.#screen.busy(this.#terminal.words.thinking(this.#agent ?? ''))
    const { dialog, agent } = { dialog: this.#dialog, agent: this.#agent }
    const files = this.#files.splice(0)
    this.#offered = findTypedAnswer(this.#transcript.view.questions, text, toIsoDate(Date.now()))
    if (this.#offered)
      this.#screen.say(this.#terminal.errPaint.dim(this.#terminal.words.offerAnswer(oneLine(this.#offered.question.ask.text))))
    this.#transcript.expect(text)
    if (dialog !== undefined)
      return void (await this.#insist((client, key) => client.dialogs.say(dialog, text, { key, ...(files.length > 0 && { files }) })))
    const opening = {
      text,
      language: this.#terminal.language,
      ...(files.length > 0 && { files }),
      ...(agent === undefined ? {} : { agent }),
      ...(this.#taskdoc === undefined ? {} : { taskdoc: this.#taskdoc }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
    }
    const opened = await this.#insist((client, key) => client.dialogs.open(opening, { key }))
    await this.#enter(opened.id, true)
  }

  /** Under one key until the server has taken it, so an outage loses nothing and nothing is said twice. */
  async #insist<Value>(act: (client: ParleyClient, key: string) => Promise<Value>): Promise<Value> {
    for (const key = freshKey(); ;) {
      try {
        return await act(this.#connection.client, key)
      } catch (error) {
        if (!isTransient(error)) throw error
        this.#screen.busy(this.#terminal.words.connectionLost)
        if (this.#queue.some(({ kind }) => kind === 'interrupt' || kind === 'end')) throw new Left()
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  /** Goes to a dialog. What happened there before is shown in short, what comes from now on in full. */
  async #enter(dialog: string, isNew = false): Promise<void> {
    const detail = await this.#connection.client.dialogs.get(dialog)
    this.#stopFollowing()
    this.#transcript.reset()
    this.#dialog = detail.id
    this.#agent = detail.agent
    const ready = Promise.withResolvers<void>()
    const refuse = (error: unknown): void => {
      ready.reject(error)
      this.#happen({ kind: 'fault', error })
    }
    const history: EventView[] = []
    let isLive = isNew
    const stop = this.#connection.follow(
      detail.id,
      0,
      {
        onEvents: (events) => (isLive ? this.#show(events) : void history.push(...events)),
        onDelta: (delta) => void (isLive && this.#transcript.delta(delta)),
        onLive: () => {
          if (!isLive) this.#transcript.showHistory(history)
          isLive = true
          ready.resolve()
          this.#happen({ kind: 'changed' })
        },
        onReset: () => this.#transcript.reset(),
        onError: (words) => refuse(toRefusal(words)),
      },
      connectionTalk({ ...this.#terminal, say: (...lines) => this.#screen.say(...lines) }, refuse),
    )
    const stopLooking = this.#connection.onChanged(() => this.#happen({ kind: 'elsewhere' }))
    this.#stopFollowing = () => {
      stopLooking()
      stop()
    }
    if (!isNew) await ready.promise
  }

  #show(events: readonly EventView[]): void {
    this.#transcript.show(events)
    this.#settle()
    this.#happen({ kind: 'changed' })
  }

  /** Puts the screen into the mode the dialog is in. */
  #settle(): void {
    if (this.#isAsking) return
    const { status } = this.#transcript.view
    if (status === 'working') this.#screen.busy(this.#terminal.words.thinking(this.#agent ?? ''))
    else if (status === 'stopping') this.#screen.busy(this.#terminal.words.stopAsked)
    else this.#screen.prompt()
  }

  /** A teammate's question is not in this log, but this dialog waits for its answer: it is told once, with the way there. */
  async #tellSideQuestions(): Promise<void> {
    if (this.#transcript.view.status !== 'delegated' || this.#dialog === undefined) return
    const rest = await getRest(this.#connection.client, this.#dialog)
    const news = rest?.questions.filter(({ id, dialog }) => dialog !== this.#dialog && !this.#told.has(id)) ?? []
    for (const question of news) {
      this.#told.add(question.id)
      this.#screen.say(...sideQuestion(this.#terminal, question))
    }
  }

  async #askWhatIsOpen(): Promise<void> {
    const open = this.#transcript.isRunning() ? undefined : this.#transcript.view.questions.find(({ id }) => !this.#later.has(id))
    if (!open) return
    if (open.isApproval) return this.#askApprovals(open.id)
    const { words, errPaint } = this.#terminal
    await this.#withMenu([open.id], async (elsewhere) => {
      this.#terminal.say(`${errPaint.yellow('?')} ${errPaint.bold(words.asks(this.#agent ?? ''))}${words.colon}${plainText(open.ask.text)}`)
      const answers = await askQuestion(this.#terminal, open.ask, this.#menuContext(elsewhere))
      if (elsewhere.aborted) return
      if (answers === null) {
        this.#later.add(open.id)
        this.#terminal.say(errPaint.dim(`${words.notNow}/answer`))
      } else {
        this.#transcript.expect(open.id)
        await this.#insist((client, key) => client.questions.answer(open.id, { answers }, { key }))
      }
    })
  }

  /** Only a choice in this menu decides: what is typed at the prompt is said to the agent and approves nothing. */
  async #askApprovals(first: string): Promise<void> {
    const { words, errPaint } = this.#terminal
    const { questions } = await this.#insist((client) => client.dialogs.get(this.#dialog ?? ''))
    const group = groupApprovals(questions.filter(({ id }) => !this.#later.has(id))).find((each) => each.some(({ id }) => id === first))
    if (!group) {
      this.#later.add(first)
      const hidden = questions.find(({ id }) => id === first)
      if (hidden) this.#screen.say(errPaint.dim(waitingLine(hidden, words)))
      return
    }
    await this.#withMenu(
      group.map(({ id }) => id),
      async (elsewhere) => {
        const decided = await askDecisions(this.#terminal, group, this.#menuContext(elsewhere))
        if (elsewhere.aborted) return
        const put = new Set(decided?.map(({ question }) => question.id))
        for (const { id } of group) if (!put.has(id)) this.#later.add(id)
        if (decided === null) this.#terminal.say(errPaint.dim(words.approvals.notNowInChat))
        for (const { question, answer } of decided ?? []) await this.#decide(question, answer)
      },
    )
  }

  /** A refusal leaves the question to those who may decide; one that came late says who decided. The chat goes on. */
  async #decide(question: ApprovalQuestion, answer: AnswerInput): Promise<void> {
    const { words, errPaint } = this.#terminal
    try {
      const decided = await this.#insist((client, key) => decide(client, question.id, answer, this.#terminal, key))
      if (decided.state === 'open') {
        this.#later.add(question.id)
        this.#terminal.say(errPaint.dim(decidedLine(decided, words)))
      }
      this.#terminal.say(...grantedLines(decided, words, this.#terminal.language).map((line) => errPaint.dim(`  ${line}`)))
    } catch (error) {
      const { code, message } = getFault(error)
      if (!['not_addressed', 'already_allowed', 'already_answered', 'question_closed'].includes(code)) throw error
      this.#later.add(question.id)
      this.#terminal.say(`${errPaint.red('✗')} ${plainText(message)}`)
      if (code === 'not_addressed') this.#terminal.say(errPaint.dim(waitingLine(question, words)))
    }
  }

  #menuContext(signal: AbortSignal): MenuContext {
    return { signal, onTyped: (text) => this.#screen.keep(text) }
  }

  /** Gives the keyboard to a menu about these questions. It goes away when all of them are decided elsewhere. */
  async #withMenu(questions: readonly string[], act: (elsewhere: AbortSignal) => Promise<void>): Promise<void> {
    this.#screen.release()
    this.#isAsking = true
    const elsewhere = new AbortController()
    const watch = setInterval(() => {
      if (!this.#transcript.view.questions.some(({ id }) => questions.includes(id))) elsewhere.abort()
    }, 200)
    try {
      await act(elsewhere.signal)
    } finally {
      clearInterval(watch)
      this.#isAsking = false
      this.#settle()
    }
  }
}
