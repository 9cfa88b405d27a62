import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platformSchema } from '../../../../test/render-matrix/platform-schema.ts'
import type { PlatformRequest, RenderTarget } from '../../../ports/channel.ts'
import { findProblem } from '../../../testing/feishu-emulator/feishu-rules.ts'
import type { ReplyPayload } from '../../message/reply-payload.ts'
import { present } from '../../presentation/present.ts'
import { previewTokens } from '../../presentation/preview-tokens.ts'
import { testRenderer } from '../test/test-renderer.ts'
import { feishuRenderer } from './render.ts'
import { feishuFaults } from './test/schema-faults.ts'

const schema = platformSchema('feishu')
const sample = 'oc_a0553eda9014c201e6969b478895c230'

/** Rules of the platform's contract, and those that no schema holds. */
function findFaults(message: ReplyPayload, to: RenderTarget): string[] {
  return present(message, feishuRenderer, to, previewTokens).requests.flatMap((request) => {
    const { msg_type: type = 'interactive', content = '{}' } = (request.body ?? {}) as { msg_type?: string; content?: string }
    const problem = findProblem(type, content)
    return [...(schema ? feishuFaults(schema.validate, request) : []), ...(problem === null ? [] : [problem])]
  })
}

testRenderer(
  'Feishu',
  [
    { address: sample },
    { address: `${sample}:thread:om_dc13264520392913993dd051dba21dcf` },
    { address: 'ou_7d8a6e6df7621556ce0d21922b676706', plain: true },
    { address: sample, edit: ['om_dc13264520392913993dd051dba21dcf'] },
  ],
  findFaults,
)

const render = (message: ReplyPayload, address = sample): PlatformRequest[] =>
  present(message, feishuRenderer, { address }, previewTokens).requests

const card = (
  request: PlatformRequest | undefined,
): { header?: { title: { content: string }; template: string }; body: { elements: { tag: string }[] } } =>
  JSON.parse(String(request?.body?.['content'])) as ReturnType<typeof card>

test('renderFeishu: the title is the header in the colour of the tone, and is not repeated', () => {
  const [request] = render({ presentation: { tone: 'warning', title: 'Deploy', blocks: [{ type: 'text', text: 'Ship **it**?' }] } })
  const { header, body } = card(request)
  assert.deepEqual([header?.title.content, header?.template], ['Deploy', 'orange'])
  assert.deepEqual(body.elements, [{ tag: 'markdown', content: 'Ship **it**?' }])
})

test('renderFeishu: a tone without a title is a coloured header with a sign', () => {
  const { header } = card(render({ presentation: { tone: 'danger', blocks: [{ type: 'text', text: 'Stop' }] } })[0])
  assert.deepEqual([header?.title.content, header?.template], ['⛔', 'red'])
})

test('renderFeishu: a table is native', () => {
  const [request] = render({ presentation: { blocks: [{ type: 'table', headers: ['A', 'B'], rows: [['x', 1]] }] } })
  const [table] = card(request).body.elements as unknown as [{ tag: string; rows: unknown[] }]
  assert.deepEqual([table.tag, table.rows], ['table', [{ c0: 'x', c1: '1' }]])
})

test('renderFeishu: a message in a topic replies to the message that begins it', () => {
  const [request] = render({ text: 'hi' }, `${sample}:thread:om_dc13264520392913993dd051dba21dcf`)
  assert.deepEqual(
    [request?.operation, request?.path, request?.body?.['reply_in_thread']],
    ['im.message.reply', { message_id: 'om_dc13264520392913993dd051dba21dcf' }, true],
  )
})
