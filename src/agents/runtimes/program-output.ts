import { z } from 'zod'
import { findQuestionFault } from '../../dialogs/rules/question.ts'
import { readPresentation } from '../../chats/message/shown-message.ts'
import { ParleyError } from '../../errors.ts'
import { questionItem } from '../../shapes/schemas/question-items.ts'
import type { AgentOutput } from '../../ports/agent-runtime.ts'
import { faultInWords } from '../tool.ts'
import { plainLine } from './plain-text.ts'

const tokens = z.int().min(0).nullable().default(null)

/** The lines a program may write, one JSON object each. Anything else it writes is words. */
const event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('delta'), text: z.string() }),
  z.object({ type: z.literal('thinking'), text: z.string() }),
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('presentation'), presentation: z.unknown() }),
  z.object({ type: z.literal('call'), call: z.string().min(1).optional(), name: z.string().min(1), input: z.unknown().optional() }),
  z.object({
    type: z.literal('question'),
    ask: z.object({ text: z.string(), items: z.array(questionItem) }),
    expiresInMs: z.int().min(1).exactOptional(),
  }),
  z.object({ type: z.literal('title'), title: z.string() }),
  z.object({
    type: z.literal('usage'),
    model: z.string().nullable().default(null),
    usage: z.object({ inputTokens: tokens, outputTokens: tokens }),
  }),
  z.object({ type: z.literal('again') }),
])
const outputTypes = new Set<unknown>(event.options.map((option) => option.shape.type.value))

export type ProgramOutput = {
  take(chunk: Buffer): Generator<AgentOutput>
  end(): Generator<AgentOutput>
  readonly saidAnything: boolean
}

/** A longer line is passed on in parts: waiting for its end could mean keeping all of it. */
const lineChars = 100_000

/** Reads what a program writes: events and plain text mixed, decided line by line. */
export function programOutput({ maxBytes, nextCall }: { maxBytes: number; nextCall: (count: number) => string }): ProgramOutput {
  const decoder = new TextDecoder('utf-8')
  let bytes = 0
  let open = ''
  /** The line in `open` is the rest of one whose beginning was passed on already. */
  let continued = false
  let calls = 0
  let hasText = false
  /** Finished texts, and what was said since the last of them. */
  const finished: string[] = []
  let deltas = ''
  let plain = ''

  const speak = (text: string): AgentOutput => {
    hasText = true
    return { type: 'delta', text }
  }
  /** Blank lines count only between words, so that a last line break is not part of the reply. */
  let breaks = ''
  function* words(line: string, ends: boolean): Generator<AgentOutput> {
    const text = plainLine(line)
    if (text.trim() !== '' || continued) {
      const piece = (hasText ? breaks : '') + text
      breaks = ''
      plain += piece
      if (piece !== '') yield speak(piece)
    }
    if (ends) breaks += '\n'
  }

  function* take(line: string, ends: boolean): Generator<AgentOutput> {
    const read = continued ? null : eventIn(line)
    if (read === null) return yield* words(line, ends)
    switch (read.type) {
      case 'delta':
        if (read.text === '') return
        deltas += read.text
        return yield speak(read.text)
      case 'text':
        if (plain !== '') finished.push(plain)
        // Deltas before it were this text in the making; without any, it is shown as one.
        if (deltas === '' && read.text !== '') yield speak((hasText ? '\n\n' : '') + read.text)
        finished.push(read.text)
        deltas = plain = breaks = ''
        return
      case 'call':
        hasText = true
        calls += 1
        return yield { type: 'call', call: read.call ?? nextCall(calls), name: read.name, input: read.input ?? {} }
      case 'question': {
        const fault = findQuestionFault(read.ask)
        if (fault !== null) throw new ParleyError('agent_failed', { why: `its question is not well formed: ${fault}` })
        hasText = true
        return yield read
      }
      case 'presentation': {
        const presentation = readPresentation(read.presentation)
        if ('fault' in presentation)
          throw new ParleyError('agent_failed', { why: `its presentation is not well formed: ${presentation.fault}` })
        hasText = true
        return yield { type: 'presentation', ...presentation }
      }
      case 'again':
        hasText = true
        return yield read
      case 'thinking':
      case 'title':
      case 'usage':
        return yield read
    }
  }

  return {
    *take(chunk) {
      bytes += chunk.length
      if (bytes > maxBytes) throw new ParleyError('command_flooded', { limit: maxBytes })
      // Only the new piece is searched for line ends, and joined once its line is whole.
      const text = decoder.decode(chunk, { stream: true })
      let from = 0
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        const line = open + text.slice(from, at)
        open = ''
        from = at + 1
        yield* take(line, true)
        continued = false
      }
      open += text.slice(from)
      if (open.length <= lineChars) return
      const part = open.slice(0, lineChars).toWellFormed() === open.slice(0, lineChars) ? lineChars : lineChars - 1
      yield* take(open.slice(0, part), false)
      open = open.slice(part)
      continued = true
    },
    *end() {
      open += decoder.decode()
      if (open !== '') yield* take(open, false)
      if (finished.length === 0) return
      const rest = [plain, deltas].filter((text) => text.trim() !== '')
      yield { type: 'text', text: [...finished, ...rest].join('\n\n') }
    },
    get saidAnything() {
      return hasText
    },
  }
}

function eventIn(line: string): z.output<typeof event> | null {
  if (!/^\s*\{/.test(line)) return null
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (!outputTypes.has((value as { type?: unknown }).type)) return null
  const parsed = event.safeParse(value)
  if (!parsed.success)
    throw new ParleyError('agent_failed', { why: `it wrote an event that is not well formed (${faultInWords(parsed.error)})` })
  return parsed.data
}
