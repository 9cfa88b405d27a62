import { askHuman } from './question.ts'
import { tellaskTools } from './tellask.ts'

/** Tools whose effect is an event of the dialog itself: decided with the generation that calls them, in one commit. */
export const mindTools = { clear: 'clear_mind', add: 'add_reminder', update: 'update_reminder', delete: 'delete_reminder' } as const

const text = (description: string): object => ({ type: 'string', description })

const schema = (properties: Record<string, object>, required: string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

export type TreeToolSpec = { name: string; description: string; inputSchema: object }

const content = text('What is wanted, whole: the one who reads it knows nothing else of this dialog.')

const asking: readonly TreeToolSpec[] = [
  {
    name: tellaskTools.session,
    description:
      'Ask a teammate in a side dialog that is kept under a name, so that later requests with the same name continue there. You rest until it has replied.',
    inputSchema: schema(
      {
        targetAgentId: text('The teammate, such as @researcher.'),
        sessionSlug: text('A short name: letters, digits, - and _, beginning with a letter.'),
        tellaskContent: content,
      },
      ['targetAgentId', 'sessionSlug', 'tellaskContent'],
    ),
  },
  {
    name: tellaskTools.fresh,
    description: 'Ask a teammate once, in a side dialog of its own. You rest until it has replied.',
    inputSchema: schema({ targetAgentId: text('The teammate, such as @researcher.'), tellaskContent: content }, [
      'targetAgentId',
      'tellaskContent',
    ]),
  },
]

const askingBack: TreeToolSpec = {
  name: tellaskTools.back,
  description: 'Ask the one who asked you, when something is missing. You rest until it has answered.',
  inputSchema: schema({ tellaskContent: content }, ['tellaskContent']),
}

const reasoning: TreeToolSpec = {
  name: tellaskTools.reasoning,
  description:
    'Let several fresh minds of your own think about one text, without tools and without this dialog. You rest until all have replied; you draw the conclusion.',
  inputSchema: schema({ tellaskContent: content }, ['tellaskContent']),
}

const ownMind: readonly TreeToolSpec[] = [
  {
    name: mindTools.clear,
    description:
      'Start a fresh stretch of context. Messages so far leave your sight, reminders stay; put what you need to continue into a reminder first.',
    inputSchema: schema({ reminder_content: text('A reminder to add before clearing.') }, []),
  },
  {
    name: mindTools.add,
    description: 'Keep a note that survives clearing your mind.',
    inputSchema: schema(
      { content: text('The note.'), position: { type: 'integer', minimum: 0, description: 'Its number in the list; 0 appends.' } },
      ['content'],
    ),
  },
  {
    name: mindTools.update,
    description: 'Replace a reminder.',
    inputSchema: schema({ reminder_no: { type: 'integer', minimum: 1 }, content: text('The new note.') }, ['reminder_no', 'content']),
  },
  {
    name: mindTools.delete,
    description: 'Delete a reminder.',
    inputSchema: schema({ reminder_no: { type: 'integer', minimum: 1 } }, ['reminder_no']),
  },
]

/** Tools of the runtime for a dialog's agent. One that only reasons gets none. */
export function treeTools(dialog: { isSide: boolean; teammates: number; canReason: boolean }): TreeToolSpec[] {
  return [
    ...(dialog.isSide ? [askingBack] : []),
    ...(dialog.teammates > 0 ? asking : []),
    ...(dialog.canReason ? [reasoning] : []),
    ...ownMind,
  ]
}

const names = new Set<string>([...Object.values(tellaskTools), ...Object.values(mindTools), askHuman])

/** Names that belong to the dialog itself; a tool of a team may not take one. */
export const isTreeTool = (name: string): boolean => names.has(name)
