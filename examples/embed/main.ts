/**
 * Starts a whole Parley and talks to it in the three ways of docs/guides/embed.md: curl, a bare WebSocket, the client.
 * Run it: node_modules/.bin/node examples/embed/main.ts
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parleyClient } from '../../src/client/index.ts'
import { startParley } from '../../src/index.ts'
import { talk } from './client.ts'
import { follow } from './live.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-embed-'))
const server = await startParley({ dir, port: 0, demo: true, fast: true })
try {
  const { url, dataDir } = server
  const owner = parleyClient({
    baseUrl: url,
    token: (JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as { token: string }).token,
  })
  const { token } = await owner.tokens.create('embed', ['read', 'chat', 'answer'])

  // Windows has curl, but not always a shell to run the script with.
  if (process.platform !== 'win32') {
    const { stdout } = await promisify(execFile)('bash', [fileURLToPath(new URL('talk.sh', import.meta.url))], {
      env: { ...process.env, PARLEY_URL: url, PARLEY_TOKEN: token },
    })
    assert.match(stdout, /"type":"message\.said"[\s\S]*id: \d+\ndata: [\s\S]*"type":"question\.asked"[\s\S]*"count":1/)
    console.log('curl: opened a dialog, read its events, followed them live, saw what waits')
  }

  // A token is a member unless it is made with another role: it sees what it opened itself.
  const program = parleyClient({ baseUrl: url, token })
  const dialog = await program.dialogs.open({ text: 'Hello' })
  const types = await new Promise<string[]>((resolve) => {
    const all: string[] = []
    const stop = follow(url, token, dialog.id, (event) => {
      assert.equal(event.seq, all.push(event.type), 'no gap, no repeat')
      if (event.type !== 'question.asked') return
      stop()
      resolve(all)
    })
  })
  assert.equal(types[0], 'dialog.opened')
  console.log(`WebSocket: ${types.join(', ')}`)

  assert.equal(await talk(url, token), 'answered')
  console.log('client: asked, answered')
  program.close()
  owner.close()
} finally {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
}
