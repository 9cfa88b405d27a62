import type { PromptItem } from '../../../dialogs/rules/prompt/prompt-items.ts'
import type { GenerationInput, ModelPrompt, ToolSpec } from '../../../ports/agent-runtime.ts'
import { sampleInput } from '../../../testing/agent-contract.ts'

/** A tool of a prompt, without a program behind it. */
export const declaredTool = (name: string): ToolSpec => ({
  name,
  description: `The tool ${name}.`,
  inputSchema: { type: 'object', properties: {} },
})

export const messageItem = (text: string): PromptItem => ({
  kind: 'arrival',
  arrival: { kind: 'message', from: 'Mia', text, at: 0, offset: 0 },
})

/** The input of a generation with a prompt, as the driver gives it. */
export function promptInput(prompt: Partial<ModelPrompt> = {}, more: Partial<GenerationInput> = {}): GenerationInput {
  return {
    ...sampleInput,
    context: [],
    ...more,
    prompt: {
      epoch: 1,
      system: 'You are ada.',
      tools: [declaredTool('read_file')],
      items: [messageItem('Hello')],
      cachedItems: 0,
      ...prompt,
    },
  }
}
