import { watch } from 'node:fs'
import type { LogLevel } from '../ports/log.ts'
import type { RunningParley, StartOptions } from '../start.ts'
import { allStoppedLine } from './all-stopped.ts'
import { exitCode } from './exit-code.ts'
import { withProgress } from './progress.ts'
import { readSecrets } from './secrets-file.ts'
import type { Terminal } from './terminal.ts'

/** Keys kept by `parley model set` count as if they were in the environment, also those that come while the server runs. */
function useSecrets(dataDir: string, own: ReadonlySet<string>): () => void {
  const load = (): void => {
    for (const [name, value] of Object.entries(readSecrets(dataDir))) if (!own.has(name)) process.env[name] = value
  }
  load()
  try {
    const watcher = watch(dataDir, { persistent: false }, (_, file) => void (file === 'secrets.env' && load()))
    watcher.on('error', () => watcher.close())
    return () => watcher.close()
  } catch {
    return () => {}
  }
}

/** Starts a server, tells about it, and runs it until it is told to stop. */
export async function runServer(
  terminal: Terminal,
  options: Omit<StartOptions, 'log'> & { dataDir: string },
  least: LogLevel,
  tell: (running: RunningParley) => Promise<void>,
): Promise<number> {
  const own = new Set(Object.keys(process.env))
  let forgetSecrets = useSecrets(options.dataDir, own)
  const running = await withProgress(terminal, terminal.words.starting, async () => {
    const [{ startParley }, { operatorLog }] = await Promise.all([import('../start.ts'), import('../server/log.ts')])
    const level = terminal.verbose ? 'debug' : terminal.quiet ? 'error' : least
    const log = operatorLog({ level, isPretty: !terminal.json && terminal.stderr.isTTY, write: (line) => void terminal.stderr.write(line) })
    return startParley({ ...options, log })
  })
  // The data folder exists only now, when this is the first start.
  forgetSecrets()
  forgetSecrets = useSecrets(options.dataDir, own)

  const stopped = Promise.withResolvers<void>()
  let isStopping = false
  const stop = (): void => {
    if (isStopping) process.exit(exitCode.interrupted)
    isStopping = true
    terminal.say('', terminal.words.stoppingServer)
    stopped.resolve()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    await tell(running)
    if (running.alreadyAt !== null) terminal.say(terminal.words.alreadyRuns(running.alreadyAt))
    const emergency = await running.parley.dialogs.emergency()
    if (emergency) terminal.warn(allStoppedLine(terminal, emergency))
    await stopped.promise
  } finally {
    forgetSecrets()
    await running.close()
  }
  terminal.say(terminal.words.stoppedServer)
  return exitCode.ok
}
