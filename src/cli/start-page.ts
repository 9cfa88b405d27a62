import { existsSync } from 'node:fs'
import { banner, type BannerRow } from './banner.ts'
import { ifServed } from './connect.ts'
import { configFile, shortPath } from './places.ts'
import type { Terminal } from './terminal.ts'

/** `parley` alone: the server of this folder with the number of waiting items, or the ways to start. */
export async function showStart(terminal: Terminal, version: string): Promise<void> {
  const { words, cwd } = terminal
  const { settings, waiting, notRunning, noSettings, waitingCount } = words.startPage
  const served = await ifServed(terminal, async ({ client, found }) => ({ url: found.url, waiting: (await client.inbox()).count }))
  const config = configFile(terminal)
  const hasConfig = existsSync(config)
  const rows: BannerRow[] = [
    { name: words.server, value: served?.url ?? notRunning },
    { name: settings, value: hasConfig ? shortPath(config, cwd) : noSettings },
    ...(served ? [{ name: waiting, value: waitingCount(served.waiting) }] : []),
  ]
  const next = served
    ? ['parley chat', ...(served.waiting > 0 ? ['parley inbox'] : []), 'parley open', 'parley --help']
    : hasConfig
      ? ['parley serve', 'parley doctor', 'parley --help']
      : ['parley demo', 'parley init', 'parley --help']
  terminal.result({ version, ...served }, () => banner(terminal, words.serveTitle(version), rows, next))
}
