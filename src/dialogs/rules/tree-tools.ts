import { askHuman } from './question.ts'
import { tellaskTools } from './tellask.ts'

/** Tools whose effect is an event of the dialog itself: decided with the generation that calls them, in one commit. */
export const mindTools = { clear: 'clear_mind', add: 'add_reminder', update: 'update_reminder', delete: 'delete_reminder' } as const

/** Shows a presentation below the words of the same generation. */
export const showReply = 'show_reply'

/** The same for replies, questions and outputs of the dialog. */
export const replyTools = { reply: 'reply', withdraw: 'withdraw_question', recallOutput: 'recall_output' } as const

const names = new Set<string>([
  ...Object.values(tellaskTools),
  ...Object.values(mindTools),
  ...Object.values(replyTools),
  askHuman,
  showReply,
])

/** Names that belong to the dialog itself; a tool of a team may not take one. */
export const isTreeTool = (name: string): boolean => names.has(name)
