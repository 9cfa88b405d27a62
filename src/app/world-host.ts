import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ParleyError } from '../errors.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import { randomIds } from '../ports/ids.ts'
import type { Log } from '../ports/log.ts'
import { noMetrics } from '../ports/metrics.ts'
import type { Store } from '../ports/store.ts'
import { groupCommitter } from '../streams/committer.ts'
import { worldsHost } from '../worlds/host/worlds-host.ts'
import { makePrivateJwk, readSigningKey, type SigningKey } from '../worlds/keys/signing-key.ts'
import type { A2aParts } from '../worlds/a2a/a2a-endpoint.ts'
import { keptHeads } from '../worlds/wire/heads.ts'
import { hostEndpoint } from '../worlds/wire/host-endpoint.ts'
import { hostServer } from '../worlds/wire/host-server.ts'
import { type WireLimits, wireLimits } from '../worlds/wire/wire-limits.ts'
import { writeFileAtomic } from './config/write-file-atomic.ts'

export type WorldHostOptions = {
  store: Store
  dataDir: string
  clock?: Clock
  log: Log
  hostname: string
  port: number
  /** Address under which members reach this host, if another server is in front of it. */
  publicUrl: string | undefined
  isA2aOn: boolean
  version: string
  limits?: WireLimits
}

export type RunningWorldHost = { url: string; publicKey: string; stop(graceMs: number): Promise<void> }

/** A world host as a server of its own: accounts, worlds and conversations of members who connect over the wire. */
export async function startWorldHost(options: WorldHostOptions): Promise<RunningWorldHost> {
  const { store, dataDir, clock = systemClock, log, limits = wireLimits } = options
  const committer = groupCommitter(store)
  const base = { store, committer, clock, log }
  const key = hostKey(join(dataDir, 'world-host-key.json'))
  const host = worldsHost({ ...base, ids: randomIds, metrics: noMetrics })
  let url = options.publicUrl ?? ''
  const endpoint = hostEndpoint({ ...base, host, heads: keptHeads(base), limits, origins: () => [url] })
  const a2a = options.isA2aOn ? await openA2a({ ...base, host, key, origin: () => url, version: options.version }) : null
  const server = await hostServer({ endpoint, a2a: a2a?.fetch ?? null, log, clock, limits, port: options.port, hostname: options.hostname })
  if (url === '') url = `http://${options.hostname}:${server.port}`
  host.start()
  return {
    url,
    publicKey: key.publicKey,
    async stop(graceMs) {
      a2a?.close()
      await server.close()
      await host.stop(graceMs)
      await committer.drain()
    },
  }
}

async function openA2a(parts: A2aParts) {
  try {
    const { a2aEndpoint } = await import('../worlds/a2a/a2a-endpoint.ts')
    return await a2aEndpoint(parts)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ParleyError('package_missing', { package: '@a2a-js/sdk' }, { cause: error })
  }
}

/** The key with which the host signs its cards; made at the first start. */
function hostKey(path: string): SigningKey {
  try {
    const key = readSigningKey(JSON.parse(readFileSync(path, 'utf8')))
    if (!key) throw new ParleyError('key_file_broken', { path })
    return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  writeFileAtomic(path, `${JSON.stringify(makePrivateJwk())}\n`, 0o600)
  return hostKey(path)
}
