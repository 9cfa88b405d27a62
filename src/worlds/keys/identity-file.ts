import { readFileSync, statSync } from 'node:fs'
import { writeFileAtomic } from '../../app/config/write-file-atomic.ts'
import { refuse, type Refusal } from '../../errors.ts'
import { keyName, makePrivateJwk, type PrivateJwk, readSigningKey, type SigningKey } from './signing-key.ts'

/** The account at the host, as far as it is needed without it. */
export type KnownAccount = { agent: string; code: string; view: unknown }

/**
 * The identity of one account on the machine of its owner. `next` is a key that the host may or may not know yet: it is
 * written before the host is asked, so that a crash in between loses neither. `account` is what
 * the host said last, so that the owner's agents can start while it is away. `past` are the public keys that were in use.
 */
export type IdentityFile = {
  v: 1
  host: string
  name: string
  account: KnownAccount | null
  key: PrivateJwk
  next: PrivateJwk | null
  past: string[]
}

/** `name` is the lasting name of the account at its host: the thumbprint of its first key. */
export type Identity = {
  host: string
  name: string
  account: KnownAccount | null
  key: SigningKey
  next: SigningKey | null
  past: string[]
}

export function newIdentity(host: string): IdentityFile {
  const key = makePrivateJwk()
  return { v: 1, host, name: keyName(key.x), account: null, key, next: null, past: [] }
}

export const writeIdentity = (path: string, file: IdentityFile): void => writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`, 0o600)

/** Null if there is none. A file that others can read is refused: its key may be known to them. */
export function readIdentity(path: string): { file: IdentityFile; identity: Identity } | null | { refused: Refusal } {
  let text: string
  try {
    const { mode } = statSync(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) return refuse('key_file_readable', { path })
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  return parseIdentity(text) ?? refuse('key_file_broken', { path })
}

export function parseIdentity(text: string): { file: IdentityFile; identity: Identity } | null {
  let file: IdentityFile
  try {
    file = JSON.parse(text) as IdentityFile
  } catch {
    return null
  }
  if (file?.v !== 1 || typeof file.host !== 'string' || typeof file.name !== 'string') return null
  const key = readSigningKey(file.key)
  const next = file.next === null ? null : readSigningKey(file.next)
  if (!key || (file.next !== null && !next)) return null
  return { file, identity: { host: file.host, name: file.name, account: file.account ?? null, key, next, past: file.past ?? [] } }
}

export const beginRotation = (file: IdentityFile): IdentityFile => (file.next ? file : { ...file, next: makePrivateJwk() })

const keptKeys = 50

/** After the host has taken the new key. */
export const endRotation = (file: IdentityFile): IdentityFile =>
  file.next ? { ...file, key: file.next, next: null, past: [...file.past, file.key.x].slice(-keptKeys) } : file
