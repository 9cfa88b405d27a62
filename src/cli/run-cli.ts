import { CommanderError } from 'commander'
import { exitCode } from './exit-code.ts'
import { UsageError, tellFault } from './fault.ts'
import { Given } from './given.ts'
import { type Chosen, buildProgram } from './program.ts'
import { rows } from './table.ts'
import { type Host, type Manners, processTerminal } from './terminal.ts'
import { version } from './version.ts'

/** `| head -1` closes our stdout early. That is the reader's right, not an error. */
function endQuietlyOnClosedPipe(host: Host): void {
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') host.exit(exitCode.ok)
    throw error
  })
  host.stderr.on('error', () => {})
}

/** Read by eye, because a command line that cannot be parsed still deserves its error in the form it asked for. */
function mannersIn(argv: readonly string[]): Manners {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  return {
    json: own.includes('--json'),
    verbose: own.includes('--verbose'),
    quiet: own.includes('--quiet') || own.includes('-q'),
    color: !own.includes('--no-color'),
  }
}

/** The help page of the command that was meant, as far as it can be told. */
function helpFor(argv: readonly string[]): string {
  const words = argv.filter((word) => !word.startsWith('-'))
  const row = rows.find(({ path }) => path === words.slice(0, 2).join(' ')) ?? rows.find(({ path }) => path === words[0])
  const group = rows.some(({ path }) => path.startsWith(`${words[0]} `)) ? words[0] : undefined
  const page = row?.path ?? group
  return page ? `See: parley ${page} --help` : 'See: parley --help'
}

function usageFrom(error: CommanderError, argv: readonly string[]): UsageError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n')
  const suggestion = rest.join(' ').replace(/^\(|\)$/g, '')
  const sentence = first.charAt(0).toUpperCase() + first.slice(1).replace(/\.?$/, '.')
  return new UsageError(suggestion ? `${sentence} ${suggestion}` : sentence, helpFor(argv))
}

/** Runs one command line and gives its exit code. */
export async function runCli(argv: readonly string[], host: Host = process): Promise<number> {
  endQuietlyOnClosedPipe(host)
  if (argv[0] === 'complete' && argv[1] === '--') {
    const { suggest } = await import('./completion.ts')
    for (const line of suggest(argv.slice(2))) host.stdout.write(`${line}\n`)
    return exitCode.ok
  }

  let chosen: Chosen | undefined
  const program = buildProgram(version, (choice) => (chosen = choice), host.stdout)
  try {
    if (argv.length === 0) {
      const { showStart } = await import('./start-page.ts')
      await showStart(processTerminal({}, host), version)
    } else await program.parseAsync([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return exitCode.ok
    const terminal = processTerminal(mannersIn(argv), host)
    if (error.code !== 'commander.help') return tellFault(terminal, usageFrom(error, argv))
    const group = program.commands.find((command) => command.name() === argv.find((word) => !word.startsWith('-')))
    if (!terminal.json) terminal.warn((group ?? program).helpInformation())
    return tellFault(terminal, new UsageError('This needs a command after it.', helpFor(argv)))
  }
  if (!chosen) return exitCode.ok

  const { row, args, flags } = chosen
  // Menus are drawn by a library that only knows the variables.
  if (flags['color'] === false) Object.assign(host.env, { NO_COLOR: '1', FORCE_COLOR: '0' })
  const terminal = processTerminal(
    {
      json: flags['json'] === true,
      quiet: flags['quiet'] === true,
      verbose: flags['verbose'] === true,
      color: flags['color'] !== false,
      url: typeof flags['url'] === 'string' ? flags['url'] : undefined,
    },
    host,
  )
  // A command that can stop gently listens by itself; for all others Ctrl+C ends it here.
  host.on('SIGINT', () => {
    if (host.listenerCount('SIGINT') === 1) host.exit(exitCode.interrupted)
  })
  // Thrown outside any awaited call, such as in a socket's callback. Reported like any other error, but fatal.
  host.on('uncaughtException', (error) => host.exit(tellFault(terminal, error)))
  try {
    const { run } = await row.load()
    return (await run(terminal, new Given(args, flags))) ?? exitCode.ok
  } catch (error) {
    return tellFault(terminal, error)
  }
}
