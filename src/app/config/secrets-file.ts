import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from './write-file-atomic.ts'

/**
 * Keys that were typed at a prompt, one `NAME=value` on each line, readable only by their owner. parley.yaml names them as
 * `${NAME}`, so it can be shown and committed.
 */
export const secretsFile = (dataDir: string): string => join(dataDir, 'secrets.env')

export function readSecrets(dataDir: string): Record<string, string> {
  let text: string
  try {
    text = readFileSync(secretsFile(dataDir), 'utf8')
  } catch {
    return {}
  }
  const secrets: Record<string, string> = {}
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Z_][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    if (name !== undefined && value !== undefined) secrets[name] = value
  }
  return secrets
}

export function keepSecret(dataDir: string, name: string, value: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return writeSecrets(dataDir, { ...readSecrets(dataDir), [name]: value })
}

/** False when there was none of that name. */
export function dropSecret(dataDir: string, name: string): boolean {
  const { [name]: dropped, ...rest } = readSecrets(dataDir)
  if (dropped !== undefined) writeSecrets(dataDir, rest)
  return dropped !== undefined
}

function writeSecrets(dataDir: string, secrets: Readonly<Record<string, string>>): string {
  const file = secretsFile(dataDir)
  const lines = Object.entries(secrets).map(([key, secret]) => `${key}=${secret}`)
  writeFileAtomic(file, `${lines.join('\n')}\n`, 0o600)
  return file
}

/** Variables of the environment override stored secrets. */
export function withSecrets(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const all = { ...env }
  for (const [name, value] of Object.entries(readSecrets(dataDir))) if (!all[name]) all[name] = value
  return all
}
