/**
 * A plugin that has a say in every turn: set up from parley.yaml, changed while the server runs, and harmless when it is
 * broken. Run it: node_modules/.bin/node examples/plugin-office-hours/main.ts
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { owner, startParley } from '../../src/index.ts'

const dir = mkdtempSync(join(tmpdir(), 'parley-office-'))
const module = fileURLToPath(new URL('plugin.ts', import.meta.url))
const write = (config: string): void =>
  writeFileSync(join(dir, 'parley.yaml'), `plugins:\n  office-hours:\n    module: ${JSON.stringify(module)}\n    config: ${config}\n`)

write('{ opens: 0, closes: 0 }')
const server = await startParley({ dir, port: 0, fast: true })
const me = owner('me')

/** The reply of the receptionist to a greeting. */
async function hello(): Promise<string> {
  const { dialogs, events } = server.parley
  const { id } = await dialogs.open({ agent: 'receptionist', text: 'Hello' }, me)
  for await (const page of events.follow({ stream: id, after: 0 }, AbortSignal.timeout(20_000)))
    for (const { type, data } of page)
      if (type === 'message.said' && (data as { by: { kind: string } }).by.kind === 'agent') return (data as { text: string }).text
  throw new Error('no answer came')
}

const until = async (isSo: () => boolean): Promise<void> => {
  const late = Date.now() + 20_000
  while (!isSo() && Date.now() < late) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.ok(isSo())
}

try {
  assert.deepEqual(server.problems(), [])
  assert.equal(await hello(), 'The office is closed (open from 0 to 0). Visitor number 1.')
  assert.equal(await hello(), 'The office is closed (open from 0 to 0). Visitor number 2.')
  console.log('closed: every turn is told so, and visitors are counted')

  write('{ opens: never, closes: 24 }')
  await until(() => server.problems().length > 0)
  assert.match(server.problems().join(), /plugins\.office-hours: its config does not fit: opens and closes: whole hours/)
  console.log('a setting that makes no sense is a problem in words; the server goes on')

  write('{ opens: 0, closes: 24 }')
  // The receptionist comes back with the plugin; until then there is no agent of that name.
  let welcome: string | null = null
  while (welcome === null) welcome = await hello().catch(() => new Promise<null>((resolve) => setTimeout(() => resolve(null), 50)))
  assert.equal(welcome, 'Welcome, come in.')
  assert.deepEqual(server.problems(), [])
  console.log('open: taken up while the server runs')
} finally {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
}
