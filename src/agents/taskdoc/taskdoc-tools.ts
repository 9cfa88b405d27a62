import { z } from 'zod'
import type { GenerationInput, Tool } from '../../ports/agent-runtime.ts'
import { defineTool } from '../tool.ts'
import { bearInMind, mainSections } from './section.ts'
import type { Taskdocs } from './taskdoc.ts'

export const taskdocToolNames = { change: 'change_mind', recall: 'recall_taskdoc' } as const

const none = 'This dialog has no task document.'

/** The only ways into a task document. Both may be repeated: the same section is written with the same words. */
export function taskdocTools(documents: Taskdocs): readonly Tool[] {
  return [
    defineTool({
      name: taskdocToolNames.change,
      description: `Replace one whole section of the task document. Without a category: ${mainSections.join(', ')}; with the category bearinmind: ${bearInMind.join(', ')}; other sections need a category of your own. It clears nothing and starts nothing.`,
      input: z.object({
        selector: z.string().trim().describe('The section, such as progress.'),
        content: z.string().describe('All of its new text.'),
        category: z.string().trim().optional().describe('Omit for goals, constraints and progress.'),
        previous_content_hash: z
          .string()
          .trim()
          .optional()
          .describe('The hash shown with the section you have read; then no change of others is overwritten.'),
      }),
      afterCrash: 'repeat',
      gate: { kind: 'taskdoc' },
      run({ selector, content, category, previous_content_hash }, { taskdoc, isSide, cause, agent }) {
        if (taskdoc === null) throw new Error(none)
        if (isSide) throw new Error('Only the main dialog changes the task document. Say in your reply what should be changed.')
        const section = { selector, category: category === undefined || category === '' ? null : category }
        const by = { kind: 'agent', name: agent } as const
        const changed = documents.change(taskdoc, { section, content, knownHash: previous_content_hash || null, cause, by })
        if ('stale' in changed) throw new Error(changed.stale)
        return `Changed. The hash of the section is now ${changed.hash}.`
      },
    }),
    defineTool({
      name: taskdocToolNames.recall,
      description: 'Read a section of the task document that is only listed, not shown.',
      input: z.object({ category: z.string().trim(), selector: z.string().trim() }),
      afterCrash: 'repeat',
      gate: { kind: 'taskdoc' },
      run({ category, selector }, { taskdoc }) {
        if (taskdoc === null) throw new Error(none)
        return documents.recall(taskdoc, category, selector)
      },
    }),
  ]
}

/** A tool that could only refuse is not worth its place in a prompt. */
export function isOfUse(tool: { name: string }, { taskdoc, isSide }: Pick<GenerationInput, 'taskdoc' | 'isSide'>): boolean {
  if (tool.name === taskdocToolNames.change) return taskdoc !== null && !isSide
  return tool.name !== taskdocToolNames.recall || taskdoc !== null
}
