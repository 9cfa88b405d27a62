import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import type { StreamHandler } from '../../streams/stream-handler.ts'
import type { DocumentCommand } from './decide-document.ts'
import { documentStream, documentView } from './document-kind.ts'
import type { DocumentState } from './document-state.ts'
import type { PluginStorage } from './plugin.ts'
import { pluginLimits } from './plugin-limits.ts'

const page = 500

/** The documents of one plugin. Those of others are out of its reach. */
export function pluginStorage(
  plugin: string,
  { store, documents, clock }: { store: Store; documents: StreamHandler<DocumentState, DocumentCommand>; clock: Clock },
): PluginStorage {
  const getStream = (key: string): string => {
    if (typeof key !== 'string' || key === '' || key.length > pluginLimits.keyChars)
      throw new TypeError(`A key has 1 to ${pluginLimits.keyChars} characters.`)
    return documentStream(plugin, key)
  }
  return {
    async get(key) {
      const { value, rev } = await documents.load(getStream(key))
      // A copy: what the plugin does with it must not change what was read.
      return rev === 0 ? null : { value: structuredClone(value), rev }
    },
    async put(key, value, rev) {
      const stream = getStream(key)
      const json: string | undefined = JSON.stringify(value)
      if (json === undefined) throw new TypeError('Only what JSON can say can be kept.')
      if (Buffer.byteLength(json) > pluginLimits.documentBytes)
        throw new RangeError(`A document has at most ${pluginLimits.documentBytes} bytes as JSON.`)
      const command: DocumentCommand = {
        type: 'write-document',
        at: clock.now(),
        plugin,
        key,
        value: JSON.parse(json) as unknown,
        rev,
        chars: json.length,
      }
      const handled = await documents.handle(stream, [command])
      if (!handled.ok && handled.why !== 'refused') throw new ParleyError('busy', {}, { retryable: true })
      return handled.ok
    },
    async keys() {
      const keys: string[] = []
      for (let before: { sort: number; key: string } | null = null; ;) {
        const rows = await store.rows({ view: documentView, group: plugin, limit: page, ...(before && { before }) })
        keys.push(...rows.map(({ body }) => (body as { key: string }).key))
        const last = rows.at(-1)
        if (!last || rows.length < page) return keys
        before = { sort: last.sort, key: last.key }
      }
    },
  }
}
