import { promptTexts } from '../../../words/index.ts'
import { arrivalText, courseBlockText, notesText, resultText } from './blocks.ts'
import type { Note, OutputPart, PromptItem } from './prompt-items.ts'
import { type Batch, outputWords, type Profile, toSteps } from './wires.ts'

/** The `messages` of Chat Completions, without the system prompt. */
export function renderChat(items: readonly PromptItem[], profile: Profile): object[] {
  return toSteps(items).flatMap((step) => (step.kind === 'output' ? [assistant(step.parts, profile)] : batch(step, profile)))
}

type Message = { role: string; content: string; tool_call_id?: string }

function batch({ items }: Batch, profile: Profile): object[] {
  const { language, notesRole, alternate, bridge } = profile
  const results = items.flatMap((item): Message[] =>
    item.kind === 'result' ? [{ role: 'tool', tool_call_id: item.call, content: resultText(item.result, language) }] : [],
  )
  const texts = items.flatMap((item): Message[] => {
    if (item.kind === 'course') return item.blocks.map((block) => ({ role: 'user', content: courseBlockText(block, language) }))
    return item.kind === 'arrival' ? [{ role: 'user', content: arrivalText(item.arrival, language) }] : []
  })
  const notes = items.flatMap((item): Note[] => (item.kind === 'note' ? [item.note] : []))
  const said = notes.length === 0 ? texts : [...texts, { role: notesRole, content: notesText(notes, language) }]
  const between = bridge && results.length > 0 && said.length > 0 ? [{ role: 'assistant', content: '(continued)' }] : []
  return [...results, ...between, ...(alternate ? joined(said) : said)]
}

/** Strict templates take one message of each side in turn. */
function joined(messages: readonly Message[]): Message[] {
  const all: Message[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === message.role) last.content += `\n\n${message.content}`
    else all.push({ ...message })
  }
  return all
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
