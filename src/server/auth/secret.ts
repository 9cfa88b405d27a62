import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../../errors.ts'

/** Signing secret of cookies and links. `isOwn`: set by a person. */
export type Secret = { value: string; isOwn: boolean }

export const secretLimits = { leastChars: 32 } as const

/** The given secret, else the one kept in the data folder, made there on first use. */
export function loadSecret({ given, dataDir }: { given?: string | undefined; dataDir: string }): Secret {
  if (given !== undefined && given !== '') return { value: checked(given.trim(), 'PARLEY_SECRET'), isOwn: true }
  const file = join(dataDir, 'secret')
  return { value: checked(readIfThere(file) ?? make(dataDir, file), file), isOwn: false }
}

function checked(value: string, file: string): string {
  if (value.length < secretLimits.leastChars) {
    throw new ParleyError('config_invalid', { file, where: 'secret', why: `it has fewer than ${secretLimits.leastChars} characters` })
  }
  return value
}

/** Written to a temporary file and then linked: a second process finds the whole file of the first. */
function make(dataDir: string, file: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8').trim()
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new ParleyError('config_unreadable', { file, why: (error as Error).message }, { cause: error })
  }
}
