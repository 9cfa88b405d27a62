import type { ServerInfo } from '../../../src/shapes/wire.ts'
import { serverInfo, useRefreshing } from './refreshing.ts'

/** The person this page is signed in as; null until the server has said so. */
export type Reader = NonNullable<ServerInfo['caller']> | null

/** Owners and operators see and stop everything; a reader who is not known yet is shown what most are. */
export const isOperator = (reader: Reader): boolean => reader === null || reader.role === 'owner' || reader.role === 'operator'

export const useReader = (): Reader => useRefreshing(serverInfo).value?.caller ?? null
