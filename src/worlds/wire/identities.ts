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
    const found = readIdentity(path)
    if (found && 'refused' in found) throw new ParleyError(found.refused.code as 'key_file_broken', { path })
    if (found && found.file.host !== host) throw new ParleyError('key_file_broken', { path })
    return found
  }
  const names = (): string[] => readdirSync(dir).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  function pathOf(agent: string): string | null {
    for (const name of names()) {
      if (read(join(dir, name))?.file.account?.agent === agent) return join(dir, name)
    }
    return null
  }
  function change(agent: string, to: (file: IdentityFile) => IdentityFile): Identity {
    const path = pathOf(agent)
    const found = path === null ? null : read(path)
    if (path === null || !found) throw new ParleyError('key_file_broken', { path: dir })
    writeIdentity(path, to(found.file))
    return read(path)?.identity ?? found.identity
  }

  return {
    open(member) {
      const path = join(dir, fileName(member))
      const found = read(path)
      if (found) return found.identity
      writeIdentity(path, newIdentity(host))
      return (read(path) as { identity: Identity }).identity
    },
    ofAgent(agent) {
      const path = pathOf(agent)
      return path === null ? null : (read(path)?.identity ?? null)
    },
    noteAccount(member, account) {
      const path = join(dir, fileName(member))
      const found = read(path)
      if (found && JSON.stringify(found.file.account) !== JSON.stringify(account)) writeIdentity(path, { ...found.file, account })
    },
    list: () => names().flatMap((name) => read(join(dir, name))?.identity ?? []),
    import(member, text) {
      const parsed = parseIdentity(text)
      if (!parsed || parsed.file.host !== host) return null
      writeIdentity(join(dir, fileName(member)), parsed.file)
      return parsed.identity
    },
    export(member) {
      const found = read(join(dir, fileName(member)))
      if (!found) throw new ParleyError('key_file_broken', { path: join(dir, fileName(member)) })
      return `${JSON.stringify(found.file, null, 2)}\n`
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
    beginRotation: (agent) => change(agent, beginRotation),
    endRotation: (agent) => change(agent, endRotation),
  }
}
