import type { ChannelView } from '../../client/wire.ts'
import { ClientError } from '../../client/index.ts'
import { loadConfig } from '../../config/load.ts'
import { ParleyError } from '../../errors.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { placesOf } from '../places.ts'
import { oneLine } from '../plain-text.ts'
import { withSecrets } from '../secrets-file.ts'
import type { Terminal } from '../terminal.ts'

const isUnreachable = (error: unknown): boolean =>
  (error instanceof ParleyError || error instanceof ClientError) && error.code === 'server_unreachable'

/** What would be connected, as far as the file says. */
async function fromFile(terminal: Terminal): Promise<ChannelView[]> {
  const places = await placesOf(terminal.cwd, terminal.env)
  const { config } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  return Object.entries(config.channels).map(([name, { kind, webhook }]) => ({
    name,
    kind: kind ?? name,
    state: 'off',
    account: null,
    receives: webhook === undefined ? 'polling' : 'webhook',
    problem: null,
  }))
}

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { words, paint } = terminal
  const { messages } = words
  let isOff = false
  const items = await withServer(terminal, ({ client }) => client.channels.list()).catch((error: unknown) => {
    // A server named by an address is somebody else's: this folder's file says nothing about it.
    if (!isUnreachable(error) || terminal.url !== undefined || terminal.env['PARLEY_URL']) throw error
    isOff = true
    return fromFile(terminal)
  })
  const heads = [messages.columns.channel, words.columns.status, messages.columns.account, messages.columns.receives, '']
  terminal.result({ items }, () =>
    items.length === 0
      ? ''
      : columns(
          [
            heads.map((text) => ({ text, paint: paint.dim })),
            ...items.map(({ name, kind, state, account, receives, problem }) => [
              { text: name === kind ? name : `${name} (${kind})`, paint: paint.bold },
              { text: messages.channelStates[state], paint: state === 'connected' ? paint.green : paint.yellow },
              account ?? '–',
              messages.receives[receives],
              problem === null ? '' : oneLine(problem),
            ]),
          ],
          terminal.width,
        ),
  )
  if (terminal.json) return
  if (items.length === 0) terminal.say(messages.noChannels)
  else if (isOff) terminal.say(messages.serverOff)
}
