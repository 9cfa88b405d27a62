import type { AdaptedBlock, AdaptedMessage, AdaptedPart, ChannelRenderer, PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import { isLocal } from '../../message/media.ts'
import type { MessagePresentationTone } from '../../message/presentation.ts'
import { directAddress, toPlace } from './address.ts'
import { toAttachments } from './attachments.ts'
import { type Action, type Register, spell, toBlocks, type Words } from './blocks.ts'
import { mattermostCapabilities, type PostFormat } from './capabilities.ts'
import { readMattermost } from './read-back.ts'
import type { SignContext } from './signature.ts'

/** The account whose controls call Parley. */
export type RenderAccount = {
  format: PostFormat
  /** Where Mattermost calls Parley. */
  callbackUrl: string
  sign: SignContext
}

/** For previews: a server of today. */
export const mattermostRenderer: ChannelRenderer = {
  name: 'mattermost',
  capabilities: mattermostCapabilities({ shape: 'blocks', hasControls: true }),
  readBack: readMattermost,
  render: (adapted, to) =>
    renderMattermost(adapted, to, {
      format: { shape: 'blocks', hasControls: true },
      callbackUrl: 'https://parley.example/v1/channels/mattermost/webhook',
      sign: (address, value) => ({ address, ...(value !== null && { value }), signature: 'signature' }),
    }),
}

/** B container: accents; the colours of attachments have no blue. */
const accents: Readonly<Record<MessagePresentationTone, { blocks: string; attachments: string } | undefined>> = {
  neutral: undefined,
  info: { blocks: 'primary', attachments: '#1C58D9' },
  success: { blocks: 'good', attachments: 'good' },
  warning: { blocks: 'warning', attachments: 'warning' },
  danger: { blocks: 'danger', attachments: 'danger' },
}

/** Spells an adapted message as posts. Everything fits already; nothing is decided here. */
export function renderMattermost(
  { tone, parts }: AdaptedMessage,
  to: RenderTarget,
  account: RenderAccount,
): { requests: PlatformRequest[] } {
  return { requests: parts.map((part, index) => toRequest(part, tone, to, index, account)) }
}

function toRequest(
  part: AdaptedPart,
  tone: MessagePresentationTone | undefined,
  to: RenderTarget,
  index: number,
  account: RenderAccount,
): PlatformRequest {
  const { message, props } = layOut(part, tone, to, account)
  const files = part.blocks.flatMap((block) => (block.type === 'media' && isLocal(block) ? [uploadUrl(block)] : []))
  const { channel_id, root_id } = toPlace(to.address)
  const postId = to.edit?.[index]
  if (postId !== undefined) {
    // Files that are not named stay. Those of a post that shows none now are removed.
    const hadFiles = typeof to.showing?.[index] === 'string'
    return {
      operation: 'PatchPost',
      // The channel is needed where files are uploaded.
      path: { post_id: postId, channel_id },
      body: { message, props, ...((files.length > 0 || hadFiles) && { file_ids: files }) },
    }
  }
  const post = { channel_id, ...(root_id !== undefined && { root_id }), message, props }
  if (to.onlyFor !== undefined && channel_id !== directAddress(to.onlyFor))
    return { operation: 'CreatePostEphemeral', body: { user_id: to.onlyFor, post } }
  return { operation: 'CreatePost', body: { ...post, ...(files.length > 0 && { file_ids: files }) } }
}

/** A file of this machine goes up under the name its author gave it: the fragment keeps it beside the path. */
const uploadUrl = ({ url, name }: { url: string; name: string }): string => (url.includes('#') ? url : `${url}#${encodeURIComponent(name)}`)

type Layout = { message: string; props: Record<string, unknown> }

/**
 * The words that a post begins with are its message, which notifications and the search show. The rest stands below it. With
 * an accent, the title alone is the message.
 */
function layOut({ blocks }: AdaptedPart, tone: MessagePresentationTone | undefined, to: RenderTarget, account: RenderAccount): Layout {
  const plain = to.plain === true
  const accent = tone && accents[tone]
  let head = blocks.findIndex(({ type }) => type !== 'text' && type !== 'title')
  if (head === -1) head = blocks.length
  if (accent) head = blocks[0]?.type === 'title' && blocks.length > 1 ? 1 : 0
  const message = blocks
    .slice(0, head)
    .map((block) => spell(block as Words, plain))
    .join('\n\n')
  const rest = blocks.slice(head)
  const props = rest.length === 0 ? {} : toProps(rest, plain, accent, to.address, account)
  const hasFiles = blocks.some((block) => block.type === 'media' && isLocal(block))
  // Mattermost refuses a post without anything to see.
  return { message: message.trim() === '' && Object.keys(props).length === 0 && !hasFiles ? '…' : message, props }
}

function toProps(
  rest: readonly AdaptedBlock[],
  plain: boolean,
  accent: { blocks: string; attachments: string } | undefined,
  address: string,
  { format, callbackUrl, sign }: RenderAccount,
): Record<string, unknown> {
  if (format.shape === 'attachments') {
    const attachments = toAttachments(rest, plain, accent?.attachments, (value) => ({ url: callbackUrl, context: sign(address, value) }))
    return attachments.length > 0 ? { attachments } : {}
  }
  const actions: Record<string, Action> = {}
  const add = (action: Action): string => {
    const id = `a${Object.keys(actions).length}`
    actions[id] = action
    return id
  }
  const register: Register = {
    value: (value) => add({ type: 'external', url: callbackUrl, context: sign(address, value) }),
    url: (url) => add({ type: 'openURL', url }),
  }
  const content = rest.flatMap((block) => toBlocks(block, plain, register))
  if (content.length === 0) return {}
  return {
    mm_blocks: accent ? [{ type: 'container', accent_color: accent.blocks, gap: 'small', content }] : content,
    ...(Object.keys(actions).length > 0 && { mm_blocks_actions: actions }),
  }
}
