import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cases } from '../../../../test/render-matrix/messages.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { anyMessage } from '../../presentation/test/any-message.ts'

/** Two tests: messages of the matrix, and any others, are accepted by the platform at every target. */
export function testRenderer<Target>(
  platform: string,
  targets: readonly Target[],
  findFaults: (message: ReplyPayload, target: Target) => string[],
): void {
  test(`render${platform}: every message of the matrix is accepted by ${platform}, at ${targets.length} targets`, (t) => {
    const isHere = platformSchema(platform.toLowerCase()) !== null
    t.diagnostic(
      isHere ? `${cases.length} messages` : 'the platform contracts (../shared/platforms) are not here: only our own limits are checked',
    )
    for (const { name, message } of cases)
      for (const [at, target] of targets.entries()) assert.deepEqual(findFaults(message, target), [], `${name}, target ${at}`)
  })

  test(`render${platform}: any message is accepted by ${platform}`, () => {
    const numRuns = Number(process.env['PARLEY_RANDOM_MESSAGES'] ?? 300)
    fc.assert(
      fc.property(anyMessage, fc.constantFrom(...targets), (message, target) => assert.deepEqual(findFaults(message, target), [])),
      { numRuns },
    )
  })
}
