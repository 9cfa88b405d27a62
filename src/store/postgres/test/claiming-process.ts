// A process of its own that claims one piece of work, reports it, and commits under its lease when it is told to.
import { postgresStore } from '../postgres-store.ts'

const [url = '', leaseMs = '1000'] = process.argv.slice(2)
const store = await postgresStore({ url })
const [lease] = await store.claim('turn', 1, Number(leaseMs))
process.send?.(lease ? 'claimed' : 'nothing')
process.on('message', () => void commit())

async function commit(): Promise<void> {
  const [result] = lease
    ? await store.commit([{ lease, append: [{ stream: 'late', expect: 0, events: [{ type: 'word.said', at: 1, data: {} }] }] }])
    : []
  process.send?.(result?.ok ? 'committed' : result?.why)
}
