import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { RenderTarget } from '../../../ports/channel.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { slackLimits } from './limits.ts'
import { slackRenderer } from './render.ts'

const schema = platformSchema('slack')

type Block = { block_id?: string; elements?: { action_id?: string }[] }

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, to: RenderTarget): string[] {
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

testRenderer(
  'Slack',
  [{ address: 'C0TEAM' }, { address: 'C0TEAM', onlyFor: 'U0MIA' }, { address: 'U0MIA', edit: ['1700000000.000100'] }],
  findFaults,
)
