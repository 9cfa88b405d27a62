import { ClientError, type Follower, type Live, type LiveState, type ParleyClient, everything, parleyClient } from '../client/index.ts'
import { ParleyError } from '../errors.ts'
import { type Found, findServer, usualUrl } from './find-server.ts'
import { UsageError } from './fault.ts'
import type { Terminal } from './terminal.ts'
import { isProcessAlive } from './process-alive.ts'

/** The way to the server. A server that comes back at another address or with another token is found again. */
export type Connection = {
  readonly client: ParleyClient
  readonly found: Found
  /** Each event after `after` once, whatever happens to the server in between. Returns what ends it. */
  follow(stream: string, after: number, follower: Follower, onState?: (state: LiveState) => void): () => void
  /** Told that something in the lists changed, and after each reconnect. */
  onChanged(listen: () => void, onState?: (state: LiveState) => void): () => void
  close(): void
}

/** The name that the log gives to what this caller does. A server of 0.1 does not say. */
export const callerName = async (client: ParleyClient): Promise<string> => (await client.info()).caller?.name ?? 'owner'

function makeClient(found: Found): ParleyClient {
  return parleyClient({ baseUrl: found.url, token: found.token, via: 'cli', tries: 3 })
}

function findOrRefuse(terminal: Terminal): Found {
  const server = findServer(terminal.cwd, terminal.env, terminal.url)
  if (!server) throw new ParleyError('server_unreachable', { url: usualUrl })
  if (!URL.canParse(server.url) || !/^https?:$/.test(new URL(server.url).protocol)) {
    throw new UsageError(`"${server.url}" is not an address of a server.`, `It looks like ${usualUrl}`)
  }
  return server
}

export function connect(terminal: Terminal): Connection {
  let orRefuse = findOrRefuse(terminal)
  // The note of a server that was killed stays behind; no need to wait for an answer that cannot come.
  if (orRefuse.from === 'note' && orRefuse.note && orRefuse.note.pid > 0 && !isProcessAlive(orRefuse.note.pid))
    throw new ParleyError('server_unreachable', { url: orRefuse.url })
  let client = makeClient(orRefuse)
  terminal.detail(`Server: ${orRefuse.url} (${orRefuse.from})`)

  /** True when the server's note now says something else than before. */
  const lookAgain = (): boolean => {
    const now = findServer(terminal.cwd, terminal.env, terminal.url)
    if (!now || (now.url === orRefuse.url && now.token === orRefuse.token)) return false
    orRefuse = now
    client.close()
    client = makeClient(orRefuse)
    return true
  }

  /** Hangs something on the live connection, and again on the next one when the server moved. */
  const attach = (begin: (live: Live) => () => void, onState: (state: LiveState) => void = () => {}): (() => void) => {
    let live = client.live()
    let releases = [begin(live), live.onState(onState)]
    const release = (): void => releases.forEach((end) => end())
    const watch = setInterval(() => {
      if (live.state === 'live' || !lookAgain()) return
      release()
      live = client.live()
      releases = [begin(live), live.onState(onState)]
    }, 1_000)
    return () => {
      clearInterval(watch)
      release()
    }
  }

  return {
    get client() {
      return client
    },
    get found() {
      return orRefuse
    },
    follow(stream, after, follower, onState) {
      let last = after
      return attach((live) => {
        const watched: Follower = {
          ...follower,
          onEvents(events) {
            const newest = events.at(-1)
            if (newest) last = stream === everything ? newest.position : newest.seq
            follower.onEvents(events)
          },
          onReset() {
            last = 0
            follower.onReset?.()
          },
        }
        return live.follow(stream, last, watched)
      }, onState)
    },
    onChanged: (listen, onState) => attach((live) => live.onChanged(listen), onState),
    close: () => client.close(),
  }
}

/** Runs something with the server and lets go of it afterwards, so that the process can end. */
export async function withServer<Value>(terminal: Terminal, act: (connection: Connection) => Promise<Value>): Promise<Value> {
  const connection = connect(terminal)
  try {
    return await act(connection)
  } finally {
    connection.close()
  }
}

/** Null when no server answers and none was named by --url or PARLEY_URL: the files of this folder can answer instead. */
export async function ifServed<Value>(terminal: Terminal, act: (connection: Connection) => Promise<Value>): Promise<Value | null> {
  try {
    return await withServer(terminal, act)
  } catch (error) {
    const isNamed = terminal.url !== undefined || Boolean(terminal.env['PARLEY_URL'])
    const { code } = error as { code?: unknown }
    if (code === 'server_unreachable' && !isNamed) return null
    throw error
  }
}

/** Shorter ones are looked for among the latest dialogs. */
const wholeIdChars = 28
const wholeQuestionIdChars = 26

const idPrefixLimits = { listed: 200 } as const

/** "last" is the dialog with the latest message; the beginning of an id is enough where only one of the latest has it. */
export async function dialogId(client: ParleyClient, asked: string): Promise<string> {
  if (asked !== 'last') return asked.length < wholeIdChars ? findByPrefix(client, asked) : asked
  // Pinned dialogs stand first, whenever they were written in.
  const lists = await Promise.all([true, false].map((pinned) => client.dialogs.list({ limit: 1, pinned })))
  const [newest] = lists.flatMap(({ items }) => items).toSorted((a, b) => b.updatedAt - a.updatedAt)
  if (!newest) throw new ParleyError('dialog_not_found', { dialog: 'yet' })
  return newest.id
}

async function findByPrefix(client: ParleyClient, asked: string): Promise<string> {
  // Archived dialogs and side dialogs are not in this list: their ids are given whole.
  return pickId(asked, 'dlg_', (await client.dialogs.list({ limit: idPrefixLimits.listed })).items)
}

/** The beginning of an id is enough where only one of the latest questions has it. */
export async function questionId(client: ParleyClient, asked: string): Promise<string> {
  if (asked.length >= wholeQuestionIdChars) return asked
  return pickId(asked, 'q_', (await client.questions.list({ limit: idPrefixLimits.listed })).items)
}

/** The one id that begins so, with or without its kind. An unknown one is left to the server. */
function pickId(asked: string, kind: string, items: readonly { id: string }[]): string {
  const matches = items.filter(({ id }) => id.startsWith(asked) || id.startsWith(kind + asked))
  const exact = matches.find(({ id }) => id === asked)
  if (matches.length > 1 && !exact) throw new UsageError(`${asked} is the beginning of ${matches.length} ids.`, 'Give more characters.')
  return (exact ?? matches[0])?.id ?? asked
}

export const isTransient = (error: unknown): boolean => error instanceof ClientError && error.isTransient
