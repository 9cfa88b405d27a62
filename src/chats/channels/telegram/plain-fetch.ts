import { type Agent as HttpAgent, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'

/**
 * Just the part of `fetch` that grammY needs: a body there, a JSON document back. What grammY brings along for this took
 * more CPU than all else that is done for a message.
 *
 * Redirects are not followed: one to another host would take the token with it.
 */
export function plainFetch(agent: HttpAgent): typeof fetch {
  const send = (address: string, init: RequestInit & { body?: unknown }): Promise<{ status: number; text: string }> => {
    const url = new URL(address)
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest
    const body = init.body
    const headers: Record<string, string> = { ...(init.headers as Record<string, string>) }
    if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body))
    // A stale connection fails in the middle of a request, and it is then unknown whether the request arrived.
    delete headers['connection']
    return new Promise((resolve, reject) => {
      const signal = init.signal as AbortSignal | undefined
      const call = request(url, { method: init.method ?? 'GET', headers, agent }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => finish(() => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') })))
        response.on('error', (error) => finish(() => reject(error)))
        response.on('close', () => finish(() => reject(Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' }))))
      })
      const abort = (): void => void call.destroy(Object.assign(new Error('the request was given up'), { code: 'ABORT_ERR' }))
      const finish = (act: () => void): void => {
        signal?.removeEventListener('abort', abort)
        act()
      }
      call.on('error', (error) => finish(() => reject(error)))
      if (signal?.aborted) abort()
      else signal?.addEventListener('abort', abort)
      if (body instanceof Readable) body.on('error', (error) => call.destroy(error)).pipe(call)
      else call.end(typeof body === 'string' ? body : undefined)
    })
  }
  const answer = async (address: unknown, init: unknown): Promise<object> => {
    const { status, text } = await send(String(address), init as RequestInit)
    return { ok: status >= 200 && status < 300, status, json: async () => JSON.parse(text) as unknown, text: async () => text }
  }
  return answer as unknown as typeof fetch
}
