import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import { arrivalFiles, blockFiles, isDocument, isImage, resultFiles, sortFiles, toDataUrl } from './prompt-files.ts'
import type { Note, OutputPart, PromptFile, PromptItem, ResultText } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `input` of OpenAI Responses. Reasoning goes back as it came, because nothing is stored at the provider. */
export function renderResponses(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? output(step.parts, profile) : batch(step, profile)))
}

const message = (role: string, text: string): object => ({ type: 'message', role, content: [{ type: 'input_text', text }] })

const filePart = (file: PromptFile): object =>
  isImage(file)
    ? { type: 'input_image', image_url: toDataUrl(file) }
    : { type: 'input_file', filename: file.name, file_data: toDataUrl(file) }

/** Words and the files that belong to them. */
function withFiles(text: string, files: readonly PromptFile[], profile: Profile): object[] {
  const { shown, lines } = sortFiles(files, profile, (file) => isImage(file) || isDocument(file))
  return [{ type: 'input_text', text: `${text}${lines}` }, ...shown.map(filePart)]
}

function resultOutput(result: ResultText, profile: Profile): string | object[] {
  const text = resultText(result, profile.language)
  const files = resultFiles(result)
  return files.length === 0 ? text : withFiles(text, files, profile)
}

function batch({ items }: Batch, profile: Profile): object[] {
  const { language } = profile
  const results = items.flatMap((item) =>
    item.kind === 'result' ? [{ type: 'function_call_output', call_id: item.call, output: resultOutput(item.result, profile) }] : [],
  )
  const texts = items.flatMap((item): object[] => {
    const user = (text: string, files: readonly PromptFile[]): object => ({
      type: 'message',
      role: 'user',
      content: withFiles(text, files, profile),
    })
    if (item.kind === 'course') return item.blocks.map((block) => user(courseBlockText(block, language), blockFiles(block)))
    return item.kind === 'arrival' ? [user(arrivalText(item.arrival, language), arrivalFiles(item.arrival))] : []
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
