import type { CommandFunction } from '../command-row.ts'
import { everything } from '../../client/index.ts'
import type { EventView } from '../../shapes/wire.ts'
import { clockTime } from '../age.ts'
import { type Connection, dialogId, withServer } from '../connect.ts'
import { exitCode } from '../exit-code.ts'
import { connectionTalk, toRefusal } from '../live-talk.ts'
import { oneLine } from '../plain-text.ts'
import { readAll } from '../read-all.ts'
import type { Terminal } from '../terminal.ts'
import { untilInterrupted } from '../until-interrupted.ts'
import { fit, pad } from '../columns.ts'

function line(terminal: Terminal, event: EventView, stream: string | undefined): string {
  const { paint } = terminal
  const place = stream === undefined ? `${event.position}`.padStart(7) : `${event.seq}`.padStart(5)
  const where = stream === undefined ? `${paint.dim(event.stream)} ` : ''
  const head = `${paint.dim(place)} ${clockTime(event.at)} ${where}${paint.cyan(pad(event.type, 19))} `
  return (
    head + fit(oneLine(JSON.stringify(event.data)), Math.max(20, terminal.width - 40 - (stream === undefined ? event.stream.length : 0)))
  )
}

export const run: CommandFunction = async (terminal, given) => {
  const argument = given.optionalArg(0)
  const after = given.number('after') ?? 0
  return withServer(terminal, async (connection) => {
    const stream = argument === undefined ? undefined : await dialogId(connection.client, argument)
    if (given.on('follow')) return follow(terminal, connection, stream, after, given.number('limit'))
    let count = 0
    for await (const event of readAll(connection.client, stream, after, given.number('limit') ?? 100)) {
      terminal.item(event, () => line(terminal, event, stream))
      count += 1
    }
    if (count === 0 && stream !== undefined && after === 0) await connection.client.dialogs.get(stream)
    if (count === 0) terminal.say(terminal.words.noEvents)
    return exitCode.ok
  })
}

async function follow(
  terminal: Terminal,
  connection: Connection,
  stream: string | undefined,
  after: number,
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  // A name that does not exist would be followed in silence for ever.
  if (stream !== undefined) await connection.client.dialogs.get(stream)
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let remaining = limit
  const stop = connection.follow(
    stream ?? everything,
    after,
    {
      onEvents(events) {
        for (const event of events) {
          if (remaining <= 0) break
          remaining -= 1
          terminal.item(event, () => line(terminal, event, stream))
        }
        if (remaining <= 0) resolve(exitCode.ok)
      },
      onError: (words) => reject(toRefusal(words)),
    },
    connectionTalk(terminal, reject),
  )
  try {
    return await untilInterrupted(terminal, promise)
  } finally {
    stop()
  }
}
