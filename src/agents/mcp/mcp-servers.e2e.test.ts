import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { mcpServerSchema, type McpServerConfig } from '../../app/config/mcp-schema.ts'
import { type McpParts, type McpServers, mcpServers } from './mcp-servers.ts'
import { type Behaviour, oddServer } from './test/odd-server.ts'
import { ownerCause } from '../../testing/owner-cause.ts'
import { OutputWithFiles } from '../../ports/tool-output.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'))
const program = fileURLToPath(new URL('./test/odd-server.ts', import.meta.url))

const stdio = (behaviour: string, more: object = {}): McpServerConfig =>
  mcpServerSchema.parse({
    transport: 'stdio',
    command: process.execPath,
    args: [program, behaviour, join(folder, 'pids')],
    startSeconds: 20,
    callSeconds: 20,
    ...more,
  })

const context = {
  dialog: 'd',
  agent: 'a',
  call: 'c',
  taskdoc: null,
  isSide: false,
  cause: ownerCause,
  signal: new AbortController().signal,
}

async function withServers(
  config: Record<string, McpServerConfig>,
  use: (servers: McpServers) => Promise<void>,
  more: Partial<McpParts> = {},
): Promise<void> {
  const servers = mcpServers({ file: join(folder, 'parley.yaml'), reserved: new Set(['read_file']), waitMs: 20_000, ...more })
  try {
    await servers.apply(config)
    await use(servers)
  } finally {
    await servers.close()
  }
}

const names = (servers: McpServers): string[] => servers.tools(['*']).map(({ name }) => name)
const whys = (servers: McpServers): string =>
  servers
    .problems()
    .map(({ path, why }) => `${path}: ${why}`)
    .join('\n')

async function call(servers: McpServers, name: string, input: object = {}, signal?: AbortSignal): Promise<unknown> {
  const tool = servers.tools(['*']).find((one) => one.name === name)
  assert.ok(tool, `${name} is not there: ${whys(servers)}`)
  return tool.run(input, signal ? { ...context, signal } : context)
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the gate of MCP tools', { timeout: 60_000 }, () => {
  it('has server, original name and scalars as its subject; annotations count only where the owner trusts them', async () => {
    const scene = { dialog: 'd', agent: 'a', language: 'en', role: 'owner' } as const
    const readSubject = async (servers: McpServers): Promise<unknown> => {
      const tool = servers.tools(['*']).find(({ name }) => name === 'x_echo')
      const reached = await tool?.gate.subjects?.({ text: 'hi', list: [1] }, scene)
      return reached?.subjects
    }
    const plain = { kind: 'mcp', server: 'odd', tool: 'echo', scalars: { text: 'hi', list: null } }
    await withServers({ odd: stdio('plain', { prefix: 'x_' }) }, async (servers) => {
      assert.equal(JSON.stringify(await readSubject(servers)), JSON.stringify([plain]))
      await servers.apply({ odd: stdio('plain', { prefix: 'x_', trust: 'annotations' }) })
      assert.equal(JSON.stringify(await readSubject(servers)), JSON.stringify([{ ...plain, isReadOnly: true }]))
      assert.equal(servers.tools(['*']).find(({ name }) => name === 'x_echo')?.afterCrash, 'repeat')
    })
  })
})

describe('MCP servers as tools', { timeout: 120_000 }, () => {
  after(() => {
    const pids = readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n').map(Number)
    rmSync(folder, { recursive: true })
    assert.ok(pids.length > 5)
    assert.deepEqual(pids.filter(isAlive), [], 'every server that was started has been ended')
  })

  it('gives the tools of a stdio server, with bounded words for whatever it answers [mcp:stdio]', async () => {
    process.env['ODD_SECRET'] = 'not-for-servers'
    await withServers({ odd: stdio('plain', { env: { GIVEN: 'yes', ALSO: { env: 'ODD_SECRET' } } }) }, async (servers) => {
      assert.equal(whys(servers), '')
      assert.equal(await call(servers, 'echo', { text: 'Grüße 世界' }), 'Grüße 世界')
      await assert.rejects(call(servers, 'fail'), /^Error: it went wrong$/)
      const picture = await call(servers, 'picture')
      assert.ok(picture instanceof OutputWithFiles && picture.files[0]?.bytes.length === 3 && picture.text === '[an image, image/png]')
      assert.match(String(await call(servers, 'long')), /^x{50000}\n\[50000 more characters were omitted\]$/)
      const received = String(await call(servers, 'env')).split(' ')
      assert.deepEqual([received.includes('GIVEN'), received.includes('ALSO'), received.includes('ODD_SECRET')], [true, true, false])
      const [echo, fail] = servers.tools(['odd'])
      assert.deepEqual([echo?.afterCrash, fail?.afterCrash], ['ask', 'ask'], 'annotations of a server that is not trusted')
      assert.deepEqual(echo?.check('text'), { fault: 'it must be one JSON object' })
      const stop = new AbortController()
      const sleeping = call(servers, 'sleep', {}, stop.signal)
      stop.abort(new Error('stopped'))
      await assert.rejects(sleeping, /stopped/)
    })
  })

  it('turns a crash in the middle of a call into a failed call, and starts the server again for the next', async () => {
    await withServers({ odd: stdio('plain') }, async (servers) => {
      await assert.rejects(call(servers, 'crash'), /closed/i)
      assert.match(whys(servers), /mcp\.odd: it cannot be reached: it has ended/)
      assert.equal(await call(servers, 'echo', { text: 'back' }), 'back')
      assert.equal(whys(servers), '')
    })
  })

  it('does not wait for a server that never answers, and ends it all the same', async () => {
    await withServers(
      { mute: stdio('mute'), odd: stdio('plain', { prefix: 'o_' }) },
      async (servers) => {
        await until(() => names(servers).length > 0)
        assert.match(whys(servers), /^mcp\.mute: it has not answered yet\.$/)
        assert.equal(await call(servers, 'o_echo', { text: 'hi' }), 'hi')
      },
      { waitMs: 10 },
    )
    await withServers({ mute: stdio('mute', { startSeconds: 0.3 }) }, async (servers) => {
      assert.match(whys(servers), /^mcp\.mute: it cannot be used: .*(timed out|in time)/)
    })
  })

  it('survives servers that end, talk nonsense or pour [mcp:broken]', async () => {
    const config = {
      gone: stdio('gone'),
      garbage: stdio('garbage', { startSeconds: 2 }),
      flood: stdio('flood', { startSeconds: 2 }),
      missing: stdio('plain', { command: 'no-such-program-of-parley' }),
      loud: stdio('loud'),
    }
    await withServers(config, async (servers) => {
      assert.deepEqual(names(servers), ['echo'])
      for (const name of ['gone', 'garbage', 'flood', 'missing'])
        assert.match(whys(servers), new RegExp(`mcp\\.${name}: it cannot be used: \\S`))
      assert.equal(await call(servers, 'echo', { text: 'still here' }), 'still here')
    })
  })

  it('takes 200 tools, in pages, and only those the lists allow [mcp:lists]', async () => {
    await withServers({ many: stdio('many') }, async (servers) => {
      assert.deepEqual([names(servers).length, whys(servers)], [200, ''])
    })
    await withServers(
      { many: stdio('many', { whitelist: ['tool_1*'], blacklist: ['tool_1?'], prefix: 'a-', suffix: '-z' }) },
      async (servers) => {
        assert.equal(names(servers).length, 101)
        assert.deepEqual(names(servers).slice(0, 2), ['a-tool_1-z', 'a-tool_100-z'])
      },
    )
  })

  it('skips tools with a bad name, a taken one or no usable schema, each with its reason [mcp:names]', async () => {
    await withServers({ odd: stdio('odd'), again: stdio('odd', { whitelist: ['fine'] }) }, async (servers) => {
      assert.deepEqual(names(servers), ['fine'])
      const problems = whys(servers)
      for (const part of [
        '"fine" is skipped: the server offers it twice',
        '"has space"',
        '1 to 64',
        '"tellask" is skipped: the name belongs to Parley',
        '"read_file" is skipped: Parley has one',
        'without a name',
        '"no_schema"',
        '"bad_schema"',
        '"huge_schema"',
        'mcp.again: its tool "fine" is skipped: odd has one',
      ])
        assert.ok(problems.includes(part), `${part} in:\n${problems}`)
    })
  })

  it('follows a list that changes', async () => {
    await withServers({ odd: stdio('changing') }, async (servers) => {
      assert.deepEqual(names(servers), ['first', 'change'])
      assert.equal(await call(servers, 'change'), 'changed')
      await until(() => names(servers).includes('second'))
      assert.deepEqual(names(servers), ['second'])
    })
  })

  it('exchanges only what changed, and keeps the last version that worked [mcp:reload]', async () => {
    const pids = (): string[] => readFileSync(join(folder, 'pids'), 'utf8').trim().split('\n')
    const [a, b] = [stdio('plain', { prefix: 'a_' }), stdio('plain', { prefix: 'b_' })]
    await withServers({ a, b }, async (servers) => {
      const before = pids().length
      await servers.apply({ a, b: stdio('gone', { prefix: 'b_' }) })
      assert.equal(pids().length, before + 1)
      assert.match(whys(servers), /mcp\.b: it cannot be used: .* The last version that worked stays in use\./)
      assert.equal(await call(servers, 'b_echo', { text: 'old' }), 'old')
      await servers.apply({ a, b: stdio('plain', { prefix: 'b_', env: { KEY: { env: 'NOT_SET_ANYWHERE' } } }) })
      assert.match(whys(servers), /mcp\.b: the environment variable NOT_SET_ANYWHERE is not set\. The last version/)
      await servers.apply({ a, b: stdio('plain', { prefix: 'c_' }) })
      assert.equal(whys(servers), '')
      assert.deepEqual([names(servers).includes('c_echo'), names(servers).includes('b_echo')], [true, false])
      await servers.apply({ a })
      assert.ok(names(servers).every((name) => name.startsWith('a_')))
      await assert.rejects(call(servers, 'c_echo'), /is not there/)
    })
  })
})

type Served = { server: HttpServer; url: string; seen: string[]; close(): Promise<void> }

/** A server of one connection over HTTP, as the SDK makes it. */
async function served(behaviour: Behaviour, port = 0): Promise<Served> {
  const received: string[] = []
  const links = new Map<string, StreamableHTTPServerTransport>()
  const server = createServer((request, response) => {
    void (async () => {
      received.push(String(request.headers['x-key']))
      const id = request.headers['mcp-session-id']
      let link = typeof id === 'string' ? links.get(id) : undefined
      if (!link && id !== undefined) return void response.writeHead(404).end()
      if (!link) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => crypto.randomUUID(),
          onsessioninitialized: (given) => void links.set(given, made),
        })
        link = made
        await oddServer(behaviour, () => request.socket.destroy()).connect(made)
      }
      await link.handleRequest(request, response)
    })()
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    server,
    seen: received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('MCP servers over HTTP', { timeout: 60_000 }, () => {
  const http = (url: string): McpServerConfig =>
    mcpServerSchema.parse({ transport: 'streamable_http', url, headers: { 'x-key': { env: 'ODD_KEY' } }, startSeconds: 5, callSeconds: 5 })

  it('are given their headers, called, lost and found again [mcp:http]', async () => {
    const first = await served('plain')
    const env = (): Record<string, string> => ({ ODD_KEY: 'very-secret-key' })
    await withServers(
      { web: http(first.url) },
      async (servers) => {
        assert.equal(await call(servers, 'echo', { text: 'over http' }), 'over http')
        assert.deepEqual([...new Set(first.seen)], ['very-secret-key'])
        await first.close()
        await assert.rejects(call(servers, 'echo', { text: 'gone' }))
        assert.match(whys(servers), /mcp\.web: it cannot be reached/)
        assert.ok(!whys(servers).includes('very-secret-key'))
        const second = await served('plain', Number(new URL(first.url).port))
        try {
          assert.equal(await call(servers, 'echo', { text: 'again' }), 'again')
        } finally {
          await second.close()
        }
      },
      { env },
    )
  })

  it('may be no MCP server at all', async () => {
    const server = createServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(9_000_000)),
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await withServers(
      { web: http(url) },
      async (servers) => {
        assert.deepEqual(names(servers), [])
        assert.match(whys(servers), /mcp\.web: it cannot be used/)
      },
      { env: () => ({ ODD_KEY: 'k' }) },
    )
    server.close()
  })
})
