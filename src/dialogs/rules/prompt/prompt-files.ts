import { toPlainText } from './fences.ts'
import type { Arrival, PromptFile, ResultText } from './prompt-items.ts'
import type { Profile } from './wires.ts'

const images = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

export const isImage = ({ mediaType }: PromptFile): boolean => images.has(mediaType)
export const isDocument = ({ mediaType }: PromptFile): boolean => mediaType === 'application/pdf'

export const toDataUrl = ({ mediaType, data }: PromptFile): string => `data:${mediaType};base64,${data}`

export const arrivalFiles = (arrival: Arrival): readonly PromptFile[] => (arrival.kind === 'message' ? (arrival.files ?? []) : [])
export const resultFiles = (result: ResultText): readonly PromptFile[] => (result.is === 'outcome' ? (result.files ?? []) : [])

/** The files that the model is shown, and a line of text for each of the others. */
export function sortFiles(
  files: readonly PromptFile[],
  { vision }: Profile,
  isShown: (file: PromptFile) => boolean,
): { shown: PromptFile[]; lines: string } {
  const shown = vision ? files.filter(isShown) : []
  const lines = files.filter((file) => !shown.includes(file)).map((file) => `\n${describe(file)}`)
  return { shown, lines: lines.join('') }
}

function describe(file: PromptFile): string {
  const { name, width, height } = file
  const size = width === undefined || height === undefined ? '' : `, ${width}×${height}`
  return `[${isImage(file) ? 'image' : 'file'} ${toPlainText(name).replaceAll(/\s+/g, ' ').slice(0, 200)}${size}: not shown to this model]`
}
