import pc from 'picocolors'
import type { Language } from '../shapes/language.ts'
import { asTypedHere } from './command-name.ts'
import { getLanguage } from './language.ts'
import { readableTimes } from './readable-times.ts'
import type { TerminalWords } from '../words/en/terminal.ts'
import { terminalWords } from '../words/index.ts'

export type Paint = ReturnType<typeof pc.createColors>

/** The process that a command runs in. */
export type Host = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr' | 'cwd' | 'exit' | 'on' | 'off' | 'listenerCount'>

export type Manners = { json?: boolean; quiet?: boolean; verbose?: boolean; color?: boolean; url?: string | undefined }

/** Where a command speaks. Results go to stdout and nothing else does: `| jq` must always work. */
export type Terminal = {
  readonly words: TerminalWords
  readonly language: Language
  readonly json: boolean
  readonly quiet: boolean
  readonly verbose: boolean
  /** A person can be asked: stdin and stderr are a terminal, and --json is not set. */
  readonly interactive: boolean
  /** stderr is a terminal that may be redrawn. */
  readonly live: boolean
  readonly width: number
  readonly url: string | undefined
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  /** Colours of stdout, and of stderr. */
  readonly paint: Paint
  readonly errPaint: Paint
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
  /** The one result of a command. */
  result(document: unknown, human: () => string | readonly string[]): void
  /** One of several results, as they come: a line of JSON, or lines for a person. */
  item(document: unknown, human: () => string | readonly string[]): void
  /** Talk: progress, next steps, courtesies. */
  say(...lines: string[]): void
  /** Said even when quiet. */
  warn(...lines: string[]): void
  detail(...lines: string[]): void
  /** Takes over Ctrl+C until the returned function is called. Otherwise it ends the command with 130. */
  onInterrupt(act: () => void): () => void
}

function wantsColor(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv, manners: Manners): boolean {
  if (manners.json || manners.color === false) return false
  const force = env['FORCE_COLOR']
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  if (env['NO_COLOR']) return false
  return stream.isTTY === true && env['TERM'] !== 'dumb'
}

const toLines = (human: string | readonly string[]): string => {
  const text = typeof human === 'string' ? human : human.join('\n')
  return text === '' ? '' : `${text}\n`
}

export function processTerminal(manners: Manners, host: Host): Terminal {
  const { env, stdin, stdout, stderr } = host
  const json = manners.json === true
  const language = getLanguage(env)
  const quiet = manners.quiet === true
  const write = (document: unknown, human: () => string | readonly string[]): void => {
    stdout.write(json ? `${JSON.stringify(document, readableTimes)}\n` : toLines(human()))
  }
  const warn = (...lines: string[]): void => void stderr.write(asTypedHere(toLines(lines)))
  return {
    words: terminalWords[language],
    language,
    json,
    quiet,
    verbose: manners.verbose === true,
    interactive: !json && stdin.isTTY === true && stderr.isTTY === true,
    live: stderr.isTTY === true && !json && !quiet && env['TERM'] !== 'dumb',
    // Piped output is not cut: its reader needs all of it.
    get width() {
      return stdout.isTTY ? Math.max(stdout.columns || 80, 40) : 10_000
    },
    url: manners.url,
    env,
    cwd: host.cwd(),
    paint: pc.createColors(wantsColor(stdout, env, manners)),
    errPaint: pc.createColors(wantsColor(stderr, env, manners)),
    stdin,
    stdout,
    stderr,
    result: write,
    item: write,
    say: quiet ? () => {} : warn,
    warn,
    detail: manners.verbose === true ? warn : () => {},
    onInterrupt(act) {
      host.on('SIGINT', act)
      return () => void host.off('SIGINT', act)
    },
  }
}
