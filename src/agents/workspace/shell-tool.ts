import { z } from 'zod'
import type { Role } from '../../authority/roles.ts'
import type { Language } from '../../shapes/language.ts'
import { agentTexts } from '../../words/index.ts'
import { ParleyError } from '../../errors.ts'
import type { Tool } from '../../ports/agent-runtime.ts'
import type { Clock } from '../../ports/clock.ts'
import { ToolRefusal } from '../../ports/tool-refusal.ts'
import { withoutTerminalOrders } from '../runtimes/plain-text.ts'
import type { Confinement, Launched, Launcher } from '../sandbox/launcher.ts'
import { exceededTexts } from '../sandbox/resource-watch.ts'
import { defineTool } from '../tool.ts'
import type { DirectoryRules } from './directory-rules.ts'
import { runGate } from './run-gate.ts'

export const shellLimits = { defaultSeconds: 60, longestSeconds: 540, keptChars: 20_000, hosts: 20 } as const

type ShellParts = {
  rules: DirectoryRules
  launcher: Launcher
  confinement: Confinement
  /** False while `sandbox: off`. */
  isSandboxed: boolean
  hasBash(): boolean
  /** Those of the configured hosts that no rule forbids. */
  openHosts?(role: Role): readonly string[]
  clock: Clock
}

const hostName = z.stringFormat('host', /^(?:localhost|[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)*\.[A-Za-z0-9]+)(?::\d{1,5})?$/)

/** A shell in the project's folder, for members whose toolsets name `os`. The sandbox bounds what its programs can do. */
export function shellTool({ rules, launcher, confinement, isSandboxed, hasBash, openHosts, clock }: ShellParts): Tool {
  const hosts = openHosts ?? (() => confinement.hosts)
  return defineTool({
    name: 'run',
    description: 'Run a shell command in the project and wait for its end. Its output is cut in the middle when it is long.',
    input: z.object({
      command: z.string().min(1).max(20_000),
      cwd: z.string().optional().describe("A folder relative to the project's."),
      hosts: z
        .array(hostName)
        .max(shellLimits.hosts)
        .optional()
        .describe('Hosts it has to reach, such as registry.npmjs.org. It reaches no others.'),
      timeout_seconds: z.number().positive().max(shellLimits.longestSeconds).default(shellLimits.defaultSeconds),
    }),
    afterCrash: 'ask',
    gate: runGate({ rules, isSandboxed, hosts, hasHosts: confinement.hosts.length > 0, hasBash }),
    async run(given, { signal, language, cause }) {
      signal.throwIfAborted()
      const cwd = rules.folder(given.cwd ?? '.', language)
      const command = ['bash', '--noprofile', '--norc', '-c', given.command]
      const refusal = agentTexts[language ?? 'en'].noSandbox
      let launched: Launched
      try {
        const granted = { ...confinement, hosts: [...hosts(cause.role), ...(given.hosts ?? []).flatMap(withWebPorts)] }
        launched = await launcher.launch({ command, cwd, variables: {}, stdin: 'ignore', confinement: granted })
      } catch (error) {
        throw error instanceof ParleyError && error.code === 'sandbox_unavailable' ? new ToolRefusal(refusal, { cause: error }) : error
      }
      const { child } = launched
      const ends = keptEnds(shellLimits.keptChars)
      child.stdout.setEncoding('utf8').on('data', ends.add)
      child.stderr.setEncoding('utf8').on('data', ends.add)
      let isLate = false
      const stop = (): void => launched.end()
      const cancelTimeout = clock.after(given.timeout_seconds * 1_000, () => {
        isLate = true
        launched.end()
      })
      signal.addEventListener('abort', stop, { once: true })
      // It may have been stopped while the sandbox was made.
      if (signal.aborted) stop()
      try {
        const { code, killedBy, startFault, sandboxFault, limit } = await launched.ended
        signal.throwIfAborted()
        if (sandboxFault !== undefined) throw new ToolRefusal(refusal, { cause: sandboxFault })
        if (startFault !== null) throw new Error(`bash could not be started: ${startFault}. A person must install bash.`)
        const text = withoutTerminalOrders(ends.text()).toWellFormed()
        const output = text + blockedNote(launched.blockedHosts(), isSandboxed ? text : '', language)
        if (limit) throw new Error(`It was ended because it used ${exceededTexts[limit]}. Until then it said:\n${output}`)
        if (isLate) throw new Error(`It was ended after ${given.timeout_seconds} s. Until then it said:\n${output}`)
        const status = code === null ? `ended by ${killedBy}` : `exit code ${code}`
        if (code !== 0) throw new Error(`${status}\n${output}`)
        return `${status}\n${output}`
      } finally {
        cancelTimeout()
        signal.removeEventListener('abort', stop)
        launched.end()
      }
    },
  })
}

/** The gate decides about the ports of the web where a call names none. */
const withWebPorts = (host: string): string[] => (host.includes(':') ? [host] : [`${host}:80`, `${host}:443`])

/** Without any granted host there is no proxy that could tell; then the words of common programs do. */
const unresolved = [
  /Could not resolve host: ([\w.-]+)/g,
  /(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/g,
  /unable to resolve host address .([\w.-]+)/g,
  /Failed to resolve '([\w.-]+)'/g,
]

function blockedNote(blocked: readonly string[], output: string, language: Language = 'en'): string {
  const mentioned = unresolved.flatMap((words) => [...output.matchAll(words)].map(([, host = '']) => host))
  const hosts = [...new Set([...blocked, ...mentioned])].slice(0, shellLimits.hosts)
  if (hosts.length === 0) return ''
  return `
${agentTexts[language].blockedHosts(hosts)}`
}

/** The beginning and the end of a long output; what lies between is counted. */
function keptEnds(chars: number): { add(text: string): void; text(): string } {
  let head = ''
  let tail = ''
  let dropped = 0
  return {
    add(text) {
      const free = Math.max(0, chars - head.length)
      head += text.slice(0, free)
      tail += text.slice(free)
      if (tail.length > chars) {
        dropped += tail.length - chars
        tail = tail.slice(-chars)
      }
    },
    text: () => (dropped === 0 ? head + tail : `${head}\n[${dropped} characters were omitted]\n${tail}`),
  }
}
