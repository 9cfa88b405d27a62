import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { ChannelRenderer, RenderTarget } from '../../../ports/channel.ts'
import { type Block, listBlocks, type Props } from '../../../testing/mattermost-emulator/mattermost-state.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { mattermostCapabilities } from './capabilities.ts'
import { renderMattermost } from './render.ts'
import { contextSigner } from './signature.ts'

const schema = platformSchema('mattermost')
const address = 'sampleofachannel0123456789'
const edit = ['idofapost00000000000000001']

const rendererFor = (shape: 'blocks' | 'attachments', hasControls = true): ChannelRenderer => {
  const format = { shape, hasControls }
  const account = { format, callbackUrl: 'https://parley.example/v1/channels/mattermost/webhook', sign: contextSigner('token') }
  return { name: shape, capabilities: mattermostCapabilities(format), render: (adapted, to) => renderMattermost(adapted, to, account) }
}
const renderers = [rendererFor('blocks'), rendererFor('attachments'), rendererFor('blocks', false)]

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, { renderer, to }: { renderer: ChannelRenderer; to: RenderTarget }): string[] {
  return present(message, renderer, to, previewTokens).requests.flatMap(({ operation, body = {} }) => {
    const props = (body['props'] ?? {}) as Props
    const blocks: Block[] = listBlocks(props.mm_blocks ?? [])
    const ids = blocks.flatMap(({ action_id: id }) => id ?? [])
    const actions = Object.keys(props.mm_blocks_actions ?? {})
    const legacy = (props.attachments ?? []).flatMap(({ actions: list = [] }) => list.map(({ id }) => id))
    const length = blocks.reduce((sum, { text = '' }) => sum + text.length, 0)
    const words = (body['message'] ?? '') as string
    const files = (body['file_ids'] ?? []) as string[]
    const isEmpty = words.trim() === '' && blocks.length === 0 && !props.attachments && files.length === 0
    return [
      ...(schema?.validate(operation, body) ?? []),
      ...(blocks.length > 100 ? [`${blocks.length} blocks`] : []),
      ...(length > 16_000 ? [`${length} characters`] : []),
      ...(words.length > 16_383 ? [`${words.length} characters in the message`] : []),
      ...(JSON.stringify(props).length > 760_000 ? ['large props'] : []),
      ...(ids.toSorted().join() === actions.toSorted().join() ? [] : ['actions and controls do not match']),
      ...(new Set(ids).size === ids.length && new Set(legacy).size === legacy.length ? [] : ['an id occurs twice']),
      ...(files.length > 10 ? [`${files.length} files`] : []),
      ...(isEmpty ? ['an empty post'] : []),
    ]
  })
}

testRenderer(
  'Mattermost',
  renderers.flatMap((renderer) => [{ address }, { address, edit }].map((to) => ({ renderer, to }))),
  findFaults,
)
