import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../../errors.ts'
import {
  beginRotation,
  endRotation,
  type Identity,
  type IdentityFile,
  newIdentity,
  readIdentity,
  writeIdentity,
} from '../keys/identity-file.ts'

/** The identities of the accounts of one owner at one host, one file for each. */
export type Identities = {
  /** Made if it does not exist. `member` is the lasting name of the account on this machine. */
  open(member: string): Identity
  ofAgent(agent: string): Identity | null
  /** Notes the id that the host gave. */
  noteAgent(member: string, agent: string): void
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
  function pathOf(agent: string): string | null {
    for (const name of readdirSync(dir)) {
      if (!name.endsWith('.json') || name.startsWith('.')) continue
      if (read(join(dir, name))?.file.agent === agent) return join(dir, name)
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
    noteAgent(member, agent) {
      const path = join(dir, fileName(member))
      const found = read(path)
      if (found && found.file.agent !== agent) writeIdentity(path, { ...found.file, agent })
    },
    beginRotation: (agent) => change(agent, beginRotation),
    endRotation: (agent) => change(agent, endRotation),
  }
}
