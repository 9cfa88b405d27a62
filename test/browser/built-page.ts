import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { buildId } from '../../web/page-build.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const lock = join(project, 'dist/.building-page')

/** An old page would pass or fail for reasons that are no longer in the sources: it is built anew, by one of the test files at a time. */
export async function builtPage(): Promise<void> {
  for (let tries = 0; builtId() !== buildId(project); tries += 1) {
    assert.ok(tries < 600, `the page does not get built; if no build is running, remove ${lock}`)
    if (!takeLock()) {
      await pause(200)
      continue
    }
    try {
      const done = spawnSync(
        process.execPath,
        [join(project, 'node_modules/vite/bin/vite.js'), 'build', '-c', 'web/vite.config.ts', 'web'],
        { cwd: project, encoding: 'utf8' },
      )
      assert.equal(done.status, 0, done.stderr)
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

function builtId(): string {
  try {
    return (JSON.parse(readFileSync(join(project, 'dist/web/build.json'), 'utf8')) as { build: string }).build
  } catch {
    return 'none'
  }
}

function takeLock(): boolean {
  mkdirSync(join(project, 'dist'), { recursive: true })
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
