import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { menuGraceMs } from '../menu-keys.ts'
import { runCli } from '../run-cli.ts'
import type { Host } from '../terminal.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

export type Ended = { code: number | null; out: string; err: string }

/** A command that was started and not waited for. */
export type Spawned = {
  readonly child: ChildProcess
  readonly out: string
  readonly err: string
  /** Resolves once stdout holds this; fails when the process ends first. */
  until(text: string | RegExp): Promise<string>
  /** Presses keys. What was printed before is forgotten, so that `until` waits for what comes of it. */
  type(keys: string): void
  /** Resolves once this menu is drawn and takes keys: a new one ignores them for a moment. */
  untilMenu(text: string | RegExp): Promise<string>
  /** Moves down in a menu until this option is highlighted, then presses Enter. */
  choose(label: string): Promise<void>
  end(signal?: NodeJS.Signals): Promise<Ended>
  readonly ended: Promise<Ended>
}

type Given = { env?: NodeJS.ProcessEnv; input?: string }

const variables: NodeJS.ProcessEnv = {
  ...process.env,
  LANG: 'C',
  LC_ALL: '',
  CI: '1',
  PARLEY_URL: '',
  PARLEY_TOKEN: '',
  FORCE_COLOR: '',
}

function output(): { stream: Writable; read(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, read: () => Buffer.concat(chunks).toString('utf8') }
}

/** A folder of its own with the real command line in it: what a person does, without a person. */
export function cliFolder({ processes = false }: { processes?: boolean } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'parley-e2e-'))
  const running = new Set<ChildProcess>()

  function start(args: readonly string[], options: Given & { shell?: string; terminal?: boolean } = {}): Spawned {
    const env = { ...variables, NODE_OPTIONS: '', ...options.env }
    const inShell = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ')
    const child = options.terminal
      ? // `script` is what every Linux has to give a program a terminal without a person in front of it.
        spawn('script', ['-qfec', `stty cols 100 rows 40; exec ${inShell}`, '/dev/null'], {
          cwd: dir,
          env: { ...env, TERM: 'xterm', FORCE_COLOR: '0' },
        })
      : options.shell
        ? spawn('bash', ['-o', 'pipefail', '-c', `"${process.execPath}" "${main}" ${options.shell}`], { cwd: dir, env })
        : spawn(process.execPath, [main, ...args], { cwd: dir, env })
    running.add(child)
    let out = ''
    let err = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
    child.stdin.on('error', () => {})
    if (!options.terminal) child.stdin.end(options.input ?? '')
    const ended = once(child, 'close').then(([code]): Ended => {
      running.delete(child)
      return { code: code as number | null, out, err }
    })
    /** The next line with a mark that the menu draws, or null when it draws none for a while. It is taken out of `out`. */
    const frame = async (): Promise<string | null> => {
      const patience = AbortSignal.timeout(10_000)
      for (;;) {
        const at = out.indexOf('●')
        const end = at < 0 ? -1 : out.indexOf('\n', at)
        if (end >= 0) {
          const line = out.slice(at, end)
          out = out.slice(end)
          return line
        }
        if (patience.aborted || child.exitCode !== null) return null
        await Promise.race([once(child.stdout, 'data'), ended, once(patience, 'abort')])
      }
    }
    return {
      child,
      get out() {
        return out
      },
      get err() {
        return err
      },
      ended,
      async until(text) {
        const isThere = (): boolean => (typeof text === 'string' ? out.includes(text) : text.test(out))
        const late = AbortSignal.timeout(60_000)
        const patience = once(late, 'abort')
        while (!isThere()) {
          const over = await Promise.race([
            ended,
            once(child.stdout, 'data').then(() => null),
            patience.then(() => ({ code: 'nothing more', out, err })),
          ])
          if (over && !isThere()) throw new Error(`ended with ${over.code} before "${text}" came\nstdout: ${over.out}\nstderr: ${over.err}`)
        }
        return out
      },
      type(keys) {
        out = ''
        child.stdin.write(keys)
      },
      async untilMenu(text) {
        await this.until(text)
        await pause(menuGraceMs)
        return out
      },
      async choose(label) {
        await pause(menuGraceMs)
        const late = AbortSignal.timeout(60_000)
        // A key that came too early draws nothing, and a slow menu draws late. A key that was not answered yet may still
        // move the cursor, so Enter waits until every key was answered or had its time.
        let unanswered = 0
        for (;;) {
          this.type('\u001b[B')
          unanswered += 1
          let marked = ''
          while (unanswered > 0) {
            const drawn = await frame()
            if (drawn === null) {
              if (marked !== '') unanswered = 0
              break
            }
            marked = drawn
            unanswered -= 1
          }
          if (marked.includes(`● ${label}`)) return this.type('\r')
          if (late.aborted || child.exitCode !== null) throw new Error(`no option "${label}" to choose\nstdout: ${out}`)
        }
      },
      async end(signal = 'SIGINT') {
        child.kill(signal)
        return ended
      },
    }
  }

  /**
   * The same command line in this process: starting one takes longer than most commands. `serve` and `demo`, and what Node
   * or npm reads from variables, need a process of their own.
   */
  async function runHere(args: readonly string[], { env, input }: Given): Promise<Ended> {
    const events = new EventEmitter()
    const [out, err] = [output(), output()]
    const host = Object.assign(events, {
      env: { ...variables, ...env },
      cwd: () => dir,
      stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
      stdout: out.stream,
      stderr: err.stream,
      exit: (code: number) => assert.fail(`ended with ${code}`),
    }) as unknown as Host
    return { code: await runCli(args, host), out: out.read(), err: err.read() }
  }
  const isForProcess = ([command = '']: readonly string[], env: NodeJS.ProcessEnv = {}): boolean =>
    processes || command === 'serve' || command === 'demo' || 'NODE_OPTIONS' in env || 'npm_lifecycle_event' in env
  const end = (args: readonly string[], given: Given = {}): Promise<Ended> =>
    isForProcess(args, given.env) ? start(args, given).ended : runHere(args, given)

  return {
    dir,
    start,
    /** At a terminal, where questions become menus. Linux only. */
    atTerminal: (...args: string[]): Spawned => start(args, { terminal: true }),
    run: (...args: string[]): Promise<Ended> => end(args),
    with: (options: Given, ...args: string[]): Promise<Ended> => end(args, options),
    /** A whole shell line after `parley`, for pipes. */
    shell: (line: string): Promise<Ended> => start([], { shell: line }).ended,
    async json<Document>(...args: string[]): Promise<Document> {
      const { code, out, err } = await end([...args, '--json'])
      if (code !== 0) throw new Error(`parley ${args.join(' ')} ended with ${code}: ${err}`)
      return JSON.parse(out) as Document
    },
    /** `parley serve` on a free port, or on the one given; the scripted agent speaks without pauses unless `--slow`. */
    async serve(...flags: string[]): Promise<{ url: string; port: string; process: Spawned }> {
      const process = start([
        'serve',
        '--json',
        ...(flags.includes('--slow') ? [] : ['--fast']),
        ...(flags.includes('--port') ? [] : ['--port', '0']),
        ...flags.filter((flag) => flag !== '--slow'),
      ])
      const ready = JSON.parse(await process.until('\n')) as { url: string }
      return { url: ready.url, port: new URL(ready.url).port, process }
    },
    async close(): Promise<void> {
      for (const child of running) {
        child.kill('SIGKILL')
        await once(child, 'close')
      }
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
