import type { HostOperation, HostResult } from '../../ports/worlds.ts'
import type { Clock } from '../../ports/clock.ts'
import { errorMessage, type Refusal } from '../../errors.ts'
import type { Identity } from '../keys/identity-file.ts'
import { unreachable } from './member-connection.ts'
import { makeProof, requestNonce } from './proofs.ts'
import type { WireLimits } from './wire-limits.ts'

export const proofHeader = 'parley-proof'

type Answer = { result: unknown } | { error: Refusal }

type Parts = { host: string; clock: Clock; limits: WireLimits; fetchImpl?: typeof fetch }

/** One signed request for one call. The answer of another server is not an answer: redirects are errors. */
export function httpCalls({ host, clock, limits, fetchImpl = fetch }: Parts) {
  return async (identity: Identity, name: HostOperation, input: unknown): Promise<HostResult<unknown>> => {
    const body = JSON.stringify({ input })
    const proof = await makeProof(identity, host, requestNonce(name, body), clock.now())
    let status: number
    let answer: Answer
    try {
      const response = await fetchImpl(`${host}/v1/worlds-host/${name}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', [proofHeader]: Buffer.from(JSON.stringify(proof)).toString('base64url') },
        redirect: 'error',
        signal: AbortSignal.timeout(limits.httpMs),
      })
      status = response.status
      answer = JSON.parse(await readText(response, limits.hostFrameBytes)) as Answer
    } catch (error) {
      throw unreachable(host, errorMessage(error))
    }
    if ('result' in answer) return { ok: true, value: answer.result }
    if (status >= 500 || status === 429 || typeof answer.error?.code !== 'string') throw unreachable(host, `status ${status}`)
    return { ok: false, refusal: { code: answer.error.code, details: answer.error.details ?? {} } }
  }
}

async function readText(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > most) throw new Error(`the answer has more than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
