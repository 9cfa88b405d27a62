import type { IncomingMessage } from 'node:http'
import { connectionCut, httpSend, httpTarget } from './http-post.ts'

/**
 * Just the part of `fetch` a model's SDK needs: one body there, a stream back. The whole of `fetch` took 0.34 ms of CPU
 * for each call where `node:http` takes 0.11.
 *
 * Redirects are not followed: one to another host would take the key with it.
 */
export const leanFetch: typeof fetch = async (address, init) => {
  const signal = init?.signal ?? undefined
  const url = new URL(typeof address === 'string' || address instanceof URL ? address : address.url)
  const body = typeof init?.body === 'string' ? init.body : undefined
  const headers = {
    ...(init?.headers as Record<string, string> | undefined),
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const response = await httpSend(httpTarget(url), { method: init?.method ?? 'GET', headers, body, signal })
  return new Response(toStream(response, signal), {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    headers: listHeaders(response),
  })
}

function listHeaders({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) pairs.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? ''])
  return pairs
}

function toStream(response: IncomingMessage, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  let open = true
  const once = (act: () => void): void => {
    if (open) act()
    open = false
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const fail = (error: unknown): void => once(() => controller.error(signal?.aborted ? signal.reason : error))
        response.on('data', (chunk: Buffer) => {
          if (!open) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 1) <= 0) response.pause()
        })
        response.on('end', () => once(() => controller.close()))
        response.on('error', fail)
        response.on('close', () => {
          if (open) fail(connectionCut())
        })
      },
      pull: () => void response.resume(),
      cancel: () => once(() => response.destroy()),
    },
    // A few chunks ahead: stopping and starting the socket for each of them costs more than keeping them.
    { highWaterMark: 16 },
  )
}
