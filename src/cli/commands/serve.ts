import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import type { RunningParley } from '../../app/serve.ts'
import { banner } from '../banner.ts'
import { UsageError } from '../fault.ts'
import { sayLinkCode } from '../link-code.ts'
import { configFile, listPlaces, shortPath } from '../places.ts'
import { runServer } from '../run-server.ts'
import { signInLinks } from '../sign-in-link.ts'
import type { Terminal } from '../terminal.ts'

export const run: CommandFunction = async (terminal, given) => {
  const { words } = terminal
  const named = given.text('config')
  const config = named === undefined ? configFile(terminal) : resolve(terminal.cwd, named)
  // Without the file, the demo agent would answer and its data would lie beside the typo.
  if (named !== undefined && !existsSync(config))
    throw new UsageError(`There is no file ${config}.`, 'Check the path after --config. Without --config, the nearest parley.yaml is used.')
  const dir = dirname(config)
  const data = given.text('data')
  const dataDir = data === undefined ? (await listPlaces(terminal, config)).data : resolve(terminal.cwd, data)
  if (named === undefined && dir !== resolve(terminal.cwd)) terminal.say(words.configUsed(config))
  const host = given.text('host')
  const port = given.number('port')
  const only = given.text('only') as 'web' | 'worker' | undefined
  return runServer(
    terminal,
    {
      dir,
      dataDir,
      configFile: config,
      ...(host === undefined ? {} : { host }),
      ...(port === undefined ? {} : { port }),
      ...(only === undefined ? {} : { only }),
      moved: given.on('moved'),
      fast: given.on('fast'),
    },
    'info',
    async (running) => {
      if (only === 'worker') return tellWorker(terminal, running)
      const { urls, command, hasKeys } = await signInLinks(terminal, running, { chat: '/' })
      const problems = running.problems()
      const { url, version } = running
      const link = hasKeys ? urls.chat : null
      terminal.result({ url, link, signIn: command, data: running.dataDir, version, pid: process.pid, problems }, () =>
        banner(
          terminal,
          words.serveTitle(running.version),
          [
            { name: words.server, value: running.url, note: words.stopKey },
            link === null ? { name: words.signIn, value: command } : { name: words.chat, value: link, note: words.oneTime },
            { name: words.data, value: shortPath(running.dataDir, terminal.cwd) },
          ],
          ['parley chat', 'parley inbox list', 'parley doctor'],
        ),
      )
      if (link !== null) sayLinkCode(terminal, link)
      if (problems.length > 0 && !terminal.json)
        terminal.warn(...problems.map((problem) => `${terminal.errPaint.yellow('!')} ${problem}`), words.problems(problems.length))
    },
  )
}

/** A worker has no API, so there is no link to sign in. */
async function tellWorker(terminal: Terminal, { url, version, dataDir, problems }: RunningParley): Promise<void> {
  const { words } = terminal
  const rows = [
    { name: words.probes, value: `${url}/readyz`, note: words.stopKey },
    { name: words.data, value: shortPath(dataDir, terminal.cwd) },
  ]
  terminal.result({ url, data: dataDir, version, pid: process.pid, problems: problems() }, () =>
    banner(terminal, words.serveTitle(version), rows, ['parley doctor']),
  )
}
