import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { distrustOfFile } from './trust.ts'

/** File of a running server in its data folder, readable only by its owner. */
export type ServerNote = { url: string; pid: number; token: string; version: string; config?: string }

export type Found = { url: string; token: string | undefined; from: 'flag' | 'environment' | 'note'; note: ServerNote | null }

export const usualUrl = 'http://127.0.0.1:4700'

export function readNote(dataDir: string): ServerNote | null {
  try {
    const note = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as Partial<ServerNote>
    if (typeof note.url !== 'string' || typeof note.token !== 'string') return null
    return {
      url: note.url,
      token: note.token,
      pid: note.pid ?? 0,
      version: note.version ?? '',
      ...(typeof note.config === 'string' ? { config: note.config } : {}),
    }
  } catch {
    return null
  }
}

/** This folder and all above it, nearest first. */
function* upwards(from: string): Generator<string> {
  for (let at = resolve(from); ; at = dirname(at)) {
    yield at
    if (dirname(at) === at) return
  }
}

function nearestNote(cwd: string, env: NodeJS.ProcessEnv): ServerNote | null {
  if (env['PARLEY_DATA']) return readNote(resolve(cwd, env['PARLEY_DATA']))
  for (const folder of upwards(cwd)) {
    const data = join(folder, '.parley')
    const note = readNote(data)
    // A stranger's note above would have everything said here, and PARLEY_TOKEN, sent to the stranger's server.
    if (note && (folder === resolve(cwd) || distrustOfFile(join(data, 'server.json')) === null)) return note
  }
  return null
}

const sameAddress = (a: string, b: string): boolean => a.replace(/(?<!\/)\/+$/, '') === b.replace(/(?<!\/)\/+$/, '')

/** A flag beats the environment, which beats the server of this folder or the nearest one above. Null when nothing is known. */
export function findServer(cwd: string, env: NodeJS.ProcessEnv, flag: string | undefined): Found | null {
  const note = nearestNote(cwd, env)
  const url = flag ?? (env['PARLEY_URL'] || undefined)
  const token = env['PARLEY_TOKEN'] || undefined
  if (url === undefined) return note && { url: note.url, token: token ?? note.token, from: 'note', note }
  const ours = note && sameAddress(note.url, url) ? note : null
  return { url, token: token ?? ours?.token, from: flag === undefined ? 'environment' : 'flag', note: ours }
}
