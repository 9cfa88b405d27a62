import type { LogLevel } from '../ports/log.ts'
import type { RunningParley, StartOptions } from '../app/serve.ts'
import { allStoppedLine } from './all-stopped.ts'
import { exitCode } from './exit-code.ts'
import { boundHeapGrowth } from './heap-growth.ts'
import { withProgress } from './progress.ts'
import { withSecrets } from '../app/config/secrets-file.ts'
import type { Terminal } from './terminal.ts'

/** Starts a server, tells about it, and runs it until it is told to stop. */
export async function runServer(
  terminal: Terminal,
  options: Omit<StartOptions, 'log' | 'env'> & { dataDir: string },
  least: LogLevel,
  tell: (running: RunningParley) => Promise<void>,
): Promise<number> {
  // Read each time, so that a key that `parley model set` keeps while the server runs counts. Never put into process.env:
  // every program that the server starts could read it there.
  const env = (): NodeJS.ProcessEnv => withSecrets(process.env, options.dataDir)
  boundHeapGrowth()
  let note = (_message: string): void => {}
  const running = await withProgress(terminal, terminal.words.starting, async () => {
    const [{ startParley }, { operatorLog }, { logFile }] = await Promise.all([
      import('../app/serve.ts'),
      import('../server/log.ts'),
      import('../server/log-file.ts'),
    ])
    const level = terminal.verbose ? 'debug' : terminal.quiet ? 'error' : least
    const record = logFile(options.dataDir)
    note = (message) => record(`${JSON.stringify({ pid: process.pid, time: new Date().toISOString(), level: 'info', message })}\n`)
    const log = operatorLog({
      level,
      isPretty: !terminal.json && terminal.stderr.isTTY,
      write: (line) => void terminal.stderr.write(line),
      record,
    })
    return startParley({ ...options, env, log })
  })
  note(`server started at ${running.url}`)
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
    if (await running.takeUpgradeNotice()) terminal.say(terminal.words.upgraded)
    const emergency = await running.parley.dialogs.emergency()
    if (emergency) terminal.warn(allStoppedLine(terminal, emergency))
    await stopped.promise
  } finally {
    await running.close()
    note('server stopped')
  }
  terminal.say(terminal.words.stoppedServer)
  return exitCode.ok
}
