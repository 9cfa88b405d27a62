import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ToolRun = { name: string; input: Record<string, unknown> }

export type ToolServer = { readonly url: string; readonly runs: ToolRun[]; close(): Promise<void> }

type Rpc = {
  id?: number | string
  method: string
  params?: { name: string; arguments?: Record<string, unknown>; protocolVersion?: string }
}

const names = ['search', 'grep', 'send_mail'] as const

/** Tools that live outside of the server and note every run: a server that is killed cannot hide one. */
export async function toolServer(): Promise<ToolServer> {
  const runs: ToolRun[] = []
  const answer = ({ method, params }: Rpc): object => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: params?.protocolVersion ?? '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'replays', version: '1' },
        }
      case 'tools/list':
        return {
          tools: names.map((name) => ({
            name,
            description: `The tool ${name}.`,
            inputSchema: { type: 'object', properties: {} },
            annotations: { readOnlyHint: true, idempotentHint: true },
          })),
        }
      case 'tools/call': {
        const run = { name: params?.name ?? '', input: params?.arguments ?? {} }
        runs.push(run)
        return { content: [{ type: 'text', text: `${run.name} found 42` }] }
      }
      default:
        return {}
    }
  }
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const rpc = JSON.parse(text) as Rpc
      if (rpc.id === undefined) return void response.writeHead(202).end()
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, result: answer(rpc) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    runs,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
