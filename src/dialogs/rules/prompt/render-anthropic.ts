import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import type { Note, OutputPart, PromptItem } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `messages` of Anthropic: one `user` message for a batch, results before all other blocks, one `assistant` message for an output. */
export function renderAnthropic(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? [assistant(step.parts, profile)] : batch(step, profile)))
}

const text = (words: string): object => ({ type: 'text', text: words })

function batch({ items }: Batch, { language, notesRole }: Profile): object[] {
  const results = items.flatMap((item) =>
    item.kind === 'result'
      ? [
          {
            type: 'tool_result',
            tool_use_id: item.call,
            content: resultText(item.result, language),
            ...(isFailed(item) && { is_error: true }),
          },
        ]
      : [],
  )
  const texts = items.flatMap((item): object[] => {
    if (item.kind === 'course') return item.blocks.map((block) => text(courseBlockText(block, language)))
    return item.kind === 'arrival' ? [text(arrivalText(item.arrival, language))] : []
  })
  const notes = items.flatMap((item): Note[] => (item.kind === 'note' ? [item.note] : []))
  const content = [...results, ...texts]
  if (notes.length === 0) return [{ role: 'user', content }]
  const note = notesText(notes, language)
  // A message of the system must follow one of the user.
  return notesRole === 'system' && content.length > 0
    ? [
        { role: 'user', content },
        { role: 'system', content: [text(note)] },
      ]
    : [{ role: 'user', content: [...content, text(note)] }]
}

const isFailed = ({ result }: Extract<PromptItem, { kind: 'result' }>): boolean =>
  (result.is === 'outcome' || result.is === 'shortened') && !result.ok

function assistant(parts: readonly OutputPart[], { maker, language }: Profile): object {
  const { noAnswer } = promptTexts[language]
  const blocks = parts.flatMap((part): object[] => {
    switch (part.type) {
      case 'reasoning':
        return part.maker === maker ? [part.data as object] : []
      case 'words':
        return part.text.trim() === '' ? [] : [text(part.text)]
      case 'call':
        return [{ type: 'tool_use', id: part.call, name: part.name, input: part.input }]
    }
  })
  return { role: 'assistant', content: outputWords(parts, noAnswer) === noAnswer ? [text(noAnswer)] : blocks }
}
