import { askHuman, listOptions, type Question, describeAnswers } from '../../dialogs/rules/question.ts'
import { isTreeTool } from '../../dialogs/rules/tree-tools.ts'
import type { ClosedQuestion, ContextItem } from '../../dialogs/rules/dialog-state.ts'
import { isRecord } from '../../shapes/record.ts'

type Text = { type: 'text'; text: string }
type Call = { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
type Result = { type: 'tool-result'; toolCallId: string; toolName: string; output: ResultOutput }
type ResultOutput = { type: 'text' | 'error-text'; value: string } | { type: 'json' | 'error-json'; value: Json }
type Json = null | string | number | boolean | Json[] | { [key: string]: Json | undefined }

export type Message =
  | { role: 'user'; content: [Text] }
  | { role: 'assistant'; content: (Text | Call)[] }
  | { role: 'tool'; content: [Result] }

/**
 * The dialog as a model reads it. Providers refuse more than their documents say, and a refused history is a dialog
 * that can never continue, so what is built here holds whatever was said: it starts and ends on the human's side, no side
 * speaks twice in a row, no text is blank, and every call is followed at once by exactly one result.
 *
 * Calls made side by side are told one after the other: whether they were is not kept, and the order
 * call, result, call, result is true for both.
 */
export function toMessages(context: readonly ContextItem[]): Message[] {
  const messages: Message[] = []
  const several = new Set(context.flatMap((item) => (item.kind === 'human' ? [item.by] : []))).size > 1
  const asking = new Map<string, Extract<ContextItem, { kind: 'question' }>>()
  for (const item of context) if (item.kind === 'question' && item.call !== null) asking.set(item.call, item)
  const reported = new Set<string>()
  const ids = new Set<string>()

  for (const item of context) {
    switch (item.kind) {
      case 'human':
        say(messages, 'user', several ? `${item.by}: ${item.text}` : item.text)
        break
      case 'prompt':
        say(messages, 'user', item.text)
        break
      case 'agent':
        say(messages, 'assistant', item.text)
        break
      case 'call': {
        const toolCallId = freshId(item.call, ids)
        const toolName = plainName(item.name)
        const question = item.name === askHuman ? asking.get(item.call) : undefined
        if (question && item.result === null) reported.add(question.question)
        const output = item.result
          ? toResult(item.result)
          : {
              type: 'text' as const,
              value: question
                ? outcomeInWords(question.ask, question.outcome)
                : isTreeTool(item.name)
                  ? stillOut
                  : item.awaits
                    ? awaitsApproval
                    : unfinished,
            }
        const call: Call = { type: 'tool-call', toolCallId, toolName, input: asRecord(item.input) }
        const last = messages.at(-1)
        if (last?.role === 'assistant') last.content.push(call)
        else messages.push({ role: 'assistant', content: [call] })
        messages.push({ role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] })
        break
      }
      case 'question':
        if (reported.has(item.question)) break
        // Asked without a tool, or about a call rather than by it: told in words.
        say(messages, 'assistant', questionInWords(item.ask))
        say(
          messages,
          'user',
          item.outcome?.outcome === 'answered' ? outcomeInWords(item.ask, item.outcome) : `[${outcomeInWords(item.ask, item.outcome)}]`,
        )
        break
    }
  }
  if (messages[0]?.role !== 'user')
    messages.unshift({ role: 'user', content: [{ type: 'text', text: '[The beginning of this dialog is omitted.]' }] })
  if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', content: [{ type: 'text', text: '[Please continue.]' }] })
  return messages
}

const stillOut = 'No reply has come yet. It is still being worked on; you will get the reply when it is there.'

const awaitsApproval =
  "This call waits for a person's approval. It has not run. The outcome will stand here once it is known; do not repeat the call."

const unfinished = 'It was interrupted before a result came. Whether it took effect is not known.'

function say(messages: Message[], role: 'user' | 'assistant', text: string): void {
  if (text.trim() === '') return
  const last = messages.at(-1)
  const part = last?.role === role ? last.content.at(-1) : undefined
  if (part?.type === 'text') part.text += `\n\n${text}`
  else if (role === 'user') messages.push({ role, content: [{ type: 'text', text }] })
  else messages.push({ role, content: [{ type: 'text', text }] })
}

/** Four outcomes, four texts: silence must never read as a no. */
export function outcomeInWords(ask: Question, outcome: ClosedQuestion | null): string {
  const because = outcome?.reason ? ` Their reason: ${outcome.reason}` : ''
  switch (outcome?.outcome) {
    case undefined:
      return 'Still waiting: the human has not answered this question yet.'
    case 'answered':
      return describeAnswers(ask, outcome?.answers ?? {})
    case 'declined':
      return `The human declined to answer.${because}`
    case 'cancelled':
      return `The question was cancelled before anybody answered; this is not a no.${because}`
    case 'expired':
      return 'The question expired without an answer; this is not a no.'
  }
}

function questionInWords(ask: Question): string {
  const parts = ask.items.map((item) => {
    const options = listOptions(item).map(({ label }) => label)
    return `${item.text}${options.length > 0 ? ` (${options.join(' / ')})` : ''}`.trim()
  })
  return [ask.text, ...parts].filter((line) => line.trim() !== '').join('\n')
}

function toResult({ ok, output }: { ok: boolean; output: unknown }): ResultOutput {
  if (typeof output === 'string' || output === undefined) {
    const value = typeof output === 'string' && output.trim() !== '' ? output : '(no output)'
    return { type: ok ? 'text' : 'error-text', value }
  }
  return { type: ok ? 'json' : 'error-json', value: output as Json }
}

/** Input that could not be read as an object goes back inside one: Anthropic and many chat templates take nothing else. */
const asRecord = (input: unknown): object => (isRecord(input) ? input : { unreadable: input ?? null })

const plainName = (name: string): string => name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'

function freshId(call: string, taken: Set<string>): string {
  const plain = plainName(call)
  let id = plain
  for (let count = 2; taken.has(id); count += 1) id = `${plain.slice(0, 56)}_${count}`
  taken.add(id)
  return id
}
