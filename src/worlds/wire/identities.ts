import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../../errors.ts'
import {
  beginRotation,
  endRotation,
  type Identity,
  type IdentityFile,
  type KnownAccount,
  parseIdentity,
  newIdentity,
  readIdentity,
  writeIdentity,
} from '../keys/identity-file.ts'

/** The identities of the accounts of one owner at one host, one file for each. */
export type Identities = {
  /** Made if it does not exist. `member` is the lasting name of the account on this machine. */
  open(member: string): Identity
  ofAgent(agent: string): Identity | null
  /** Null if it was never opened. */
  ofMember(member: string): Identity | null
  /** Notes what the host said about the account. */
  noteAccount(member: string, account: KnownAccount): void
  list(): Identity[]
  /** Takes over a key from another machine. */
  import(member: string, text: string): Identity | null
  export(member: string): string
  remove(): void
  /** The new key is on disk when this returns; it is in use after `endRotation`. */
  beginRotation(agent: string): Identity
  endRotation(agent: string): Identity
}

const fileName = (member: string): string => `${createHash('sha256').update(member).digest('hex').slice(0, 24)}.json`

export function identityFolder(dir: string, host: string): Identities {
  mkdirSync(dir, { recursive: true, mode: 0o700 })

  function read(path: string): { file: IdentityFile; identity: Identity } | null {
    const entry = readIdentity(path)
    if (entry && 'refused' in entry) throw new ParleyError(entry.refused.code as 'key_file_broken', { path })
    if (entry && entry.file.host !== host) throw new ParleyError('key_file_broken', { path })
    return entry
  }
  const names = (): string[] => readdirSync(dir).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  /** Where each agent was found last. Another process may change the files, so a hit is read again. */
  const places = new Map<string, string>()
  const isFor = (path: string, agent: string): boolean => read(path)?.file.account?.agent === agent
  function findPath(agent: string): string | null {
    const place = places.get(agent)
    if (place !== undefined && isFor(place, agent)) return place
    const path = names()
      .map((name) => join(dir, name))
      .find((each) => isFor(each, agent))
    if (path === undefined) return null
    places.set(agent, path)
    return path
  }
  function change(agent: string, to: (file: IdentityFile) => IdentityFile): Identity {
    const path = findPath(agent)
    const entry = path === null ? null : read(path)
    if (path === null || !entry) throw new ParleyError('key_file_broken', { path: dir })
    writeIdentity(path, to(entry.file))
    return read(path)?.identity ?? entry.identity
  }

  return {
    open(member) {
      const path = join(dir, fileName(member))
      const entry = read(path)
      if (entry) return entry.identity
      writeIdentity(path, newIdentity(host))
      return (read(path) as { identity: Identity }).identity
    },
    ofAgent(agent) {
      const path = findPath(agent)
      return path === null ? null : (read(path)?.identity ?? null)
    },
    ofMember: (member) => read(join(dir, fileName(member)))?.identity ?? null,
    noteAccount(member, account) {
      const path = join(dir, fileName(member))
      const entry = read(path)
      if (entry && JSON.stringify(entry.file.account) !== JSON.stringify(account)) writeIdentity(path, { ...entry.file, account })
      places.set(account.agent, path)
    },
    list: () => names().flatMap((name) => read(join(dir, name))?.identity ?? []),
    import(member, text) {
      const parsed = parseIdentity(text)
      if (!parsed || parsed.file.host !== host) return null
      writeIdentity(join(dir, fileName(member)), parsed.file)
      return parsed.identity
    },
    export(member) {
      const entry = read(join(dir, fileName(member)))
      if (!entry) throw new ParleyError('key_file_broken', { path: join(dir, fileName(member)) })
      return `${JSON.stringify(entry.file, null, 2)}\n`
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
    beginRotation: (agent) => change(agent, beginRotation),
    endRotation: (agent) => change(agent, endRotation),
  }
}
