import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import type { Note, OutputPart, PromptItem } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `input` of OpenAI Responses. Reasoning goes back as it came, because nothing is stored at the provider. */
export function renderResponses(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? output(step.parts, profile) : batch(step, profile)))
}

const message = (role: string, text: string): object => ({ type: 'message', role, content: [{ type: 'input_text', text }] })

function batch({ items }: Batch, { language }: Profile): object[] {
  const results = items.flatMap((item) =>
    item.kind === 'result' ? [{ type: 'function_call_output', call_id: item.call, output: resultText(item.result, language) }] : [],
  )
  const texts = items.flatMap((item): object[] => {
    if (item.kind === 'course') return item.blocks.map((block) => message('user', courseBlockText(block, language)))
    return item.kind === 'arrival' ? [message('user', arrivalText(item.arrival, language))] : []
  })
  const notes = items.flatMap((item): Note[] => (item.kind === 'note' ? [item.note] : []))
  return [...results, ...texts, ...(notes.length === 0 ? [] : [message('developer', notesText(notes, language))])]
}

function output(parts: readonly OutputPart[], { maker, language }: Profile): object[] {
  const { noAnswer } = promptTexts[language]
  const all = parts.flatMap((part): object[] => {
    switch (part.type) {
      case 'reasoning':
        return part.maker === maker ? [part.data as object] : []
      case 'words':
        return part.text.trim() === '' ? [] : [words(part.text, part.phase)]
      case 'call':
        return [{ type: 'function_call', call_id: part.call, name: part.name, arguments: JSON.stringify(part.input) }]
    }
  })
  return outputWords(parts, noAnswer) === noAnswer ? [words(noAnswer, undefined)] : all
}

const words = (text: string, phase: string | undefined): object => ({
  type: 'message',
  role: 'assistant',
  ...(phase !== undefined && { phase }),
  content: [{ type: 'output_text', text }],
})
