/**
 * Starts the demo and builds something in it as an AG-UI frontend does. Run it: node_modules/.bin/node examples/ag-ui-client/main.ts
 * With PARLEY_URL and PARLEY_TOKEN it uses the Parley that is there.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startParley } from '../../src/index.ts'
import { build } from './client.ts'

const { PARLEY_URL, PARLEY_TOKEN } = process.env
const lines: string[] = []
let questions = 0

async function buildAt(url: string, token: string): Promise<void> {
  const result = await build(
    url,
    token,
    'Build me a reading-list agent',
    ({ message, responseSchema }) => {
      questions += 1
      // A form would be drawn from the schema; here the first choice is taken.
      const answer = String(responseSchema?.['enum']?.[0] ?? 'Gardening')
      console.log(`? ${message} — ${answer}`)
      return answer
    },
    (line) => {
      lines.push(line)
      console.log(line)
    },
  )
  console.log(result)
}

if (PARLEY_URL !== undefined && PARLEY_TOKEN !== undefined) {
  await buildAt(PARLEY_URL, PARLEY_TOKEN)
} else {
  const dir = mkdtempSync(join(tmpdir(), 'parley-ag-ui-'))
  const server = await startParley({ dir, port: 0, demo: true, fast: true })
  try {
    const { token } = JSON.parse(readFileSync(join(server.dataDir, 'server.json'), 'utf8')) as { token: string }
    await buildAt(server.url, token)
    assert.equal(lines.filter((line) => /^[1-7]\/7 /.test(line)).length, 7, 'all seven steps were shown')
    assert.ok(questions >= 3, 'one question and a set were asked')
  } finally {
    await server.close()
    rmSync(dir, { recursive: true, force: true })
  }
}
