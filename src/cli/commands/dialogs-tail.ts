import type { CommandFunction } from '../command-row.ts'
import type { EventView } from '../../shapes/wire.ts'
import { callerName, dialogId, withServer } from '../connect.ts'
import { EventReader } from '../event-lines.ts'
import { exitCode } from '../exit-code.ts'
import { connectionTalk, toRefusal } from '../live-talk.ts'
import { answerLines } from '../question-words.ts'
import { openQuestions, waitingExit } from '../rest-outcome.ts'
import { getRest } from '../tree-rest.ts'
import { untilInterrupted } from '../until-interrupted.ts'

const ends = new Set(['turn.finished', 'turn.failed', 'turn.stopped'])
const shownAtFirst = 10

export const run: CommandFunction = async (terminal, given) => {
  return withServer(terminal, async (connection) => {
    const { client } = connection
    const dialog = await client.dialogs.get(await dialogId(client, given.arg(0)))
    const after = given.number('after') ?? Math.max(0, dialog.head - shownAtFirst)
    const reader = new EventReader(terminal.words, terminal.paint, terminal.width)
    reader.agent = dialog.agent
    reader.reader = await callerName(client)
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    let isLive = false

    const endAtRest = async (): Promise<void> => {
      const now = await getRest(connection.client, dialog.id)
      if (now === null) return
      for (const question of terminal.json ? [] : openQuestions(now))
        terminal.warn(...answerLines(question, terminal.words, terminal.errPaint))
      resolve(waitingExit(now) ?? (now.status === 'failed' ? exitCode.failed : exitCode.ok))
    }
    const print = (events: EventView[]): void => {
      for (const event of events) {
        const lines = reader.lines(event)
        if (terminal.json || lines.length > 0) terminal.item(event, () => lines)
      }
      if (given.on('until-rest') && events.some(({ type }) => ends.has(type))) endAtRest().catch(reject)
    }
    const stop = connection.follow(
      dialog.id,
      after,
      {
        onEvents: print,
        onLive: () => {
          isLive = true
          if (given.on('until-rest')) endAtRest().catch(reject)
        },
        onError: (words) => reject(toRefusal(words)),
      },
      connectionTalk(terminal, reject),
    )
    // Teammates write to other streams: any change may be theirs.
    const stopLooking = connection.onChanged(() => void (given.on('until-rest') && isLive && endAtRest().catch(reject)))
    try {
      return await untilInterrupted(terminal, promise)
    } finally {
      stopLooking()
      stop()
    }
  })
}
