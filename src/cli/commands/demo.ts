import { resolve } from 'node:path'
import type { CommandFunction } from '../command-row.ts'
import { banner } from '../banner.ts'
import { openInBrowser } from '../open-browser.ts'
import { shortPath } from '../places.ts'
import { runServer } from '../run-server.ts'
import { signInLinks } from '../sign-in-link.ts'

/** Time before each line of the story of two households. */
const worldsPaceMs = 2_500

export const run: CommandFunction = async (terminal, given) => {
  if (given.on('worlds')) {
    const { playWorlds } = await import('../../app/demo/play-worlds.ts')
    const lines: string[] = []
    const print = (line: string): void => void (terminal.json ? lines.push(line) : terminal.result(null, () => line))
    await playWorlds(terminal.words.language, print, given.on('fast') ? 0 : worldsPaceMs)
    if (terminal.json) terminal.result({ lines }, () => lines)
    return 0
  }
  const dataDir = resolve(terminal.cwd, given.text('data') ?? terminal.env['PARLEY_DATA'] ?? '.parley')
  const port = given.number('port') ?? 4700
  const { words } = terminal
  return runServer(
    terminal,
    { dir: terminal.cwd, dataDir, port, nextFreePort: true, demo: true, fast: given.on('fast') },
    'warn',
    async (running) => {
      const { urls, command, hasKeys } = await signInLinks(terminal, running, { chat: '/c/demo', build: '/b', operator: '/o' })
      const { chat, build, operator } = urls
      const { url, version } = running
      terminal.result({ url, chat, build, operator, signIn: command, data: running.dataDir, version, pid: process.pid }, () =>
        banner(
          terminal,
          running.isScripted ? words.demoTitle(version, 'Ada') : words.serveTitle(version),
          [
            ...(hasKeys ? [] : [{ name: words.signIn, value: command }]),
            { name: words.chat, value: chat, ...(hasKeys && { note: words.oneTime }) },
            { name: words.build, value: build },
            { name: words.operator, value: operator },
            { name: words.data, value: words.startOver(shortPath(running.dataDir, terminal.cwd)), note: words.stopKey },
          ],
          given.on('build')
            ? ['parley builds start "A reading-list agent"', 'parley builds list', 'parley builds show last']
            : ['parley chat', 'parley inbox list', 'parley model set'],
        ),
      )
      if (port !== 0 && new URL(url).port !== String(port)) terminal.say(words.portMoved(port, url))
      if (!given.off('open') && terminal.interactive && hasKeys) await openInBrowser(given.on('build') ? build : chat, terminal.env)
    },
  )
}
