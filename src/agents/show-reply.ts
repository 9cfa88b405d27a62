import { readPresentation } from '../chats/message/shown-message.ts'
import { showReply } from '../dialogs/rules/tree-tools.ts'
import type { Tool } from '../ports/agent-runtime.ts'
import { chartTypes, tones } from '../chats/message/presentation.ts'

const string = { type: 'string' }
const list = (items: object): object => ({ type: 'array', items })
const fields = (properties: Record<string, object>): object => ({ type: 'object', properties })

/**
 * Every request of a root dialog holds it, also those to models with a window of 8,000 tokens. So it has the usual fields of a
 * presentation with few words; a call may use the others.
 */
const schema: Tool['inputSchema'] = {
  type: 'object',
  properties: {
    title: string,
    tone: { type: 'string', enum: tones },
    blocks: list(
      fields({
        type: { type: 'string', enum: ['text', 'context', 'divider', 'buttons', 'select', 'image', 'table', 'chart'] },
        text: string,
        buttons: list(fields({ label: string, value: string, url: string })),
        options: list(fields({ label: string, value: string })),
        url: string,
        alt: string,
        headers: list(string),
        rows: list(list(string)),
        chartType: { type: 'string', enum: chartTypes },
        categories: list(string),
        series: list(fields({ name: string, values: list({ type: 'number' }) })),
      }),
    ),
  },
  required: ['blocks'],
}

/**
 * The tool by which a model shows a presentation with its reply. It never runs: a well-formed call becomes part of the message of
 * its generation and the turn ends, a malformed one fails its check and the model reads the reason.
 */
export const showReplyTool: Tool = {
  name: showReply,
  description:
    'Show a card with your reply: title, texts, table, chart, image, buttons, select. Say the rest as usual. Ends your turn; a tap comes back to you as a message. Use it only where it shows more than text.',
  inputSchema: schema,
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
