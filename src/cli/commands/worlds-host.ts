import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { banner } from '../banner.ts'
import { exitCode } from '../exit-code.ts'
import type { Given } from '../given.ts'
import { shortPath } from '../places.ts'
import { findStorePlace } from '../store-place.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { version } from '../version.ts'

const graceMs = 5_000

export async function run(terminal: Terminal, given: Given): Promise<number> {
  const { words } = terminal
  const dataDir = resolve(terminal.cwd, given.text('data') ?? '.parley-worlds')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const [{ startWorldHost }, { readHostOrigin }, { describePlace, openStoreAt }, { operatorLog }] = await Promise.all([
    import('../../app/world-host.ts'),
    import('../../app/joined-host.ts'),
    import('../../app/store-place.ts'),
    import('../../server/log.ts'),
  ])
  const address = given.text('store')
  const place = address === undefined ? { folder: dataDir } : await findStorePlace(terminal, address)
  const level = terminal.verbose ? 'debug' : terminal.quiet ? 'error' : 'info'
  const log = operatorLog({ level, isPretty: !terminal.json && terminal.stderr.isTTY, write: (line) => void terminal.stderr.write(line) })
  const publicUrl = given.text('public-url')
  const store = await openStoreAt(place, log)
  const host = await startWorldHost({
    store,
    dataDir,
    log,
    hostname: given.text('host') ?? '127.0.0.1',
    port: given.number('port') ?? 8790,
    publicUrl: publicUrl === undefined ? undefined : readHostOrigin(publicUrl),
    isA2aOn: !given.off('a2a'),
    version,
  })
  const { url, publicKey } = host
  terminal.result({ url, publicKey, data: dataDir, pid: process.pid }, () =>
    banner(
      terminal,
      words.wire.hostTitle(version),
      [
        { name: words.wire.address, value: url, note: words.stopKey },
        { name: words.wire.hostKey, value: publicKey },
        { name: words.data, value: 'url' in place ? describePlace(place) : shortPath(place.folder, terminal.cwd) },
      ],
      [`parley worlds join ${url}`],
    ),
  )
  try {
    await untilInterrupted(terminal, new Promise<number>((resolved) => void process.once('SIGTERM', () => resolved(exitCode.ok))))
  } finally {
    await host.stop(graceMs)
    await store.close()
  }
  return exitCode.ok
}
