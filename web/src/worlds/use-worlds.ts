import { useContext } from 'react'
import { ClientError, type OperationResult } from '../../../src/client/index.ts'
import type { InboxItem } from '../../../src/shapes/wire.ts'
import type { PageWorldWords } from '../../../src/words/en/page-worlds.ts'
import { pageWorldWords } from '../../../src/words/page-parts.ts'
import { client } from '../link/page-client.ts'
import { refreshing } from '../link/refreshing.ts'
import { LanguageContext } from '../words/use-words.ts'

export const useWorldWords = (): PageWorldWords => pageWorldWords[useContext(LanguageContext)]

export type WorldsAccount = OperationResult<'account.change'>
export type WorldReport = OperationResult<'reports.get'>
export type PeerKey = OperationResult<'account.peers'>['items'][number]
export type WorldRow = OperationResult<'worlds.list'>['items'][number]
/** Limits of a talk if its request is accepted. */
export type TalkBounds = Extract<InboxItem, { kind: 'chat-request' }>['bounds']
/** With the own agent it is for. */
export type ChatRequest = OperationResult<'chatRequests.get'> & { account: string }

const pageSize = 50

/** A server without worlds has no accounts; null stands for that. */
async function listAccounts(signal: AbortSignal): Promise<WorldsAccount[] | null> {
  try {
    return await client.account.list({ signal })
  } catch (error) {
    if (error instanceof ClientError && (error.code === 'worlds_off' || error.status === 403)) return null
    throw error
  }
}

export type WorldsHome = {
  accounts: WorldsAccount[]
  talks: ChatRequest[]
  reports: WorldReport[]
  worlds: { account: string; rows: WorldRow[] }[]
  changedKeys: PeerKey[]
}

/** Everything of the first page of worlds; null where no agent takes part. */
export const worldsHome = refreshing(async (signal): Promise<{ home: WorldsHome | null }> => {
  const accounts = await listAccounts(signal)
  if (accounts === null) return { home: null }
  const parts = await Promise.all(
    accounts.map(async ({ name, account }) => ({
      talks: (await client.chatRequests.list({ account: name, limit: pageSize }, { signal })).items.map((one) => ({
        ...one,
        account: name,
      })),
      reports: (await client.reports.list({ account: name, limit: pageSize }, { signal })).items,
      worlds:
        account.readiness === 'ready'
          ? [{ account: name, rows: (await client.worlds.list({ account: name, limit: pageSize }, { signal })).items }]
          : [],
    })),
  )
  const changedKeys = (await client.account.peers({ signal })).filter(({ offered }) => offered !== null)
  return {
    home: {
      accounts,
      changedKeys,
      talks: parts.flatMap(({ talks }) => talks).toSorted((a, b) => b.updatedAt - a.updatedAt),
      reports: parts.flatMap(({ reports }) => reports).toSorted((a, b) => b.filedAt - a.filedAt),
      worlds: parts.flatMap(({ worlds }) => worlds),
    },
  }
})

export const identity = ({ displayName, agentCode }: { displayName: string | null; agentCode: string }): string =>
  `${displayName ?? ''}#${agentCode}`

export const worldPath = (account: string, world: string): string => `/w/${encodeURIComponent(account)}/world/${encodeURIComponent(world)}`

export const talkPath = (account: string, request: string): string => `/w/${encodeURIComponent(account)}/${encodeURIComponent(request)}`
