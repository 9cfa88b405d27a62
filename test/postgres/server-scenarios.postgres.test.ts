// The end-to-end tests of the server, of trees and of chats, each server on a database of its own.
import { after } from 'node:test'
import { serveOnPostgres } from '../fixtures/killable-server.ts'
import { startPostgres } from '../fixtures/postgres-server.ts'

const postgres = await startPostgres()
after(() => postgres.stop())
serveOnPostgres(() => postgres.database())
// The kills at random moments are repeated on SQLite; PostgreSQL needs one of each kind.
process.env['PARLEY_CAMPAIGN'] ??= 'short'

await import('../kill.e2e.test.ts')
await import('../kill-tree.e2e.test.ts')
await import('../telegram/dialog.e2e.test.ts')
await import('../telegram/questions.e2e.test.ts')
