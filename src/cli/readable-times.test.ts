import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { when } from '../shapes/schemas/component.ts'
import * as authority from '../shapes/schemas/authority-responses.ts'
import * as builds from '../shapes/schemas/build-responses.ts'
import * as chats from '../shapes/schemas/chat-responses.ts'
import * as responses from '../shapes/schemas/responses.ts'
import * as worlds from '../shapes/schemas/world-responses.ts'
import { readableTimes } from './readable-times.ts'

const now = Date.UTC(2026, 10, 18, 23, 5, 27, 12)

test('times are written as ISO 8601 at any depth, and numbers that are no times stay', () => {
  const dialog = {
    id: 'dlg_1',
    openedAt: now,

    position: now,
    retryAt: null,
    events: [{ at: now, data: { until: now, waitedMs: 5 } }],
  }
  assert.deepEqual(JSON.parse(JSON.stringify(dialog, readableTimes)), {
    id: 'dlg_1',
    openedAt: '2026-11-18T23:05:27.012Z',

    position: now,
    retryAt: null,
    events: [{ at: '2026-11-18T23:05:27.012Z', data: { until: '2026-11-18T23:05:27.012Z', waitedMs: 5 } }],
  })
  assert.equal(JSON.stringify({ expiresAt: Number.MAX_SAFE_INTEGER }, readableTimes), `{"expiresAt":${Number.MAX_SAFE_INTEGER}}`)
})

test('every time of the API is written so', () => {
  const names = new Set<string>()
  const seen = new Set<unknown>()
  for (const schemas of [authority, builds, chats, responses, worlds])
    for (const schema of Object.values(schemas)) if (schema instanceof z.ZodType) collectTimes(schema, '', names, seen)
  assert.ok(names.size > 15, `only ${names.size} times were found`)
  assert.deepEqual(
    [...names].filter((name) => readableTimes(name, now) === now),
    [],
  )
})

/** The names of all fields of a schema that hold a time. */
function collectTimes(schema: unknown, name: string, names: Set<string>, seen: Set<unknown>): void {
  if (schema === when) names.add(name)
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  if (!(schema instanceof z.ZodType)) return
  seen.add(schema)
  if (schema instanceof z.ZodObject)
    for (const [field, inner] of Object.entries<unknown>(schema.shape)) collectTimes(inner, field, names, new Set(seen))
  else for (const inner of Object.values(schema.def).flat()) if (inner instanceof z.ZodType) collectTimes(inner, name, names, seen)
}
