import type { ChannelConfig } from '../app/config/channels-schema.ts'
import { errorMessage } from '../errors.ts'
import type { ChannelKind, OpenAccount } from '../ports/channel-kind.ts'
import { issueInWords } from '../shapes/issue-words.ts'
import type { Connection, ConnectParts } from './connections.ts'

/** Loads the kind of an account, checks its settings and opens it. */
export function connectAccount(
  { name, kind, config, load }: { name: string; kind: string; config: ChannelConfig; load: () => Promise<ChannelKind> },
  { take, readFile, reading, openCursor, clock, log, webhookUrl }: ConnectParts,
): Connection {
  const closing = new AbortController()
  let account: OpenAccount | null = null
  let problem: string | null = null

  async function open(): Promise<void> {
    const loaded = await load()
    const read = loaded.config.safeParse(config.settings)
    if (!read.success) {
      const [issue] = read.error.issues
      problem = `${issue?.path.join('.') || 'options'}: ${issue ? issueInWords(issue) : 'not valid'}`
      return log('error', `${name}: ${problem}`)
    }
    if (closing.signal.aborted) return
    account = loaded.open(
      { name, config: read.data },
      {
        take: async (inbounds) => void (await take(name, inbounds, { forVerdict: false })),
        takeTap: (inbounds) => take(name, inbounds, { forVerdict: true }),
        readFile,
        reading,
        cursor: openCursor(name),
        clock,
        log,
        signal: closing.signal,
        publicUrl: webhookUrl(name),
      },
    )
    await account.ready
  }

  const ready = open().catch((error: unknown) => {
    problem = `it could not be connected: ${errorMessage(error)}`
    log('error', `${name} could not be connected`, { error })
  })
  return {
    name,
    kind,
    config,
    ready,
    get channel() {
      return account?.channel ?? null
    },
    get webhook() {
      return account?.webhook ?? 'none'
    },
    get receives() {
      return account?.receives ?? null
    },
    get state() {
      if (closing.signal.aborted) return 'off'
      return problem === null ? (account?.state.state ?? 'connecting') : 'waiting'
    },
    get account() {
      return account?.state.account ?? null
    },
    get problem() {
      return problem ?? account?.state.problem ?? null
    },
    async check() {
      await ready
      return account ? account.check() : { problem: problem ?? 'it is closed', isPassing: false }
    },
    async close() {
      closing.abort()
      await ready
      await account?.close()
    },
  }
}
