import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import { findModule } from '../host/find-module.ts'
import { guardFor, toWords } from '../host/guard.ts'
import { listOffers } from '../host/load-plugins.ts'
import { configFor, readPlugin, setUp } from '../host/set-up.ts'
import { memoryHost } from './memory-host.ts'

/** Longer than a set-up may take; whatever is still busy then will be busy in the server as well. */
export const checkLimits = { checkMs: 20_000, outputChars: 2_000 } as const

export type CheckRequest = {
  /** Its name in parley.yaml, where it has one already. */
  name: string
  module: string | undefined
  config: Record<string, unknown>
  configFile: string
  dataDir: string
}

export type Checked =
  | {
      ok: true
      name: string
      version: string
      about: string
      offers: string[]
      defaults: Record<string, unknown>
      config: Record<string, unknown>
      /** Loaded, but its settings do not fit: it needs to be told something. */
      configFault: string | null
    }
  | { ok: false; fault: string }

/** Loads a plugin in a process of its own, where it can do no harm to this one, and says what it offers or what is wrong. */
export function checkPlugin(request: CheckRequest, limitMs: number = checkLimits.checkMs): Promise<Checked> {
  const { PATH, HOME, TMPDIR, LANG } = process.env
  const child = fork(fileURLToPath(import.meta.url), ['check'], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // No secrets: the code is not trusted yet.
    env: Object.fromEntries(Object.entries({ PATH, HOME, TMPDIR, LANG, NODE_NO_WARNINGS: '1' }).filter(([, value]) => value !== undefined)),
  })
  return new Promise((resolve) => {
    let output = ''
    let isOver = false
    const end = (checked: Checked): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      child.kill('SIGKILL')
      resolve(checked)
    }
    const timer = setTimeout(() => end({ ok: false, fault: `it was still busy after ${limitMs / 1_000} s` }), limitMs)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-checkLimits.outputChars)))
    child.on('message', (checked) => end(checked as Checked))
    child.on('error', (error) => end({ ok: false, fault: toWords(error) }))
    child.on('close', (code) => end({ ok: false, fault: `it ended the process (${code ?? 'killed'})${lastWords(output)}` }))
    child.send(request)
  })
}

const lastWords = (said: string): string => {
  const line = said.split('\n').findLast((one) => /^\w*Error\b/.test(one)) ?? said.trim().split('\n', 1)[0] ?? ''
  return line === '' ? '' : `: ${line}`
}

async function check({ name, module, config, configFile, dataDir }: CheckRequest): Promise<Checked> {
  const guard = guardFor(name, { clock: systemClock, log: silentLog })
  const match = findModule(name, module, { configFile, dataDir })
  if ('fault' in match) return { ok: false, fault: match.fault }
  try {
    const read = readPlugin(await match.load())
    if ('fault' in read) return { ok: false, fault: read.fault }
    const { plugin } = read
    const outcome = await setUp(plugin, config, memoryHost(), guard)
    const about = {
      name: plugin.name,
      version: plugin.version,
      about: plugin.about,
      defaults: plugin.defaults ?? {},
      config: configFor(plugin, config),
    }
    if ('parts' in outcome) return { ok: true, ...about, offers: listOffers(outcome.parts), configFault: null }
    return 'isConfig' in outcome ? { ok: true, ...about, offers: [], configFault: outcome.fault } : { ok: false, fault: outcome.fault }
  } catch (error) {
    return { ok: false, fault: `it cannot be loaded: ${toWords(error)}` }
  }
}

// In the process of its own.
if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'check')
  process.once('message', (request) => {
    void check(request as CheckRequest).then((checked) => process.send?.(checked))
  })
