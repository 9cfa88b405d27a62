import { lookup as lookUpName } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { isPrivateHost } from '../../shapes/private-host.ts'

type Address = { address: string; family: number }

export type LookUp = (host: string) => Promise<readonly Address[]>

type SendRequest = (url: URL, options: RequestOptions, onResponse: (response: IncomingMessage) => void) => ReturnType<typeof httpsRequest>

const allAddresses: LookUp = (host) => lookUpName(host, { all: true })

/**
 * A GET to a host of the public internet. The name is looked up once, and the connection goes to the addresses of that answer: a
 * name that points into the network of the server, now or at the second look, reaches nothing. Null for such a name.
 */
export async function publicGet(
  url: URL,
  { headers, signal }: { headers: Record<string, string>; signal: AbortSignal },
  { lookUp = allAddresses, send = httpsRequest }: { lookUp?: LookUp; send?: SendRequest } = {},
): Promise<Response | null> {
  const addresses = await lookUp(url.hostname.replace(/^\[|\]$/g, ''))
  const [first] = addresses
  // One private address among public ones is refused too: which of them is taken is not known before.
  if (!first || addresses.some(({ address }) => isPrivateHost(address))) return null
  const lookup: NonNullable<RequestOptions['lookup']> = (_host, options, found) =>
    options.all ? found(null, [...addresses]) : found(null, first.address, first.family)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Without compression, so that the length in the headers is that of the file. No agent: the host of a reused connection was looked up earlier.
    const options: RequestOptions = { headers: { ...headers, 'accept-encoding': 'identity' }, signal, agent: false, lookup }
    send(url, options, resolve).on('error', reject).end()
  })
  const { statusCode: status = 502, headersDistinct } = response
  const kept = new Headers(
    Object.entries(headersDistinct).flatMap(([name, values]) => (values ?? []).map((value) => [name, value] as [string, string])),
  )
  const hasBody = status >= 200 && status !== 204 && status !== 205 && status !== 304
  if (!hasBody) response.resume()
  return new Response(hasBody ? (Readable.toWeb(response) as ReadableStream<Uint8Array>) : null, { status, headers: kept })
}
