/** Parley below /parley of a Hono app. */
import { Hono } from 'hono'
import { memoryStore, parley } from '../../src/index.ts'
import { echo } from './agents.ts'

export const app = await parley({ store: memoryStore(), agents: [echo], web: { url: 'https://example.org/parley' } })

export const site = new Hono()
site.get('/', (context) => context.text('My site'))
site.all('/parley/*', (context) => app.fetch(context.req.raw))
