import type { Terminal } from './terminal.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export type Progress = { step(text: string): void; end(): void }

/**
 * Says what is going on once it has taken a second: a line that is redrawn on a terminal, one line for each step
 * elsewhere. Not clack's: that one swallows Ctrl+C and ends the process with 0.
 */
export function progress(terminal: Terminal, first: string, afterMs = 1_000): Progress {
  let text = first
  let drawn = false
  let timer: NodeJS.Timeout | undefined
  const started = Date.now()

  const clear = (): void => {
    if (drawn && terminal.live) terminal.stderr.write('\r\u001b[K')
  }
  const draw = (): void => {
    if (terminal.live) {
      const seconds = Math.floor((Date.now() - started) / 1_000)
      const frame = frames[Math.floor(Date.now() / 100) % frames.length] ?? ''
      terminal.stderr.write(
        `\r\u001b[K${terminal.errPaint.cyan(frame)} ${text}${seconds > 1 ? terminal.errPaint.dim(` · ${seconds} s`) : ''}`,
      )
    } else if (!drawn) terminal.say(`${text}…`)
    drawn = true
  }
  const begin = (delayMs: number): void => {
    timer = setTimeout(() => {
      draw()
      if (terminal.live) timer = setInterval(draw, 100)
    }, delayMs)
  }
  if (!terminal.quiet && !terminal.json) begin(afterMs)

  return {
    step(next) {
      text = next
      if (!drawn || terminal.json) return
      if (terminal.live) draw()
      else terminal.say(`${text}…`)
    },
    end() {
      clearTimeout(timer)
      clear()
    },
  }
}

/** Runs something under a progress line. */
export async function withProgress<Value>(terminal: Terminal, text: string, act: (shown: Progress) => Promise<Value>): Promise<Value> {
  const indicator = progress(terminal, text)
  try {
    return await act(indicator)
  } finally {
    indicator.end()
  }
}
