/** Parley in Next: this is `app/parley/[[...path]]/route.ts`. The page needs a WebSocket, which Next cannot upgrade to. */
import { memoryStore, parley } from '../../src/index.ts'
import { echo } from './agents.ts'

export const app = await parley({ store: memoryStore(), agents: [echo], web: { url: 'https://example.org/parley' } })

export const GET = app.fetch
export const POST = app.fetch
export const PATCH = app.fetch
export const DELETE = app.fetch
