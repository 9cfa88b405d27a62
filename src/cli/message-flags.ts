import type { MessageAt, Target } from '../shapes/wire.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import { type MessageWords, isWholeMessage, wordsOfMessage } from './message-file.ts'
import { readJson } from './read-json.ts'
import { readStdin } from './read-stdin.ts'
import { parseTarget } from './target.ts'
import type { Terminal } from './terminal.ts'

/** `--account` is the name in parley.yaml; with one account for each platform, `--channel` is the same. */
export function targetFrom(given: Given, command: string): Target {
  const typed = given.text('target')
  if (typed === undefined) throw new UsageError('The target is missing.', `Such as: parley ${command} -t telegram:42`)
  return parseTarget(typed, { channel: given.text('channel'), account: given.text('account'), topic: given.text('thread-id') })
}

export function messageFrom(given: Given, command: string): MessageAt {
  const messageId = given.text('message-id')
  if (messageId === undefined)
    throw new UsageError('The message id is missing.', `Such as: parley ${command} -t telegram:42 --message-id 7`)
  return { ...targetFrom(given, command), messageId }
}

/** `--presentation` may hold a whole message; what the flags say counts more. */
export async function wordsFrom(terminal: Terminal, given: Given): Promise<MessageWords> {
  const message = given.text('message')
  const presentation = given.text('presentation')
  if (message === '-' && presentation === '-')
    throw new UsageError('Only one of them can come from stdin.', 'Store the presentation in a file: @file.json')
  const read = presentation === undefined ? {} : await readJson(terminal, '--presentation', presentation, '{"title":"Hello","blocks":[]}')
  return {
    ...(isWholeMessage(read) ? wordsOfMessage(read) : presentation !== undefined && { presentation: read }),
    ...(message !== undefined && { message: message === '-' ? await readStdin(terminal, 'The message') : message }),
  }
}
