import type { Cursor } from '../../../ports/channel-kind.ts'
import { isRecord } from '../../../shapes/record.ts'

export const serviceUrlLimits = { chats: 90, learned: 10_000, urlChars: 300 } as const

/** D public cloud, for chats that have not written yet. */
const globalUrl = 'https://smba.trafficmanager.net/teams/'

/** Service URLs of chats, which Teams names in every call. Kept over restarts: Parley writes first after them. */
export type ServiceUrls = {
  find(chat: string): Promise<string>
  /** From a call whose token names this URL. */
  learn(chat: string, url: string): Promise<void>
}

/** `main` belongs to all chats that are not in `others`, because one tenant has one URL. */
type Urls = { main: string; others: Record<string, string> }

export function serviceUrls(cursor: Cursor, configured?: string): ServiceUrls {
  const learned = new Map<string, string>()
  let saving: Promise<void> = Promise.resolve()

  async function read(): Promise<Urls | null> {
    const text = await cursor.read()
    if (text === null) return null
    try {
      const { main, others } = JSON.parse(text) as { main?: unknown; others?: unknown }
      if (typeof main !== 'string' || !isRecord(others)) return null
      return {
        main,
        others: Object.fromEntries(Object.entries(others).filter((one): one is [string, string] => typeof one[1] === 'string')),
      }
    } catch {
      return null
    }
  }

  async function save(chat: string, url: string): Promise<void> {
    const urls = await read()
    if ((urls?.others[chat] ?? urls?.main) !== url) {
      const { main, others } = urls ?? { main: url, others: {} }
      const { [chat]: _before, ...rest } = others
      const all = Object.entries(main === url ? rest : { ...rest, [chat]: url }).slice(-serviceUrlLimits.chats)
      await cursor.write(JSON.stringify({ main, others: Object.fromEntries(all) } satisfies Urls))
    }
    if (learned.size >= serviceUrlLimits.learned) learned.clear()
    learned.set(chat, url)
  }

  return {
    // Read each time: another process may have received the call.
    async find(chat) {
      const urls = await read()
      return urls?.others[chat] ?? urls?.main ?? configured ?? globalUrl
    },
    async learn(chat, url) {
      if (learned.get(chat) === url || url.length > serviceUrlLimits.urlChars) return
      saving = saving.catch(() => {}).then(() => save(chat, url))
      await saving
    },
  }
}
