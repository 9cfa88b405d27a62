import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cases } from '../../../../test/render-matrix/messages.ts'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { anyMessage } from '../../presentation/test/any-message.ts'
import { slackLimits } from './limits.ts'
import { slackRenderer } from './render.ts'

const schema = platformSchema('slack')

type Block = { block_id?: string; elements?: { action_id?: string }[] }

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, to: { address: string; edit?: string[]; onlyFor?: string }): string[] {
  return present(message, slackRenderer, to, previewTokens).requests.flatMap(({ operation, body }) => {
    const blocks = (body?.['blocks'] ?? []) as Block[]
    const ids = blocks.flatMap(({ block_id: id }) => id ?? [])
    const repeated = blocks.some(
      ({ elements = [] }) =>
        new Set(elements.map(({ action_id: id }) => id)).size !== elements.length && elements[0]?.action_id !== undefined,
    )
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(blocks.length > slackLimits.blocks ? [`${blocks.length} blocks`] : []),
      ...(new Set(ids).size === ids.length ? [] : ['a block_id occurs twice']),
      ...(repeated ? ['an action_id occurs twice'] : []),
    ]
  })
}

test('renderSlack: every message of the matrix is accepted by Slack, sent and edited', (t) => {
  t.diagnostic(
    schema ? `${cases.length} messages` : 'the platform contracts (../shared/platforms) are not here: only our own limits are checked',
  )
  for (const { name, message } of cases)
    for (const to of [{ address: 'C0TEAM' }, { address: 'C0TEAM', onlyFor: 'U0MIA' }, { address: 'U0MIA', edit: ['1700000000.000100'] }])
      assert.deepEqual(findFaults(message, to), [], name)
})

test('renderSlack: any message is accepted by Slack', () => {
  const numRuns = Number(process.env['PARLEY_RANDOM_MESSAGES'] ?? 300)
  fc.assert(
    fc.property(anyMessage, (message) => assert.deepEqual(findFaults(message, { address: 'C0TEAM' }), [])),
    { numRuns },
  )
})
