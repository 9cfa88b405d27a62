import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The bot as a program of its own, so that it can be killed as the power cord would. */
export function botProcess(variables: Record<string, string>) {
  const lines: string[] = []
  const readers = new Set<() => void>()
  let child: ChildProcess | null = null

  /** Waits for the n-th line like this, over all starts. */
  const line = (words: RegExp, count = 1): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (lines.filter((one) => words.test(one)).length < count) return
        readers.delete(look)
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => reject(new Error(`The bot did not say ${String(words)} ${count} times.`)), 20_000)
      readers.add(look)
      look()
    })

  return {
    line,
    output: (): string => lines.join('\n'),
    async start(): Promise<void> {
      const started = lines.filter((one) => one === 'started').length
      child = spawn(process.execPath, [fileURLToPath(new URL('bot.ts', import.meta.url))], {
        env: { ...process.env, ...variables },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue
        createInterface({ input: stream }).on('line', (text) => {
          lines.push(text)
          for (const look of readers) look()
        })
      }
      await line(/^started$/, started + 1)
    },
    async kill(): Promise<void> {
      const killed = child
      child = null
      if (!killed || killed.exitCode !== null) return
      const gone = new Promise((resolve) => killed.once('exit', resolve))
      killed.kill('SIGKILL')
      await gone
    },
  }
}
