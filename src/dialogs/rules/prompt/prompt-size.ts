import type { Language } from '../../../shapes/language.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import { contextLimits, estimatePrompt } from './context-levels.ts'
import { estimateFile, itemFiles } from './prompt-files.ts'
import type { PromptItem } from './prompt-items.ts'
import { itemsToSend, itemsToSendFrom } from './prompt-list.ts'
import type { PromptEpoch, PromptState } from './prompt-state.ts'

const measured = new WeakMap<object, number>()

/** The part of an item that stays the same object: what is due is wrapped into items anew each time it is asked for. */
function findContent(item: PromptItem): object {
  switch (item.kind) {
    case 'arrival':
      return item.arrival
    case 'note':
      return item.note
    case 'output':
      return item.parts
    case 'course':
    case 'result':
      return item
  }
}

/** Bytes of an item in a request, without the brackets of its wire. */
function measureItem(item: PromptItem, language: Language): number {
  const content = findContent(item)
  const cachedSize = measured.get(content)
  if (cachedSize !== undefined) return cachedSize
  const tokens = itemFiles(item).reduce((sum, file) => sum + estimateFile(file), 0)
  const bytes = Buffer.byteLength(writeItem(item, language)) + tokens * contextLimits.bytesPerToken
  measured.set(content, bytes)
  return bytes
}

function writeItem(item: PromptItem, language: Language): string {
  switch (item.kind) {
    case 'course':
      return item.blocks.map((block) => courseBlockText(block, language)).join('')
    case 'arrival':
      return arrivalText(item.arrival, language)
    case 'note':
      return notesText([item.note], language)
    case 'result':
      return resultText(item.result, language)
    case 'output':
      return JSON.stringify(item.parts)
  }
}

export const measureItems = (items: readonly PromptItem[], language: Language): number =>
  items.reduce((sum, item) => sum + measureItem(item, language), 0)

const summed = new WeakMap<readonly PromptItem[], number>()

/** The size a list has in memory, nearly: the same for the same list, and cheap to ask for again. */
export function weighPrompt({ list, epoch }: PromptState, language: Language): number {
  const itemsSize = summed.get(list.items) ?? measureItems(list.items, language)
  summed.set(list.items, itemsSize)
  const unread = list.arrivals.reduce((sum, { arrival }) => sum + arrival.text.length, 0)
  const open = list.lastCalls.reduce((sum, { end }) => sum + (end && 'text' in end.settlement ? end.settlement.text.length : 0), 0)
  return (epoch ? measureFixed(epoch) : 0) + itemsSize + unread + open
}

const fixed = new WeakMap<PromptEpoch, number>()
const measuredTool = new WeakMap<PromptEpoch['tools'][number], number>()

/** Bytes of system prompt and tools. */
export function measureFixed(epoch: PromptEpoch): number {
  const cachedSize = fixed.get(epoch)
  if (cachedSize !== undefined) return cachedSize
  const { system, tools } = epoch
  // With the brackets, and a comma between two.
  const marks = 2 + Math.max(0, tools.length - 1)
  const bytes = Buffer.byteLength(system) + tools.reduce((sum, tool) => sum + measureTool(tool), marks)
  fixed.set(epoch, bytes)
  return bytes
}

/** Epochs of many dialogs have the same tools. */
function measureTool(tool: PromptEpoch['tools'][number]): number {
  const cachedSize = measuredTool.get(tool)
  if (cachedSize !== undefined) return cachedSize
  const bytes = Buffer.byteLength(JSON.stringify(tool))
  measuredTool.set(tool, bytes)
  return bytes
}

/** Bytes of the next request. */
export const measurePrompt = ({ list, epoch }: PromptState, language: Language): number =>
  (epoch ? measureFixed(epoch) : 0) + measureItems(itemsToSend(list), language)

/** Tokens of the next request: the provider's count of the last one and what was added since. */
export function estimateRequest(prompt: PromptState, language: Language): number {
  const { counted, list } = prompt
  const added = counted === null ? [] : itemsToSendFrom(list, counted.items)
  const last = counted === null ? null : { promptTokens: counted.tokens, addedBytes: measureItems(added, language) }
  return estimatePrompt(last, last === null ? measurePrompt(prompt, language) : 0)
}
