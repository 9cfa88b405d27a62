import type { OpenParts } from '../../../ports/channel-kind.ts'
import type { Inbound } from '../../../ports/channel.ts'
import { connectLimits, type Reader } from '../open-account.ts'
import type { FeishuClient } from './client.ts'
import { toTapAnswer } from './webhook.ts'

/** The first connection; a slower one is reported as a problem. */
export const longConnectionLimits = { connectMs: 30_000 } as const

type LongConnectionParts = Pick<OpenParts, 'take' | 'takeTap' | 'clock' | 'signal'> & {
  client: FeishuClient
  read(report: unknown): Promise<Inbound[]>
  report(problem: string | null): void
}

/** Events over the long connection. Each is acknowledged after it is stored; the answer to a tap has its toast. */
export async function readLongConnection(parts: LongConnectionParts): Promise<{ reader: Reader } | { problem: string }> {
  const { client, read, take, takeTap, clock, signal, report } = parts
  const first = Promise.withResolvers<string | null>()
  let isOpen = false
  let isStopped = false
  let cancelRetry = (): void => {}
  let connection: { stop(): void } | null = null

  async function onEvent(event: unknown): Promise<Record<string, unknown>> {
    const inbounds = await read(event)
    if (inbounds.length === 0) return {}
    if (takeTap && inbounds.some(({ type }) => type === 'tap')) return toTapAnswer(await takeTap(inbounds))
    await take(inbounds)
    return {}
  }

  function connect(): void {
    if (isStopped) return
    connection = client.listen({
      onEvent,
      onState(isConnected) {
        first.resolve(null)
        report(isConnected ? null : 'the long connection was closed. Retrying.')
      },
      onEnd(why) {
        connection?.stop()
        first.resolve(explain(why))
        if (!isOpen) return
        report(explain(why))
        cancelRetry = clock.after(connectLimits.retryMs, connect)
      },
    })
  }

  async function stop(): Promise<void> {
    isStopped = true
    cancelRetry()
    connection?.stop()
  }

  const end = (): void => first.resolve('it was closed')
  signal.addEventListener('abort', end, { once: true })
  const cancelWait = clock.after(longConnectionLimits.connectMs, () => first.resolve(explain('no answer came in time')))
  connect()
  const problem = await first.promise
  signal.removeEventListener('abort', end)
  cancelWait()
  isOpen = problem === null
  if (problem === null) return { reader: { stop } }
  await stop()
  return { problem }
}

const explain = (why: string): string =>
  `the long connection cannot be opened (${why}). Choose it under Events and callbacks, Subscription mode. Retrying.`
