import type { ChannelView } from '../../shapes/wire.ts'
import { ClientError } from '../../client/index.ts'
import { loadConfig } from '../../app/config/load.ts'
import { problemInWords } from '../../app/config/problem.ts'
import { ParleyError } from '../../errors.ts'
import { columns } from '../columns.ts'
import { withServer } from '../connect.ts'
import type { Given } from '../given.ts'
import { listPlaces, shortPath } from '../places.ts'
import { oneLine, plainText } from '../plain-text.ts'
import { withSecrets } from '../../app/config/secrets-file.ts'
import type { Terminal } from '../terminal.ts'

const isUnreachable = (error: unknown): boolean =>
  (error instanceof ParleyError || error instanceof ClientError) && error.code === 'server_unreachable'

/** `problems`: entries of parley.yaml that are left out, in words. */
type Listed = { items: ChannelView[]; problems: string[] }

/** Accounts configured in the file. */
async function fromFile(terminal: Terminal): Promise<Listed> {
  const places = await listPlaces(terminal)
  const { config, problems } = loadConfig(places.config, { optional: true, env: withSecrets(terminal.env, places.data) })
  const items = Object.entries(config.channels).map(([name, { kind }]): ChannelView => ({
    name,
    kind: kind ?? name,
    state: 'off',
    account: null,
    receives: null,
    problem: null,
  }))
  const file = shortPath(places.config, terminal.cwd)
  const ours = problems.filter(({ path }) => path === 'channels' || path.startsWith('channels.'))
  return { items, problems: ours.map((problem) => problemInWords({ ...problem, file })) }
}

/** The server knows which variables it has; this terminal may have others. */
async function fromServer(terminal: Terminal): Promise<Listed> {
  return withServer(terminal, async ({ client }) => {
    const [items, { problems }] = await Promise.all([client.channels.list(), client.info()])
    // A problem of a listed account is shown beside it.
    const isBeside = (problem: string): boolean => items.some(({ name }) => problem.startsWith(`channels.${name}: `))
    return { items, problems: problems.filter((problem) => /(^|: )channels[.:]/.test(problem) && !isBeside(problem)) }
  })
}

export async function run(terminal: Terminal, _given: Given): Promise<void> {
  const { words, paint } = terminal
  const { messages } = words
  let isOff = false
  const { items, problems } = await fromServer(terminal).catch((error: unknown) => {
    // A server named by its address has another configuration: this folder's file does not describe it.
    if (!isUnreachable(error) || terminal.url !== undefined || terminal.env['PARLEY_URL']) throw error
    isOff = true
    return fromFile(terminal)
  })
  const heads = [messages.columns.channel, words.columns.status, messages.columns.account, messages.columns.receives, '']
  terminal.result({ items, problems }, () => [
    ...(items.length === 0
      ? []
      : columns(
          [
            heads.map((text) => ({ text, paint: paint.dim })),
            ...items.map(({ name, kind, state, account, receives, problem }) => [
              { text: name === kind ? name : `${name} (${kind})`, paint: paint.bold },
              { text: messages.channelStates[state], paint: state === 'connected' ? paint.green : paint.yellow },
              account ?? '–',
              receives === null ? '–' : messages.receives[receives],
              problem === null ? '' : oneLine(problem),
            ]),
          ],
          terminal.width,
        )),
    ...problems.map((problem) => `${paint.red('✗')} ${plainText(problem)}`),
  ])
  if (terminal.json) return
  if (problems.length > 0) terminal.say(messages.fixChannels)
  else if (items.length === 0) terminal.say(messages.noChannels)
  if (isOff && items.length > 0) terminal.say(messages.serverOff)
}
