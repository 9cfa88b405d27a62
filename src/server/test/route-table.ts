import assert from 'node:assert/strict'
import type { Fetch } from '../../client/http.ts'
import { previewMessage } from '../../app/preview.ts'
import { site } from '../auth/same-site.ts'
import type { Route } from '../routes/route.ts'
import { routes } from '../routes/routes.ts'
import type { ServerUnderTest } from './server-under-test.ts'

/** The whole API as data. Its handlers are not for calling. */
export function buildTable(under: Pick<ServerUnderTest, 'parley' | 'access'>): Route[] {
  return routes({
    isReady: () => under.parley.events.check(),
    access: under.access,
    site: site(() => '127.0.0.1', []),
    url: () => '',
    isClosing: () => false,
    metricsText: () => '',
    streamsOver: new AbortController().signal,
    preview: previewMessage,
    info: () => Promise.reject(new Error('not asked')),
  })
}

/** A `fetch` that fails the test when a response does not fit the schema of its route. */
export function checkingFetch(under: Pick<ServerUnderTest, 'parley' | 'access'>): Fetch {
  const rows = buildTable(under).map((row) => ({ ...row, pattern: new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`) }))
  return async (address, init) => {
    const response = await fetch(address, init)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    if (!response.ok || !isJson) return response
    const method = (init?.method ?? 'GET').toLowerCase()
    const row = rows.find((one) => one.method === method && one.pattern.test(new URL(address).pathname))
    const parsed = row?.response?.safeParse(await response.clone().json())
    assert.ok(parsed?.success !== false, `${row?.operation}: ${parsed?.error?.message}`)
    return response
  }
}
