import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { eventually } from '../fixtures/eventually.ts'

/** A tree of Parley that is probed. */
export type Version = { readonly name: string; readonly root: string }

/** The result of a probe. `seen` is a figure or a sentence for the page. */
export type Finding = { readonly open: boolean; readonly seen: string }

export type Probe = {
  /** The hole, as a sentence about an attacker or a fault. */
  readonly hole: string
  /** The tests of this tree that cover it. */
  readonly tests: string
  /** Why 0.1 is not expected to be open. */
  readonly closedIn01?: string
  run(version: Version): Promise<Finding>
}

/** A response as each version sends it: only the fields that the probes read. */
export type Json = {
  readonly error?: { readonly code: string }
  readonly id: string
  readonly token: string
  readonly url: string
  readonly code: string
  readonly dialog: string | null
  readonly build_id: string
  readonly via: string
  readonly spent: { readonly tokens: number }
  readonly items: readonly Json[]
  readonly type: string
  readonly data: Json
}

export type Reply = { readonly status: number; readonly body: Json; readonly headers: Headers }

type Sent = { body?: unknown; token?: string | null; headers?: Record<string, string> }

type Options = {
  /** Files of the project, by path. */
  files?: Record<string, string>
  env?: Record<string, string>
  args?: readonly string[]
  /** Data folder inside of the project. Null: the default. */
  data?: string | null
  /** Run instead of Node, with the command of the server behind it. */
  wrap?: readonly string[]
}

/** A real server of one version in a folder of its own, asked over HTTP only. */
export class ProbedServer {
  readonly dir: string = mkdtempSync(join(tmpdir(), 'parley-hole-'))
  readonly #version: Version
  readonly #options: Options
  #child: ChildProcess | null = null
  #printed = ''
  #port = 0

  constructor(version: Version, options: Options = {}) {
    this.#version = version
    this.#options = options
    for (const [path, text] of Object.entries(options.files ?? {})) this.write(path, text)
  }

  write(path: string, text: string): void {
    const file = join(this.dir, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  get data(): string {
    return join(this.dir, this.#options.data ?? '.parley')
  }

  get pid(): number {
    return this.#child?.pid ?? assert.fail('the server was not started')
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Text of the server on stdout and stderr since its last start. */
  get printed(): string {
    return this.#printed
  }

  get hasEnded(): boolean {
    return this.#child === null || this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Starts a process; true when it answers, false when it ended instead. */
  async tryStart(): Promise<boolean> {
    const { args = [], env = {}, wrap = [], data = null } = this.#options
    const command = [
      ...wrap,
      process.execPath,
      join(this.#version.root, 'src/cli/main.ts'),
      'serve',
      '--json',
      '--port',
      String(this.#port),
    ]
    const [program = '', ...rest] = [...command, ...(data === null ? [] : ['--data', data]), ...args]
    this.#printed = ''
    const child = spawn(program, rest, {
      cwd: this.dir,
      env: { ...process.env, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    const collect = (chunk: Buffer): void => void (this.#printed = (this.#printed + chunk.toString()).slice(-100_000))
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    return eventually<'up' | 'ended'>(
      async () => {
        if (this.hasEnded) return 'ended'
        const port = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(this.#printed)?.[1]
        if (port === undefined) return null
        this.#port = Number(port)
        return (await fetch(`${this.url}/healthz`).catch(() => null)) && 'up'
      },
      () => `a server of ${this.#version.name} that answers: ${this.#printed}`,
    ).then((state) => state === 'up')
  }

  async start(): Promise<this> {
    assert.ok(await this.tryStart(), `the server of ${this.#version.name} ended: ${this.#printed}`)
    return this
  }

  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    if (this.hasEnded) return
    const gone = new Promise((resolve) => this.#child?.once('exit', resolve))
    this.#child?.kill(signal)
    await gone
  }

  async close(): Promise<void> {
    await this.end()
    rmSync(this.dir, { recursive: true, force: true })
  }

  get ownerToken(): string {
    return (JSON.parse(readFileSync(join(this.data, 'server.json'), 'utf8')) as { token: string }).token
  }

  /** With the token of the owner unless another one is given; null sends none. */
  async ask(method: string, path: string, { body, token = this.ownerToken, headers = {} }: Sent = {}): Promise<Reply> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
    })
    const text = await response.text()
    return { status: response.status, body: parse(text), headers: response.headers }
  }

  /** The same, and it has to succeed: preparation of a probe. */
  async must(method: string, path: string, sent: Sent = {}): Promise<Json> {
    const reply = await this.ask(method, path, sent)
    assert.ok(reply.status < 300, `${this.#version.name}: ${method} ${path} gave ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  /** A token with these scopes and, where roles exist, the role that tokens of 0.1 have. */
  async token(...scopes: string[]): Promise<string> {
    const made = await this.ask('POST', '/v1/tokens', { body: { name: scopes.join(), scopes, role: 'operator' } })
    return (made.status < 300 ? made.body : await this.must('POST', '/v1/tokens', { body: { name: scopes.join(), scopes } })).token
  }

  /** A signed-in browser: its cookie. */
  async signIn(headers: Record<string, string> = {}): Promise<Reply> {
    const { url } = await this.must('POST', '/v1/links', { body: {} })
    return this.ask('POST', '/v1/session', { token: null, body: { key: url.split('#k=')[1] }, headers })
  }

  /** Runs a command of the terminal in the project; `cwd` is relative to it. */
  cli(args: readonly string[], { cwd = '.', env = {} }: { cwd?: string; env?: Record<string, string> } = {}): string {
    const ended = spawnSync(process.execPath, [join(this.#version.root, 'src/cli/main.ts'), ...args], {
      cwd: join(this.dir, cwd),
      env: { ...process.env, NO_COLOR: '1', ...env },
      encoding: 'utf8',
      timeout: 60_000,
    })
    return ended.stdout + ended.stderr
  }

  /** Opens a dialog that begins with this message. */
  async say(text: string, agent?: string): Promise<string> {
    const { id } = await this.must('POST', '/v1/dialogs', { body: agent === undefined ? {} : { agent } })
    await this.must('POST', `/v1/dialogs/${id}/messages`, { body: { text } })
    return id
  }

  async events(stream: string): Promise<readonly Json[]> {
    return (await this.must('GET', `/v1/events?stream=${stream}&limit=1000`)).items
  }

  /** Memory of the process in MB: now, or the most it ever had. */
  memory(field: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  }

  /** Seconds of CPU time that the process has used. */
  cpu(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {} as Json
  }
}

/** Runs `use` with a started server and removes it afterwards. */
export async function withServer<T>(version: Version, options: Options, use: (server: ProbedServer) => Promise<T>): Promise<T> {
  const server = new ProbedServer(version, options)
  try {
    return await use(await server.start())
  } finally {
    await server.close()
  }
}
