import type { ServerInfo } from '../../../src/client/wire.ts'
import { serverInfo, useRefreshing } from './refreshing.ts'

/** The person this page is signed in as; null until the server has said so. */
export type Reader = NonNullable<ServerInfo['caller']> | null

export const useReader = (): Reader => useRefreshing(serverInfo).value?.caller ?? null
