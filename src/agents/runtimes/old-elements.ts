import type { Wire } from '../wires/wire.ts'
import type { Message } from './messages.ts'

/** The dialog in the elements of a wire, for callers that give no prompt. */
export function toElements(messages: readonly Message[], wire: Wire): object[] {
  if (wire !== 'anthropic') return messages.flatMap(wire === 'chat' ? toChat : toResponses)
  const all: { role: string; content: object[] }[] = []
  for (const { role, content } of messages.map(toAnthropic)) {
    const last = all.at(-1)
    if (last?.role === role) last.content.push(...content)
    else all.push({ role, content })
  }
  return all
}

type Result = Extract<Message, { role: 'tool' }>['content'][0]

const resultText = ({ output }: Result): string => (typeof output.value === 'string' ? output.value : JSON.stringify(output.value))

function toChat(message: Message): object[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: message.content[0].text }]
    case 'assistant': {
      const text = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: JSON.stringify(part.input) } }]
          : [],
      )
      return [calls.length === 0 ? { role: 'assistant', content: text } : { role: 'assistant', content: text || null, tool_calls: calls }]
    }
    case 'tool':
      return [{ role: 'tool', tool_call_id: message.content[0].toolCallId, content: resultText(message.content[0]) }]
  }
}

function toResponses(message: Message): object[] {
  switch (message.role) {
    case 'user':
      return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: message.content[0].text }] }]
    case 'assistant':
      return message.content.map((part) =>
        part.type === 'text'
          ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: part.text }] }
          : { type: 'function_call', call_id: part.toolCallId, name: part.toolName, arguments: JSON.stringify(part.input) },
      )
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.content[0].toolCallId, output: resultText(message.content[0]) }]
  }
}

function toAnthropic(message: Message): { role: string; content: object[] } {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [...message.content] }
    case 'assistant': {
      const content = message.content.map((part) =>
        part.type === 'text' ? part : { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.input },
      )
      return { role: 'assistant', content }
    }
    case 'tool': {
      const [result] = message.content
      const isError = result.output.type.startsWith('error')
      const content = {
        type: 'tool_result',
        tool_use_id: result.toolCallId,
        content: resultText(result),
        ...(isError && { is_error: true }),
      }
      return { role: 'user', content: [content] }
    }
  }
}
