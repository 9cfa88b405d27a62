import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Loaded, loadConfig } from './load.ts'
import { watchConfig } from './watch.ts'

for (const [how, pollMs] of [
  ['as the file system reports it', 60_000],
  ['also where the file system reports nothing', 15],
] as const) {
  it(`a changed configuration is taken over, ${how}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-watch-'))
    const file = join(folder, 'parley.yaml')
    writeFileSync(file, 'server: { port: 1 }\n')
    let next = Promise.withResolvers<Loaded>()
    const stop = watchConfig(file, (loaded) => next.resolve(loaded), { initial: loadConfig(file), debounceMs: 5, pollMs })
    const after = async (change: () => void): Promise<Loaded> => {
      next = Promise.withResolvers()
      change()
      return next.promise
    }
    try {
      assert.equal((await after(() => writeFileSync(file, 'server: { port: 2 }\n'))).config.server.port, 2)

      // As editors and setInConfig do it: another file takes the name.
      const replaced = await after(() => {
        writeFileSync(`${file}.new`, 'server: { port: 3 }\n')
        renameSync(`${file}.new`, file)
      })
      assert.equal(replaced.config.server.port, 3)

      const broken = await after(() => writeFileSync(file, 'server: {'))
      assert.equal(broken.config.server.port, 3)
      assert.match(broken.problems[0]?.why ?? '', /line 1.*The last good version stays in use/)

      const removed = await after(() => rmSync(file))
      assert.deepEqual([removed.config.server.port, removed.problems.length], [3, 1])

      assert.equal((await after(() => writeFileSync(file, 'server: { port: 4 }\n'))).config.server.port, 4)
    } finally {
      stop()
      rmSync(folder, { recursive: true })
    }
  })
}

it('a configuration that is just being written is not taken over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-watch-'))
  const file = join(folder, 'parley.yaml')
  writeFileSync(file, 'server: { port: 1 }\n')
  const ports: (number | undefined)[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const onChange = ({ config }: Loaded): void => {
    ports.push(config.server.port)
    if (config.server.port === 2) resolve()
  }
  const stop = watchConfig(file, onChange, { initial: loadConfig(file), debounceMs: 100, pollMs: 5 })
  try {
    writeFileSync(file, '')
    await pause(120)
    writeFileSync(file, 'server: { port: 2 }\n')
    await promise
    assert.deepEqual(ports, [2])
  } finally {
    stop()
    rmSync(folder, { recursive: true })
  }
})
