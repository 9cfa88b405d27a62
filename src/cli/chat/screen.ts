import { type Interface, createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from '../terminal.ts'

export type Typed = { onLine(line: string): void; onInterrupt(): void; onEnd(): void }

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/**
 * The terminal of a chat. It is always in one of three modes:
 *
 * prompt   a line is being typed; anything printed goes above it and the line is drawn again
 * busy     the agent works; keys are still read, but shown in the status line instead of at a prompt
 * released another reader (a menu) owns the keyboard
 *
 * Replies go to stdout, everything else to stderr, so `parley chat > replies.txt` keeps the replies only.
 */
export class Screen {
  readonly #terminal: Terminal
  readonly #typed: Typed
  readonly #prompt: string
  #lines: Interface | null = null
  #mode: 'prompt' | 'busy' | 'released' = 'released'
  #status: { text: string; since: number } | null = null
  #statusDrawn = false
  #timer: NodeJS.Timeout | undefined
  #midLine = false
  /** A line that was half typed when a menu took the keyboard. */
  #draft = ''

  constructor(terminal: Terminal, typed: Typed) {
    this.#terminal = terminal
    this.#typed = typed
    this.#prompt = terminal.errPaint.green('› ')
  }

  get mode(): 'prompt' | 'busy' | 'released' {
    return this.#mode
  }

  prompt(): void {
    this.#clear()
    this.#status = null
    clearInterval(this.#timer)
    this.#newLine()
    this.#mode = 'prompt'
    this.#open().prompt(true)
  }

  busy(text: string): void {
    if (this.#mode === 'busy' && this.#status?.text === text) return
    this.#clear()
    this.#mode = 'busy'
    this.#open()
    this.#status = { text, since: this.#status?.since ?? Date.now() }
    clearInterval(this.#timer)
    this.#timer = setInterval(() => this.#drawStatus(), 120)
  }

  /** Hands the keyboard over. */
  release(): void {
    this.#clear()
    this.#newLine()
    clearInterval(this.#timer)
    this.#status = null
    this.#mode = 'released'
    const lines = this.#lines
    // Forgotten first: closing it is ours and not the end of the input.
    this.#lines = null
    this.keep(lines?.line ?? '')
    lines?.close()
  }

  /** Adds text to the line that the next prompt starts with. */
  keep(text: string): void {
    this.#draft += text
  }

  /** Talk, on a line of its own. */
  say(...lines: string[]): void {
    this.#above(() => {
      this.#newLine()
      this.#terminal.say(...lines)
    })
  }

  /** A piece of a reply, as it comes. */
  stream(text: string): void {
    if (text === '') return
    this.#above(() => {
      this.#terminal.stdout.write(text)
      this.#midLine = !text.endsWith('\n')
    })
  }

  print(...lines: string[]): void {
    this.#above(() => {
      this.#newLine()
      this.#terminal.stdout.write(`${lines.join('\n')}\n`)
    })
  }

  #newLine(): void {
    if (this.#midLine) this.#terminal.stdout.write('\n')
    this.#midLine = false
  }

  #above(write: () => void): void {
    this.#clear()
    write()
    if (this.#mode === 'prompt') {
      this.#newLine()
      this.#lines?.prompt(true)
    }
  }

  #clear(): void {
    const { stderr } = this.#terminal
    if (this.#mode === 'prompt' && this.#lines) {
      const { rows } = this.#lines.getCursorPos()
      stderr.write(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J`)
    } else if (this.#statusDrawn) {
      stderr.write('\r\u001b[K')
      this.#statusDrawn = false
    }
  }

  #drawStatus(): void {
    // Never in the middle of a streamed line: the words being written are status enough.
    if (this.#mode !== 'busy' || !this.#status || this.#midLine) return
    const { errPaint, stderr } = this.#terminal
    const seconds = Math.floor((Date.now() - this.#status.since) / 1_000)
    const frame = frames[Math.floor(Date.now() / 120) % frames.length] ?? ''
    const typed = this.#lines?.line ? `  ${this.#prompt}${this.#lines.line}` : ''
    stderr.write(`\r\u001b[K${errPaint.cyan(frame)} ${this.#status.text}${seconds > 0 ? errPaint.dim(` · ${seconds} s`) : ''}${typed}`)
    this.#statusDrawn = true
  }

  #open(): Interface {
    if (this.#lines) return this.#lines
    const { stdin, stderr } = this.#terminal
    const output = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        // While busy the keys are taken in, but what readline would draw stays away.
        if (this.#mode === 'prompt') stderr.write(chunk)
        done()
      },
    })
    Object.defineProperty(output, 'columns', { get: () => stderr.columns })
    const lines = createInterface({ input: stdin, output, terminal: true, prompt: this.#prompt, historySize: 200 })
    lines.on('line', (line) => this.#typed.onLine(line))
    lines.on('SIGINT', () => this.#typed.onInterrupt())
    lines.on('close', () => void (this.#lines === lines && this.#typed.onEnd()))
    this.#lines = lines
    if (this.#draft !== '') lines.write(this.#draft)
    this.#draft = ''
    // Ctrl+D between a menu and the prompt ends the input without a listener, and readline emits no event for it.
    if (stdin.readableEnded) queueMicrotask(() => this.#typed.onEnd())
    return lines
  }
}
