import { createHash } from 'node:crypto'
import { type Clock, systemClock } from '../../ports/clock.ts'
import { silentLog } from '../../ports/log.ts'
import type { PluginHost, PluginStorage } from '../host/plugin.ts'

/** A host in memory without effects, to see the parts of a plugin. */
export function memoryHost({ clock = systemClock }: { clock?: Clock } = {}): PluginHost {
  return {
    storage: memoryDocuments(),
    log: silentLog,
    clock,
    secret: (purpose) => createHash('sha256').update(`check\0${purpose}`).digest('base64url'),
    stripControls: async () => {},
    send: async () => ({ delivery: '' }),
    edit: async () => {},
    say: async () => {},
  }
}

function memoryDocuments(): PluginStorage {
  const documents = new Map<string, { value: unknown; rev: number }>()
  return {
    async get(key) {
      const match = documents.get(key)
      return match ? structuredClone(match) : null
    },
    async put(key, value, rev) {
      if ((documents.get(key)?.rev ?? 0) !== rev) return false
      documents.set(key, { value: structuredClone(value), rev: rev + 1 })
      return true
    },
    keys: async () => [...documents].flatMap(([key, { value }]) => (value === null ? [] : [key])),
  }
}
