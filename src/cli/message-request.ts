import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { MessageRequest } from '../shapes/wire.ts'
import { UsageError } from './fault.ts'
import type { Given } from './given.ts'
import { wordsFrom } from './message-flags.ts'
import { readJson } from './read-json.ts'
import type { Terminal } from './terminal.ts'

/** A file is named from where the person is; the server may run in another folder. */
const absolute = (address: string, cwd: string): string =>
  /^file:(?!\/)/.test(address) ? pathToFileURL(resolve(cwd, address.slice('file:'.length))).href : address

/** A message as the flags say it, without its target. */
export async function messageRequest(
  terminal: Terminal,
  given: Given,
  command: string,
): Promise<Omit<MessageRequest, 'channel' | 'target'>> {
  const words = await wordsFrom(terminal, given)
  const media = given.text('media') ?? words.media
  if (words.message === undefined && words.presentation === undefined && media === undefined)
    throw new UsageError('There is nothing to send.', `Give one of --message, --media or --presentation. See: parley ${command} --help`)
  if ([media ?? []].flat().some((address) => !/^(https?:\/\/|file:)/.test(address)))
    throw new UsageError(
      '--media takes an address.',
      'Such as: --media https://example.org/picture.png, or file:picture.png for one of the project',
    )
  const typed = given.text('delivery')
  const delivery = {
    ...words.delivery,
    ...(typed !== undefined && (await readJson(terminal, '--delivery', typed, '{"pin":true}'))),
    ...(given.on('pin') && { pin: true }),
  }
  const replyTo = given.text('reply-to')
  return {
    ...words,
    ...(media !== undefined && { media: [media].flat().map((address) => absolute(address, terminal.cwd)) }),
    ...(Object.keys(delivery).length > 0 && { delivery }),
    ...(replyTo !== undefined && { replyTo }),
    ...(given.on('silent') && { silent: true }),
  }
}
