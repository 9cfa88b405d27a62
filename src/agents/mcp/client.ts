import { z } from 'zod'
import { boundedFetch } from './bounded-fetch.ts'
import { type Confined, confinedStdio } from './confined-stdio.ts'
import { mcpLimits } from './offered-tool.ts'

/** One open connection to a server. */
export type McpClient = {
  /** The server's list as it is, all pages of it. */
  list(timeoutMs: number): Promise<unknown[]>
  call(name: string, input: Record<string, unknown>, options: { signal: AbortSignal; timeoutMs: number }): Promise<Record<string, unknown>>
  /** Ends the connection, and the process of a stdio server. */
  close(): Promise<void>
}

/** A server with its secrets filled in: nothing of it is shown or logged. */
export type McpAddress =
  | { transport: 'stdio'; command: string; args: readonly string[]; env: Record<string, string>; cwd: string; confined: Confined | null }
  | { transport: 'streamable_http'; url: string; headers: Record<string, string> }

type Listeners = { onListChanged(): void; onClosed(): void }

// Looser than the protocol: one odd tool or part must not make the whole list or result unreadable.
const listed = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() })
const called = z.looseObject({})

/** Connects and says hello. Rejects when that does not happen in time; nothing is left running then. */
export async function connect(address: McpAddress, timeoutMs: number, listeners: Listeners, off: AbortSignal): Promise<McpClient> {
  // Loaded here and now: a Parley without MCP servers never pays for it.
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const { ToolListChangedNotificationSchema } = await import('@modelcontextprotocol/sdk/types.js')
  const client = new Client({ name: 'parley', version: '1' }, { capabilities: {} })
  const transport = await transportFor(address)
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => listeners.onListChanged())
  // Protocol noise of a server is ignored; a fault that matters fails a request.
  client.onerror = () => {}
  client.onclose = () => listeners.onClosed()
  const stop = (): void => void closed(client)
  off.addEventListener('abort', stop, { once: true })
  try {
    off.throwIfAborted()
    // The SDK's type of a transport and its own class disagree under exactOptionalPropertyTypes.
    await inTime(client.connect(transport as Parameters<typeof client.connect>[0], { timeout: timeoutMs }), timeoutMs + 500)
  } catch (error) {
    await closed(client)
    throw error
  } finally {
    off.removeEventListener('abort', stop)
  }
  return {
    async list(listTimeoutMs) {
      const tools: unknown[] = []
      let cursor: string | undefined
      for (let page = 0; page < mcpLimits.listPages; page += 1) {
        const params = cursor === undefined ? {} : { cursor }
        const reply = await client.request({ method: 'tools/list', params }, listed, { timeout: listTimeoutMs })
        tools.push(...reply.tools)
        cursor = reply.nextCursor
        if (cursor === undefined || cursor === '' || tools.length > mcpLimits.toolsPerServer * 2) break
      }
      return tools
    },
    call: (name, input, { signal, timeoutMs: callTimeoutMs }) =>
      client.request({ method: 'tools/call', params: { name, arguments: input } }, called, { signal, timeout: callTimeoutMs }),
    close: () => closed(client),
  }
}

async function transportFor(address: McpAddress): Promise<object> {
  if (address.transport === 'stdio' && address.confined) return confinedStdio({ ...address, confined: address.confined })
  if (address.transport === 'stdio') {
    const { StdioClientTransport, getDefaultEnvironment } = await import('@modelcontextprotocol/sdk/client/stdio.js')
    const { command, args, cwd } = address
    return new StdioClientTransport({
      command,
      args: [...args],
      cwd,
      env: { ...getDefaultEnvironment(), ...address.env },
      // Stderr of a server may contain its secrets, and nothing here needs it.
      stderr: 'ignore',
      maxBufferSize: mcpLimits.messageBytes,
    })
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  return new StreamableHTTPClientTransport(new URL(address.url), {
    requestInit: { headers: address.headers },
    fetch: boundedFetch(mcpLimits.messageBytes),
  })
}

async function closed(client: { close(): Promise<void> }): Promise<void> {
  await inTime(client.close(), mcpLimits.closeMs).catch(() => {})
}

/** A promise whose rejection is ignored. */
async function inTime<Value>(wanted: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      wanted,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('it did not answer in time')), timeoutMs)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
