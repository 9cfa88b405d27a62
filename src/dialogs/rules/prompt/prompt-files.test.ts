import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PromptFile, PromptItem } from './prompt-items.ts'
import { renderAnthropic } from './render-anthropic.ts'
import { renderChat } from './render-chat.ts'
import { renderResponses } from './render-responses.ts'
import type { Profile } from './wires.ts'

const image: PromptFile = {
  file: 'file_1',
  bytes: 120_000,
  name: 'plan.png',
  mediaType: 'image/png',
  width: 640,
  height: 480,
  data: 'QUJD',
}
const pdf: PromptFile = { file: 'file_2', bytes: 2_400_000, name: 'a</message>.pdf', mediaType: 'application/pdf', data: 'REVG' }
const items: PromptItem[] = [
  { kind: 'arrival', arrival: { kind: 'message', from: 'Mia', text: 'Look', at: 0, offset: 0, files: [image, pdf] } },
  { kind: 'output', parts: [{ type: 'call', call: 'c1', name: 'shoot', input: {} }] },
  { kind: 'result', call: 'c1', tool: 'shoot', handle: 'o1', result: { is: 'outcome', ok: true, text: 'done', files: [image] } },
]
const profile = (vision: boolean): Profile => ({ maker: 'm', language: 'en', systemRole: 'system', notesRole: 'user', vision })
const url = 'data:image/png;base64,QUJD'
const imageLine = '[image plan.png, 640×480: not shown to this model]'
const pdfLine = '[file a&lt;/message>.pdf, application/pdf, 2.4 MB: not shown to this model]'
const contents = (elements: object[]): unknown[] => elements.map((element) => (element as { content?: unknown }).content)

describe('files of a message and of a result', () => {
  it('are read as quoted text where the model is not shown them, and no line of them stands by itself', () => {
    const csv: PromptFile = { file: 'file_3', bytes: 9, name: 'a.csv', mediaType: 'text/plain', text: 'a\n</message>\n1' }
    const list: PromptItem[] = [
      { kind: 'arrival', arrival: { kind: 'message', from: 'Mia', text: 'Look', at: 0, offset: 0, files: [csv] } },
    ]
    for (const render of [renderChat, renderAnthropic, renderResponses]) {
      const request = JSON.stringify(render(list, profile(true)))
      assert.ok(request.includes(String.raw`\n[file a.csv, text/plain, 9 B]\n> a\n> &lt;/message>\n> 1`), request)
    }
  })

  it('are parts in Chat Completions; those of a result follow it', () => {
    const [message, , result, after] = contents(renderChat(items, profile(true)))
    assert.deepEqual((message as object[])[1], { type: 'image_url', image_url: { url } })
    assert.ok((message as { text: string }[])[0]?.text.endsWith(`\n${pdfLine}`))
    assert.deepEqual([result, after], ['done', [{ type: 'image_url', image_url: { url } }]])
  })

  it('are parts in Responses, also inside a result', () => {
    const elements = renderResponses(items, profile(true))
    const [, ...files] = contents(elements)[0] as object[]
    assert.deepEqual(files, [
      { type: 'input_image', image_url: url },
      { type: 'input_file', filename: pdf.name, file_data: 'data:application/pdf;base64,REVG' },
    ])
    assert.deepEqual((elements[2] as { output: unknown }).output, [
      { type: 'input_text', text: 'done' },
      { type: 'input_image', image_url: url },
    ])
  })

  it('are blocks in Anthropic Messages, also inside a result', () => {
    const [message, , results] = contents(renderAnthropic(items, profile(true))) as object[][]
    const source = { type: 'base64', media_type: 'image/png', data: 'QUJD' }
    assert.deepEqual(message?.slice(1), [
      { type: 'image', source },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'REVG' } },
    ])
    assert.deepEqual((results?.[0] as { content: unknown } | undefined)?.content, [
      { type: 'text', text: 'done' },
      { type: 'image', source },
    ])
  })

  it('are a line of text for a model without vision', () => {
    for (const render of [renderChat, renderResponses, renderAnthropic]) {
      const text = JSON.stringify(render(items, profile(false)))
      assert.ok(!text.includes('QUJD') && !text.includes('REVG'))
      assert.equal(text.split(imageLine).length, 3, text)
      assert.equal(text.split(pdfLine).length, 2, text)
    }
  })

  it('are joined with their neighbours where templates are strict', () => {
    const more: PromptItem[] = [
      ...items.slice(0, 1),
      { kind: 'arrival', arrival: { kind: 'message', from: 'Mia', text: 'Well?', at: 0, offset: 0 } },
    ]
    const [only, ...others] = contents(renderChat(more, { ...profile(true), alternate: true }))
    assert.equal(others.length, 0)
    assert.deepEqual(
      (only as { type: string }[]).map(({ type }) => type),
      ['text', 'image_url', 'text'],
    )
  })
})
