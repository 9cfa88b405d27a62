import { ClientError, type LiveState } from '../client/index.ts'
import type { ErrorWords } from '../shapes/wire.ts'
import { describeError } from '../errors.ts'
import type { Terminal } from './terminal.ts'

export const toRefusal = (words: ErrorWords): ClientError => new ClientError(words, { status: 400 })

/** Says when the server is away and when it is back. Being signed out is no outage: it ends what runs. */
export function connectionTalk(terminal: Terminal, refuse: (error: unknown) => void): (state: LiveState) => void {
  let away = false
  return (state) => {
    if (state === 'signed-out') refuse(new ClientError(describeError('bad_token'), { status: 401 }))
    else if (state === 'live' && away) {
      away = false
      terminal.say(terminal.errPaint.dim(terminal.words.connectionBack))
    } else if ((state === 'reconnecting' || state === 'offline') && !away) {
      away = true
      terminal.say(terminal.errPaint.yellow(terminal.words.connectionLost))
    }
  }
}
