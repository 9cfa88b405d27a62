import { isTransient, withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { inboxKey, inboxLines } from '../inbox-words.ts'
import { connectionTalk } from '../live-talk.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'

export async function run(terminal: Terminal, _given: Given): Promise<number> {
  const { words, paint } = terminal
  return withServer(terminal, async (connection) => {
    const { promise, reject } = Promise.withResolvers<number>()
    const notifiedIds = new Set<string>()
    let looking: Promise<void> | null = null
    let again = false

    const look = async (): Promise<void> => {
      const { items } = await connection.client.inbox()
      for (const item of items) {
        const key = inboxKey(item)
        if (notifiedIds.has(key)) continue
        notifiedIds.add(key)
        terminal.item(item, () => [...inboxLines(item, words, paint), ''])
      }
    }
    /** One look at a time; what changes during one leads to one more. */
    const lookSoon = (): void => {
      if (looking) {
        again = true
        return
      }
      looking = look()
        .catch((error: unknown) => (isTransient(error) ? undefined : reject(error)))
        .finally(() => {
          looking = null
          if (again) {
            again = false
            lookSoon()
          }
        })
    }

    await look()
    if (notifiedIds.size === 0) terminal.say(words.nothingWaits)
    terminal.say(terminal.errPaint.dim(words.watching))
    const stop = connection.onChanged(lookSoon, connectionTalk(terminal, reject))
    try {
      return await untilInterrupted(terminal, promise)
    } finally {
      stop()
    }
  })
}
