import { appendFileSync } from 'node:fs'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

/** A real MCP server whose behaviour is chosen by its first argument. Used by tests, as a child and inside of one. */
export type Behaviour = 'plain' | 'many' | 'odd' | 'changing' | 'loud'

const input = { type: 'object', properties: { text: { type: 'string' } } }
const tool = (name: string, more: object = {}): object => ({ name, description: `Does ${name}.`, inputSchema: input, ...more })

const lists: Record<Behaviour, object[]> = {
  plain: [
    tool('echo', { annotations: { readOnlyHint: true } }),
    tool('fail'),
    tool('picture'),
    tool('crash'),
    tool('sleep'),
    tool('long'),
    tool('env'),
  ],
  many: Array.from({ length: 200 }, (_, index) => tool(`tool_${index}`)),
  odd: [
    tool('fine'),
    tool('fine'),
    tool('has space'),
    tool('x'.repeat(65)),
    tool('tellask'),
    tool('read_file'),
    { description: 'nameless' },
    { name: 'no_schema' },
    tool('bad_schema', { inputSchema: 'text' }),
    tool('huge_schema', { inputSchema: { type: 'object', description: 'x'.repeat(60_000) } }),
  ],
  changing: [tool('first'), tool('change')],
  loud: [tool('echo')],
}

export function oddServer(behaviour: Behaviour, leave: () => void = () => process.exit(3)): Server {
  const server = new Server({ name: 'odd', version: '1' }, { capabilities: { tools: { listChanged: true } } })
  let tools = lists[behaviour]
  // Handlers may return anything; that is the point.
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    if (behaviour !== 'many') return { tools }
    const from = Number(params?.cursor ?? 0)
    return { tools: tools.slice(from, from + 50), ...(from + 50 < tools.length ? { nextCursor: String(from + 50) } : {}) }
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const text = (value: string): { content: object[] } => ({ content: [{ type: 'text', text: value }] })
    switch (params.name) {
      case 'echo':
        return text((params.arguments?.['text'] as string | undefined) ?? '')
      case 'fail':
        return { ...text('it went wrong'), isError: true }
      case 'picture':
        return { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] }
      case 'long':
        return text('x'.repeat(100_000))
      case 'env':
        return text(Object.keys(process.env).join(' '))
      case 'crash':
        leave()
        return new Promise<never>(() => {})
      case 'sleep':
        return new Promise<never>(() => {})
      case 'change':
        tools = [tool('second')]
        await server.sendToolListChanged()
        return text('changed')
      default:
        throw new Error('no such tool')
    }
  })
  return server
}

if (import.meta.main) {
  const [behaviour = 'plain', diary] = process.argv.slice(2)
  if (diary) appendFileSync(diary, `${process.pid}\n`)
  if (behaviour === 'mute') {
    process.stdin.resume()
    process.on('SIGTERM', () => {})
    setInterval(() => {}, 1_000)
  } else if (behaviour === 'gone') process.exit(1)
  else if (behaviour === 'garbage') {
    process.stdout.write('this is no JSON\n{"jsonrpc":"2.0","id":0,"result":7}\n')
    process.stdin.resume()
  } else if (behaviour === 'flood') {
    process.stdin.once('data', () => {
      const pour = (): void => {
        process.stdout.write('x'.repeat(1_000_000), pour)
      }
      pour()
    })
  } else {
    await oddServer(behaviour as Behaviour).connect(new StdioServerTransport())
    if (behaviour === 'loud') process.stdout.write('a line for people\n')
  }
}
