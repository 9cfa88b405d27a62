import { randomBytes } from 'node:crypto'
import { toAuthor } from '../../authority/people.ts'
import { lowestRole, type Role } from '../../authority/roles.ts'
import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Store, ViewRow } from '../../ports/store.ts'
import type { BuildTokenView, Scope } from '../../shapes/wire.ts'
import type { Principal } from './principal.ts'
import { isSame, sha256, sign } from './signature.ts'

/** `hash` is a SHA-256 of the secret part. `maker` is all that is needed to see whether its maker still has access. */
type BuildToken = Omit<BuildTokenView, 'by'> & {
  hash: string
  maker: Pick<Principal, 'id' | 'name' | 'author' | 'scopes' | 'credential' | 'session' | 'person' | 'isListed'>
}

export const buildTokenLimits = {
  lifeMs: 15 * 60_000,
  /** Unexpired ones of one build, and of all builds together. */
  alivePerBuild: 50,
  alive: 1_000,
  /** An expired one is kept this long, so that its holder is told that it expired. */
  expiredMs: 15 * 60_000,
  page: 500,
  conflictRetries: 50,
} as const

/** Tokens of builds live for minutes, so they are rows that are deleted, and not events that stay. */
const tokenView = 'build-tokens'

/** Revocations are events as well: their hint ends connections in every process at once. */
export const buildTokenStream = 'build-tokens'

const recordGroup = 'build-token'
const prefix = 'bt'
const embedScopes: readonly Scope[] = ['read', 'chat', 'answer']

export type NewBuildToken = {
  build: string
  maker: Principal
  name?: string | undefined
  role?: 'member' | 'guest' | undefined
  /** A repeated `once` gives the same token again. */
  once?: { key: string; request: string } | undefined
}

/** Tokens for one build: they end after 15 minutes, or earlier with the access of their maker. */
export type BuildTokens = {
  create(token: NewBuildToken): Promise<{ token: string; view: BuildTokenView }>
  /** Those of a build that have not expired, newest first. */
  list(build: string): Promise<BuildTokenView[]>
  revokeAll(build: string): Promise<{ count: number }>
  /** The caller, null for a text that is no token of a build. Throws when it expired or was revoked. */
  check(bearer: string): Promise<Principal | null>
  isAlive(id: string): Promise<boolean>
}

type Deps = { store: Store; key: string; clock: Clock; ids: Ids; isMakerAlive(maker: Principal): Promise<boolean> }

export function buildTokens({ store, key, clock, ids, isMakerAlive }: Deps): BuildTokens {
  async function everyRecord(): Promise<BuildToken[]> {
    const records: ViewRow[] = []
    for (;;) {
      const last = records.at(-1)
      const before = last && { before: { sort: last.sort, key: last.key } }
      const page = await store.rows({ view: tokenView, group: recordGroup, limit: buildTokenLimits.page, ...before })
      records.push(...page)
      if (page.length < buildTokenLimits.page) return records.map(({ body }) => body as BuildToken)
    }
  }

  const find = async (id: string): Promise<BuildToken | null> => ((await store.row(tokenView, id))?.body as BuildToken | undefined) ?? null
  const isExpired = ({ expiresAt }: BuildToken): boolean => expiresAt <= clock.now()
  const isForgotten = ({ expiresAt }: BuildToken): boolean => expiresAt + buildTokenLimits.expiredMs <= clock.now()
  const isUsable = async (record: BuildToken): Promise<boolean> =>
    record.revokedAt === null && !isExpired(record) && (await isMakerAlive(record.maker))

  function checkRoom(records: readonly BuildToken[], build: string): void {
    const alive = records.filter((record) => record.revokedAt === null && !isExpired(record))
    const isFull =
      alive.length >= buildTokenLimits.alive || alive.filter((one) => one.build === build).length >= buildTokenLimits.alivePerBuild
    if (isFull) throw new ParleyError('too_many_build_tokens', {}, { retryable: true, retryAfterMs: 60_000 })
  }

  return {
    async create({ build, maker, name = maker.name, role = 'member', once }) {
      const createdAt = clock.now()
      const deriveSecret = (id: string): string =>
        (once ? Buffer.from(sign(key, 'build-token', `${id}\n${once.key}`), 'base64url') : randomBytes(32)).toString('hex')
      const id = ids.next(prefix)
      const part = deriveSecret(id)
      const record: BuildToken = {
        id,
        build,
        name,
        role: lowestRole(role, maker.author.role),
        scopes: embedScopes.filter((scope) => maker.scopes.includes(scope)),
        createdAt,
        expiresAt: createdAt + buildTokenLimits.lifeMs,
        revokedAt: null,
        hash: sha256(part),
        maker: getMaker(maker),
      }
      const records = await everyRecord()
      const earlierResult = once && (await store.remembered(`build-token:${once.key}`))
      if (!earlierResult) checkRoom(records, build)
      const expired = records.filter(isForgotten).map((one) => ({ view: tokenView, key: one.id, body: null }))
      const view = toView(record)
      const [result] = await store.commit([
        {
          rows: [...expired, getRow(record)],
          ...(once && { once: [{ key: `build-token:${once.key}`, value: { request: once.request, view } }] }),
        },
      ])
      if (result?.ok) return { token: toText(id, part), view }
      const first = result?.why === 'seen' ? (result.value as { request: string; view: BuildTokenView }) : null
      if (first === null) throw new ParleyError('busy', {}, { retryable: true })
      if (first.request !== once?.request) throw new ParleyError('key_reused')
      return { token: toText(first.view.id, deriveSecret(first.view.id)), view: first.view }
    },
    list: async (build) => (await everyRecord()).filter((record) => record.build === build && !isExpired(record)).map(toView),
    async revokeAll(build) {
      for (let tries = 0; tries < buildTokenLimits.conflictRetries; tries += 1) {
        const expect = await store.head(buildTokenStream)
        const alive = (await everyRecord()).filter((one) => one.build === build && one.revokedAt === null && !isExpired(one))
        if (alive.length === 0) return { count: 0 }
        const at = clock.now()
        const events = [{ type: 'build-tokens.revoked', at, data: { build, tokens: alive.map(({ id }) => id) } }]
        const rows = alive.map((record) => getRow({ ...record, revokedAt: at }))
        const [result] = await store.commit([{ append: [{ stream: buildTokenStream, expect, events }], rows }])
        if (result?.ok) return { count: alive.length }
      }
      throw new ParleyError('busy', {}, { retryable: true })
    },
    async check(bearer) {
      const [, id, part] = /^parley_(bt_\w{1,90})_([0-9a-f]{64})$/.exec(bearer) ?? []
      if (id === undefined || part === undefined) return null
      const record = await find(id)
      if (!record || !isSame(record.hash, sha256(part))) throw new ParleyError('bad_token')
      if (isExpired(record)) throw new ParleyError('token_expired', { minutes: buildTokenLimits.lifeMs / 60_000 })
      if (!(await isUsable(record))) throw new ParleyError('bad_token')
      return toPrincipal(record)
    },
    async isAlive(id) {
      const record = await find(id)
      return record !== null && isUsable(record)
    },
  }
}

/** True for the id of a caller with a token of one build. */
export const isBuildTokenId = (id: string): boolean => id.startsWith(`${prefix}_`)

const toText = (id: string, part: string): string => `parley_${id}_${part}`

const getMaker = ({ id, name, author, scopes, credential, session, person, isListed }: Principal): BuildToken['maker'] => ({
  id,
  name,
  author,
  scopes,
  credential,
  ...(session !== undefined && { session }),
  ...(person !== undefined && { person }),
  ...(isListed && { isListed }),
})

function toPrincipal({ id, name, role, scopes, build }: BuildToken): Principal {
  const author = toAuthor({ surface: 'token', id, name, role }, [])
  // A guest reads and writes here as in a chat: this one build, and nothing else.
  return { id, name, author, scopes, credential: 'token', limit: { build }, ...(isBelowMember(role) && { isInChat: true }) }
}

const isBelowMember = (role: Role): boolean => lowestRole(role, 'member') !== 'member'

const toView = ({ id, build, name, role, scopes, createdAt, expiresAt, revokedAt, maker }: BuildToken): BuildTokenView => ({
  id,
  build,
  name,
  by: maker.name,
  role,
  scopes,
  createdAt,
  expiresAt,
  revokedAt,
})

const getRow = (record: BuildToken): ViewRow => ({
  view: tokenView,
  key: record.id,
  group: recordGroup,
  sort: record.createdAt,
  text: '',
  body: record,
})
