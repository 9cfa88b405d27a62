import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cases } from '../../../../test/render-matrix/messages.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import { findProblem } from '../../../testing/line-emulator/line-rules.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { anyMessage } from '../../presentation/test/any-message.ts'
import { lineAddress } from './address.ts'
import { lineRenderer } from './render.ts'

const schema = platformSchema('line')

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload): string[] {
  return present(message, lineRenderer, { address: lineAddress.sample }, previewTokens).requests.flatMap(({ operation, body, covers }) => {
    const messages = (body?.['messages'] ?? []) as unknown[]
    const problem = findProblem(messages)
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(problem === null ? [] : [problem]),
      ...(covers === messages.length ? [] : ['covers is not the number of messages']),
    ]
  })
}

test('renderLine: every message of the matrix is accepted by LINE', (t) => {
  t.diagnostic(
    schema ? `${cases.length} messages` : 'the platform contracts (../shared/platforms) are not here: only our own limits are checked',
  )
  for (const { name, message } of cases) assert.deepEqual(findFaults(message), [], name)
})

test('renderLine: any message is accepted by LINE', () => {
  const numRuns = Number(process.env['PARLEY_RANDOM_MESSAGES'] ?? 300)
  fc.assert(
    fc.property(anyMessage, (message) => assert.deepEqual(findFaults(message), [])),
    { numRuns },
  )
})
