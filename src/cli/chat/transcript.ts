import { type DialogItem, type DialogView, emptyView, toView, viewOfAll, withDelta } from '../../client/index.ts'
import type { DeltaView, EventView } from '../../client/index.ts'
import { EventReader } from '../event-lines.ts'
import { presentationLines } from '../presentation-lines.ts'
import { oneLine } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'
import { WordWrap } from '../word-wrap.ts'
import type { Screen } from './screen.ts'
import { StreamedReply } from './streamed-reply.ts'

const shownAtFirst = 12

/** A question becomes a menu, a stop its own line; the rest of these only matters when reading later. */
const shownOtherwise = new Set(['question.asked', 'dialog.opened', 'dialog.titled', 'stop.requested'])

/** Transcript of a chat: folds the events and prints what is new. */
export class Transcript {
  readonly #terminal: Terminal
  readonly #screen: Screen
  readonly #reply = new StreamedReply()
  readonly #wrap: WordWrap
  #caller = 'owner'
  #reader: EventReader
  #view: DialogView = emptyView
  /** Texts and questions that were typed here: the terminal has shown them already. */
  readonly #own = new Set<string>()

  constructor(terminal: Terminal, screen: Screen) {
    this.#terminal = terminal
    this.#screen = screen
    this.#wrap = new WordWrap(() => terminal.width)
    this.#reader = this.#newReader()
  }

  get view(): DialogView {
    return this.#view
  }

  /** The name of the person who chats, who reads "You". */
  set caller(name: string) {
    this.#caller = name
    this.#reader.reader = name
  }

  isRunning(): boolean {
    return this.#view.status === 'working' || this.#view.status === 'stopping'
  }

  expect(own: string): void {
    this.#own.add(own)
  }

  reset(): void {
    this.#view = emptyView
    this.#reader = this.#newReader()
    this.#reply.drop()
  }

  /** Prints the end of the earlier history, shortened. */
  showHistory(events: readonly EventView[]): void {
    this.#view = viewOfAll(this.#view, events)
    const entries = events.map((event) => this.#reader.lines(event)).filter((lines) => lines.length > 0)
    if (this.#view.title) this.#screen.say(this.#terminal.errPaint.bold(oneLine(this.#view.title)))
    for (const lines of entries.slice(-shownAtFirst)) this.#screen.say(...lines)
  }

  show(events: readonly EventView[]): void {
    for (const event of events) {
      const before = this.#view
      this.#view = toView(this.#view, event)
      const item = this.#view.items.length > before.items.length ? this.#view.items.at(-1) : undefined
      const lines = this.#reader.lines(event)
      if (item?.kind === 'message') this.#message(item, lines)
      else if (lines.length > 0 && !this.#isKnown(event)) {
        this.#reply.drop()
        this.#screen.stream(this.#wrap.flush())
        this.#screen.say(...lines)
      }
    }
  }

  delta(delta: DeltaView): void {
    this.#view = withDelta(this.#view, delta)
    const { draft, agent } = this.#view
    if (!draft || draft.text === '') return
    const isNew = !this.#reply.isOpen
    const { again, piece } = this.#reply.grow(draft.id, draft.text)
    if (isNew && piece !== '') this.#name(agent)
    if (again) this.#beginAgain()
    this.#screen.stream(this.#wrap.push(piece))
  }

  #newReader(): EventReader {
    const { words, errPaint, width } = this.#terminal
    const reader = new EventReader(words, errPaint, width)
    reader.reader = this.#caller
    return reader
  }

  #isKnown(event: EventView): boolean {
    if (shownOtherwise.has(event.type)) return true
    return event.type === 'question.answered' && 'question' in event.data && this.#own.delete(String(event.data.question))
  }

  #message(item: DialogItem & { kind: 'message' }, lines: string[]): void {
    if (item.by.kind === 'human') {
      if (!this.#own.delete(item.text)) this.#screen.say(...lines)
      return
    }
    const isNew = !this.#reply.isOpen
    const { again, piece } = this.#reply.finish(item.shown?.words ?? item.text)
    if (isNew) this.#name(item.by.name)
    if (again) this.#beginAgain()
    const text = `${this.#wrap.push(piece.trimEnd())}${this.#wrap.flush()}`
    if (!item.shown || text !== '' || !isNew) this.#screen.stream(`${text}\n`)
    if (item.shown) {
      const { words, errPaint, width } = this.#terminal
      this.#screen.say(...presentationLines(item.shown.presentation, { words, paint: errPaint, width }))
    }
    if (item.isCut) this.#screen.say(this.#terminal.errPaint.yellow(`■ ${this.#terminal.words.stoppedHere}`))
  }

  #beginAgain(): void {
    this.#screen.stream(this.#wrap.flush())
    this.#screen.say(this.#terminal.errPaint.dim(this.#terminal.words.restarted))
  }

  #name(name: string): void {
    this.#screen.say(this.#terminal.errPaint.cyan(this.#terminal.errPaint.bold(oneLine(name))))
  }
}
