import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildEventSchemas, type FieldSchema } from './build-event-schemas.ts'
import { publicTypes } from './build-events.ts'
import { readBuildEvent } from './read-build-event.ts'

type Fields = Readonly<Record<string, FieldSchema>>

/** Set by Parley alone, or corrected instead of refused. */
const tolerated = new Set(['assistant.message.created.kind', 'progress.step.started.index', 'progress.step.started.total'])

test('every event of the protocol has a schema, and its example is accepted as it is', () => {
  assert.deepEqual(Object.keys(buildEventSchemas).toSorted(), [...publicTypes].toSorted())
  for (const [type, { example }] of Object.entries(buildEventSchemas))
    assert.deepEqual(readBuildEvent({ type, payload: example }), { event: { type, payload: example } })
})

test('the reader refuses an event without a required field, accepts it without an optional one, and ignores others', () => {
  let checked = 0
  for (const [type, schema] of Object.entries(buildEventSchemas)) {
    const fields: Fields = schema.fields
    const example = schema.example as Record<string, unknown>
    for (const [name, { isOptional }] of Object.entries(fields)) {
      if (tolerated.has(`${type}.${name}`)) continue
      const { [name]: _, ...without } = example
      // A choice needs its options; a question with text has none.
      const payload = name === 'options' ? { ...without, input: 'text' } : without
      assert.equal('fault' in readBuildEvent({ type, payload }), isOptional !== true, `${type} without ${name}`)
      checked += 1
    }
    const more = readBuildEvent({ type, payload: { ...example, surprise: 1 } })
    assert.deepEqual(more, { event: { type, payload: example } }, `${type} with a field of its own`)
    assert.deepEqual(
      Object.keys(example).filter((name) => !Object.hasOwn(fields, name)),
      [],
    )
  }
  assert.ok(checked > 20)
})
