import { describeBytes, isImageType, withoutBrackets } from '../message-file.ts'
import { contextLimits } from './context-levels.ts'
import { quote, toPlainText } from './fences.ts'
import type { Arrival, CourseBlock, PromptFile, PromptItem, ResultText } from './prompt-items.ts'
import type { Profile } from './wires.ts'

export const isImage = ({ mediaType }: PromptFile): boolean => isImageType(mediaType)
export const isDocument = ({ mediaType }: PromptFile): boolean => mediaType === 'application/pdf'

export const toDataUrl = ({ mediaType, data = '' }: PromptFile): string => `data:${mediaType};base64,${data}`

export const arrivalFiles = (arrival: Arrival): readonly PromptFile[] =>
  arrival.kind === 'message' || arrival.kind === 'outcome' ? (arrival.files ?? []) : []
export const resultFiles = (result: ResultText): readonly PromptFile[] => (result.is === 'outcome' ? (result.files ?? []) : [])
export const blockFiles = (block: CourseBlock): readonly PromptFile[] => (block.block === 'pinned' ? arrivalFiles(block.arrival) : [])

export function itemFiles(item: PromptItem): readonly PromptFile[] {
  switch (item.kind) {
    case 'course':
      return item.blocks.flatMap(blockFiles)
    case 'arrival':
      return arrivalFiles(item.arrival)
    case 'result':
      return resultFiles(item.result)
    case 'note':
    case 'output':
      return []
  }
}

/** The files that the model is shown, and a line of text for each of the others. */
export function sortFiles(
  files: readonly PromptFile[],
  { vision }: Profile,
  isShown: (file: PromptFile) => boolean,
): { shown: PromptFile[]; lines: string } {
  const shown = vision ? files.filter((file) => file.data !== undefined && isShown(file)) : []
  const lines = files.filter((file) => !shown.includes(file)).map((file) => `\n${describe(file)}`)
  return { shown, lines: lines.join('') }
}

function describe(file: PromptFile): string {
  const { width, height, mediaType, bytes } = file
  const name = withoutBrackets(toPlainText(file.name)).slice(0, 200)
  // Quoted, so that no line of a file stands where the runtime writes.
  if (file.text !== undefined) return `[file ${name}, ${mediaType}, ${describeBytes(bytes)}]\n${quote(toPlainText(file.text))}`
  if (!isImage(file)) return `[file ${name}, ${mediaType}, ${describeBytes(bytes)}: not shown to this model]`
  const size = width === undefined || height === undefined ? '' : `, ${width}×${height}`
  return `[image ${name}${size}: not shown to this model]`
}

/** Providers count pixels or pages; these are the most that an image of usual size and a page of a document take. */
export const fileTokens = { image: 1_600, bytesPerDocumentToken: 30 } as const

/** Tokens of a file, until the provider has counted it. */
export function estimateFile(file: PromptFile): number {
  if (isImage(file)) return fileTokens.image
  const words = file.text === undefined ? 0 : Math.ceil(Buffer.byteLength(file.text) / contextLimits.bytesPerToken)
  return isDocument(file) ? Math.max(words, fileTokens.image, Math.ceil(file.bytes / fileTokens.bytesPerDocumentToken)) : words
}

/** The items with the data of their files, where `data` has it. Items without files stay the same objects. */
export function withFileData(items: readonly PromptItem[], data: ReadonlyMap<string, string>): readonly PromptItem[] {
  const fill = (files: readonly PromptFile[] | undefined): { files?: readonly PromptFile[] } =>
    files ? { files: files.map((one) => (data.has(one.file) ? { ...one, data: data.get(one.file) ?? '' } : one)) } : {}
  const fillArrival = (arrival: Arrival): Arrival =>
    arrival.kind === 'message' || arrival.kind === 'outcome' ? { ...arrival, ...fill(arrival.files) } : arrival
  return items.map((item): PromptItem => {
    if (itemFiles(item).length === 0) return item
    if (item.kind === 'arrival') return { ...item, arrival: fillArrival(item.arrival) }
    if (item.kind === 'result' && item.result.is === 'outcome') return { ...item, result: { ...item.result, ...fill(item.result.files) } }
    if (item.kind !== 'course') return item
    const blocks = item.blocks.map((block) => (block.block === 'pinned' ? { ...block, arrival: fillArrival(block.arrival) } : block))
    return { ...item, blocks }
  })
}
