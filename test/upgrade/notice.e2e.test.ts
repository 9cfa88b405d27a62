import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { cliFolder } from '../../src/cli/testing/spawned.ts'
import { recordedFolder } from './project.ts'

const notice = /Upgraded from 0\.1: agents now ask before they .* policy\.preset: workspace\. See docs\/guides\/upgrade\.md/g

async function noticesOfServe(folder: ReturnType<typeof cliFolder>): Promise<number> {
  const server = folder.start(['serve', '--port', '0'])
  await server.until(/http:\/\/127\.0\.0\.1:\d+/)
  const { err } = await server.end('SIGTERM')
  return err.match(notice)?.length ?? 0
}

test('serve says at the first start on data of 0.1 that agents ask now, and never again', async () => {
  const folder = cliFolder()
  try {
    const dataDir = join(folder.dir, '.parley')
    mkdirSync(dataDir)
    for (const file of ['parley.db', 'secret']) copyFileSync(join(recordedFolder('v0.1'), file), join(dataDir, file))
    assert.equal(await noticesOfServe(folder), 1)
    assert.equal(await noticesOfServe(folder), 0)
  } finally {
    await folder.close()
  }
})

test('serve says nothing of an upgrade on new data', async () => {
  const folder = cliFolder()
  try {
    assert.equal(await noticesOfServe(folder), 0)
    assert.equal(await noticesOfServe(folder), 0)
  } finally {
    await folder.close()
  }
})
