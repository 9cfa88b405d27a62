import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import { arrivalFiles, blockFiles, isImage, resultFiles, sortFiles, toDataUrl } from './prompt-files.ts'
import type { Note, OutputPart, PromptFile, PromptItem } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `messages` of Chat Completions, without the system prompt. */
export function renderChat(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? [assistant(step.parts, profile)] : batch(step, profile)))
}

type Content = string | object[]
type Message = { role: string; content: Content; tool_call_id?: string }

const imagePart = (file: PromptFile): object => ({ type: 'image_url', image_url: { url: toDataUrl(file) } })

/** Words and the images that belong to them. */
function withImages(text: string, files: readonly PromptFile[], profile: Profile): Content {
  const { shown, lines } = sortFiles(files, profile, isImage)
  const words = `${text}${lines}`
  return shown.length === 0 ? words : [{ type: 'text', text: words }, ...shown.map(imagePart)]
}

/** A `tool` message holds text alone, so the images of a result follow the results as a message of their own. */
function renderResult({ call, result }: Extract<PromptItem, { kind: 'result' }>, profile: Profile): { result: Message; images: Message[] } {
  const { shown, lines } = sortFiles(resultFiles(result), profile, isImage)
  const images = shown.length === 0 ? [] : [{ role: 'user', content: shown.map(imagePart) }]
  return { result: { role: 'tool', tool_call_id: call, content: `${resultText(result, profile.language)}${lines}` }, images }
}

function batch({ items }: Batch, profile: Profile): object[] {
  const { language, notesRole, alternate, bridge } = profile
  const outcomes = items.flatMap((item) => (item.kind === 'result' ? [renderResult(item, profile)] : []))
  const results = outcomes.map(({ result }) => result)
  const arrivals = items.flatMap((item): Message[] => {
    const user = (text: string, files: readonly PromptFile[]): Message => ({ role: 'user', content: withImages(text, files, profile) })
    if (item.kind === 'course') return item.blocks.map((block) => user(courseBlockText(block, language), blockFiles(block)))
    return item.kind === 'arrival' ? [user(arrivalText(item.arrival, language), arrivalFiles(item.arrival))] : []
  })
  const texts = [...outcomes.flatMap(({ images }) => images), ...arrivals]
  const notes = items.flatMap((item): Note[] => (item.kind === 'note' ? [item.note] : []))
  const messages = notes.length === 0 ? texts : [...texts, { role: notesRole, content: notesText(notes, language) }]
  const between = bridge && results.length > 0 && messages.length > 0 ? [{ role: 'assistant', content: '(continued)' }] : []
  return [...results, ...between, ...(alternate ? joined(messages) : messages)]
}

/** Strict templates take one message of each side in turn. */
function joined(messages: readonly Message[]): Message[] {
  const all: Message[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === message.role) last.content = join(last.content, message.content)
    else all.push({ ...message })
  }
  return all
}

function join(one: Content, other: Content): Content {
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`
  const toParts = (content: Content): object[] => (typeof content === 'string' ? [{ type: 'text', text: content }] : content)
  return [...toParts(one), ...toParts(other)]
}

/** Provider fields of a call are kept as reasoning before it. */
type Kept = { onCall?: object } & Record<string, unknown>

function assistant(parts: readonly OutputPart[], { maker, language, reasoningContent }: Profile): object {
  const words = outputWords(parts, promptTexts[language].noAnswer)
  const fields: object[] = []
  const calls: object[] = []
  let onCall: object = {}
  for (const part of parts) {
    if (part.type === 'reasoning' && part.maker === maker) {
      const { onCall: ofCall, ...ofMessage } = part.data as Kept
      if (ofCall) onCall = ofCall
      fields.push(ofMessage)
    }
    if (part.type !== 'call') continue
    calls.push({ id: part.call, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) }, ...onCall })
    onCall = {}
  }
  const always = reasoningContent && calls.length > 0 ? { reasoning_content: '' } : {}
  const message = { role: 'assistant', content: words === '' ? null : words, ...Object.assign(always, ...fields) }
  return calls.length === 0 ? message : { ...message, tool_calls: calls }
}
