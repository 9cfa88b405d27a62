import { readPresentation } from '../chats/message/shown-message.ts'
import { showReply } from '../dialogs/rules/tree-tools.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import { presentation } from './message-schema.ts'

/**
 * The tool by which a model shows a presentation with its reply. It never runs: a well-formed call becomes part of the message of
 * its generation and the turn ends, a malformed one fails its check and the model reads the reason.
 */
export const showReplyTool: Tool = {
  name: showReply,
  description:
    'Show a card with your reply: title, texts, table, chart, image, buttons, select. Say the rest as usual. Ends your turn; a tap comes back to you as a message. Use it only where it shows more than text.',
  inputSchema: { ...presentation, required: ['blocks'], additionalProperties: false },
  afterCrash: 'repeat',
  gate: { kind: 'talk' },
  check(given) {
    const read = readPresentation(withBlocks(given))
    return 'fault' in read ? read : { input: read.presentation }
  },
  async run() {
    throw new Error('A presentation is shown with its message, not run.')
  },
}

/** Small models like to write a list as a text of JSON, and to wrap the input in its own name. */
function withBlocks(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  const { presentation: inner, ...input } = given as Record<string, unknown>
  if (typeof inner === 'object' && inner !== null && input['blocks'] === undefined) return inner
  if (typeof input['blocks'] !== 'string') return given
  try {
    return { ...input, blocks: JSON.parse(input['blocks']) as unknown }
  } catch {
    return given
  }
}
