import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Confinement, Launched, Launcher } from '../sandbox/launcher.ts'
import { mcpLimits } from './offered-tool.ts'

/** Launcher and confinement for a server with `sandbox: true`. */
export type Confined = { launcher: Launcher; confinement: Confinement }

type Program = { command: string; args: readonly string[]; env: Record<string, string>; cwd: string; confined: Confined }

/** The transport of the SDK for a program, but started by the sandbox. What it writes to stderr is dropped. */
export async function confinedStdio({ command, args, env, cwd, confined }: Program): Promise<object> {
  const { ReadBuffer, serializeMessage } = await import('@modelcontextprotocol/sdk/shared/stdio.js')
  const read = new ReadBuffer()
  let launched: Launched | null = null
  let unread = 0

  const take = (chunk: Buffer): void => {
    const lineEnd = chunk.lastIndexOf(10)
    unread = lineEnd === -1 ? unread + chunk.length : chunk.length - lineEnd - 1
    if (Math.max(unread, chunk.length) > mcpLimits.messageBytes) {
      transport.onerror?.(new Error(`it sent more than ${mcpLimits.messageBytes} bytes at once`))
      launched?.end()
      return
    }
    read.append(chunk)
    for (;;) {
      try {
        const message = read.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (error) {
        transport.onerror?.(error as Error)
      }
    }
  }

  const transport = {
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: Error) => void) | undefined,
    onmessage: undefined as ((message: JSONRPCMessage) => void) | undefined,
    async start(): Promise<void> {
      const { launcher, confinement } = confined
      const started = await launcher.launch({ command: [command, ...args], cwd, variables: env, stdin: 'pipe', confinement })
      launched = started
      started.child.stdout.on('data', take)
      started.child.stderr.resume()
      // A program may end before it has read what it was sent.
      started.child.stdin?.on('error', () => {})
      void started.ended.then(({ startFault, sandboxFault }) => {
        const why = sandboxFault ?? startFault
        if (why) transport.onerror?.(new Error(why))
        transport.onclose?.()
      })
    },
    async send(message: JSONRPCMessage): Promise<void> {
      const stdin = launched?.child.stdin
      if (!stdin?.writable) throw new Error('it has ended')
      if (!stdin.write(serializeMessage(message))) await new Promise<void>((resolve) => stdin.once('drain', resolve).once('close', resolve))
    },
    async close(): Promise<void> {
      launched?.end()
      await launched?.ended
      read.clear()
    },
  }
  return transport
}
