import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decideDocument, type DocumentCommand } from './decide-document.ts'
import { initialDocument, evolveDocument } from './document-state.ts'

/** A command that is missing here does not compile. */
const commands = {
  'write-document': fc.record({ value: fc.jsonValue({ maxDepth: 2 }), chars: fc.nat(99), isLate: fc.boolean() }),
} satisfies Record<DocumentCommand['type'], fc.Arbitrary<unknown>>

test('document: in any order a write replaces the value, and one that knows an older value is refused', () => {
  fc.assert(
    fc.property(fc.array(commands['write-document'], { maxLength: 10 }), (writes) => {
      let state = initialDocument
      for (const [at, { value, chars, isLate }] of writes.entries()) {
        const rev = isLate ? state.rev - 1 : state.rev
        const decision = decideDocument(state, { type: 'write-document', at, plugin: 'p', key: 'k', value, rev, chars })
        if (isLate) {
          assert.equal('refused' in decision && decision.refused.code, 'busy')
          continue
        }
        assert.ok('events' in decision)
        const before = state
        state = decision.events.reduce(evolveDocument, state)
        assert.deepEqual(state.value, value)
        assert.deepEqual([state.rev, state.chars], [before.rev + 1, value === null ? 0 : chars])
      }
    }),
  )
})
