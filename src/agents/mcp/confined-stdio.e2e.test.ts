// needs: sandbox
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { mcpServerSchema } from '../../app/config/mcp-schema.ts'
import { configSchema } from '../../app/config/schema.ts'
import { systemClock } from '../../ports/clock.ts'
import { ownerCause } from '../../testing/owner-cause.ts'
import { serverConfinement } from '../sandbox/confinement.ts'
import { sandboxLauncher } from '../sandbox/sandbox.ts'
import { projectProtection } from '../workspace/project-protection.ts'
import { mcpServers } from './mcp-servers.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'parley-mcp-sandbox-')))
mkdirSync(join(root, 'out'))
writeFileSync(join(root, 'parley.yaml'), '')
writeFileSync(join(root, '.env'), 'SECRET=1')
writeFileSync(join(root, 'readme.md'), 'hello')
// Speaks the protocol by hand, so that it needs no package in the sandbox.
writeFileSync(
  join(root, 'server.cjs'),
  `const fs = require('node:fs')
const attempt = (act) => { try { return String(act()) } catch (error) { return error.code } }
const look = () => JSON.stringify({
  readme: attempt(() => fs.readFileSync('readme.md', 'utf8')),
  secret: attempt(() => fs.readFileSync('.env', 'utf8')),
  home: attempt(() => fs.readdirSync(process.env.REAL_HOME)),
  inside: attempt(() => fs.writeFileSync('out/a', 'x')),
  outside: attempt(() => fs.writeFileSync('readme.md', 'x')),
  env: Object.keys(process.env).filter((name) => /KEY/.test(name)).sort(),
})
const schema = { type: 'object' }
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const result = method === 'initialize'
    ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'hand', version: '1' } }
    : method === 'tools/list' ? { tools: [{ name: 'look', inputSchema: schema }] } : { content: [{ type: 'text', text: look() }] }
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})`,
)

describe('an MCP server with sandbox: true', { timeout: 60_000 }, () => {
  const env = { ...process.env, SERVER_KEY: 'of the server', NAMED_KEY: 'named' }
  const launcher = sandboxLauncher({ mode: 'on', env: () => env, clock: systemClock })
  const layout = projectProtection({ file: join(root, 'parley.yaml'), dataDir: join(root, '.parley'), config: configSchema.parse({}) })
  const servers = mcpServers({ file: join(root, 'parley.yaml'), reserved: new Set(), waitMs: 20_000, env: () => env })
  after(async () => {
    await servers.close()
    await launcher.close()
    rmSync(root, { recursive: true })
  })

  it('reads the project without what is hidden, and writes only what is named', async () => {
    const config = mcpServerSchema.parse({
      transport: 'stdio',
      command: process.execPath,
      args: ['server.cjs'],
      env: { NAMED_KEY: { env: 'NAMED_KEY' }, REAL_HOME: process.env['HOME'] ?? '/root' },
      sandbox: true,
      writeDirs: ['out'],
    })
    await servers.apply({ hand: config }, (server, cwd) => ({ launcher, confinement: serverConfinement(cwd, server, layout) }))
    assert.deepEqual(servers.problems(), [])
    const [tool] = servers.tools(['hand'])
    assert.ok(tool)
    assert.deepEqual([tool.gate.kind, tool.gate.server], ['mcp', 'hand'])
    const { signal } = new AbortController()
    const context = { dialog: 'd', agent: 'a', call: 'c', taskdoc: null, isSide: false, cause: ownerCause, signal }
    const report = JSON.parse(String(await tool.run({}, context))) as Record<string, unknown>
    assert.deepEqual(
      { ...report, secret: report['secret'] === 'SECRET=1', home: report['home'] === 'ENOENT' },
      { readme: 'hello', secret: false, home: true, inside: 'undefined', outside: 'EROFS', env: ['NAMED_KEY'] },
    )
    assert.equal(existsSync(join(root, 'out/a')), true)
    assert.equal(readFileSync(join(root, 'readme.md'), 'utf8'), 'hello')
  })

  it('is reported when there is no sandbox to start it in', async () => {
    const other = mcpServers({ file: join(root, 'parley.yaml'), reserved: new Set(), waitMs: 5_000 })
    await other.apply({ hand: mcpServerSchema.parse({ transport: 'stdio', command: 'node', sandbox: true }) })
    assert.match(other.problems()[0]?.why ?? '', /there is no sandbox/)
    await other.close()
  })
})
