import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import { arrivalFiles, blockFiles, isDocument, isImage, resultFiles, sortFiles } from './prompt-files.ts'
import type { Note, OutputPart, PromptFile, PromptItem, ResultText } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `messages` of Anthropic: one `user` message for a batch, results before all other blocks, one `assistant` message for an output. */
export function renderAnthropic(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? [assistant(step.parts, profile)] : batch(step, profile)))
}

const text = (words: string): object => ({ type: 'text', text: words })

const source = ({ mediaType, data }: PromptFile): object => ({ type: 'base64', media_type: mediaType, data })

const fileBlock = (file: PromptFile): object => ({ type: isImage(file) ? 'image' : 'document', source: source(file) })

/** Words and the files that belong to them. */
function withFiles(words: string, files: readonly PromptFile[], profile: Profile): object[] {
  const { shown, lines } = sortFiles(files, profile, (file) => isImage(file) || isDocument(file))
  return [text(`${words}${lines}`), ...shown.map(fileBlock)]
}

function resultContent(result: ResultText, profile: Profile): string | object[] {
  const words = resultText(result, profile.language)
  const files = resultFiles(result)
  return files.length === 0 ? words : withFiles(words, files, profile)
}

function batch({ items }: Batch, profile: Profile): object[] {
  const { language, notesRole } = profile
  const results = items.flatMap((item) =>
    item.kind === 'result'
      ? [
          {
            type: 'tool_result',
            tool_use_id: item.call,
            content: resultContent(item.result, profile),
            ...(isFailed(item) && { is_error: true }),
          },
        ]
      : [],
  )
  const texts = items.flatMap((item): object[] => {
    if (item.kind === 'course')
      return item.blocks.flatMap((block) => withFiles(courseBlockText(block, language), blockFiles(block), profile))
    return item.kind === 'arrival' ? withFiles(arrivalText(item.arrival, language), arrivalFiles(item.arrival), profile) : []
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
