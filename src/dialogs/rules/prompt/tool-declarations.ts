import { askHuman } from '../question.ts'
import { tellaskTools } from '../tellask.ts'
import { mindTools, replyTools } from '../tree-tools.ts'

/** Tools of the runtime besides those between dialogs and for the agent's own mind. */
export const promptTools = {
  ...replyTools,
  recallTaskdoc: 'recall_taskdoc',
  changeMind: 'change_mind',
} as const

export type Declaration = { name: string; description: string; inputSchema: object }

const text = (description?: string): object => ({ type: 'string', ...(description !== undefined && { description }) })
const list = (values: readonly string[], description?: string): object => ({
  type: 'string',
  enum: values,
  ...(description !== undefined && { description }),
})
const from1 = { type: 'integer', minimum: 1 }

const object = (properties: Record<string, object>, required: readonly string[]): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const request = {
  targetAgentId: text('Such as @researcher.'),
  tellaskContent: text('Goal, facts, form of the result. The teammate sees nothing else.'),
}

const option = {
  anyOf: [object({ value: text(), label: text(), hint: text() }, ['value']), { type: 'string' }],
}

const questionItem = object(
  {
    id: text(),
    text: text(),
    kind: list(['choice', 'choices', 'text', 'number', 'date']),
    options: { type: 'array', items: option, description: 'For choice and choices.' },
  },
  ['id', 'text', 'kind'],
)

const declare = (name: string, description: string, properties: Record<string, object>, required: readonly string[]): Declaration => ({
  name,
  description,
  inputSchema: object(properties, required),
})

/** English in every dialog, so that they are the same bytes everywhere. */
export const declarations = {
  reply: declare(
    promptTools.reply,
    'Deliver the result of a request, or answer an ask-back. The reader sees this text and nothing else. Ends your turn.',
    {
      text: text('The whole result.'),
      status: list(['done', 'partial', 'could_not']),
      to: text('Id of the request or ask-back, such as r2 or b1. Default: the newest open ask-back, else your request.'),
    },
    ['text', 'status'],
  ),
  tellask: declare(
    tellaskTools.session,
    'Ask a teammate in a side dialog that is kept under a name; later requests with the same name continue there. One request gets one reply.',
    {
      targetAgentId: request.targetAgentId,
      sessionSlug: text('Letters, digits, - and _, starting with a letter.'),
      tellaskContent: request.tellaskContent,
    },
    ['targetAgentId', 'sessionSlug', 'tellaskContent'],
  ),
  tellaskSessionless: declare(tellaskTools.fresh, 'Ask a teammate once, in a new side dialog.', request, [
    'targetAgentId',
    'tellaskContent',
  ]),
  askHuman: declare(
    askHuman,
    'Ask a person and wait. Use it when the decision is theirs or only they can know.',
    {
      tellaskContent: text(),
      to: list(['owner', 'everyone'], 'Who may answer. Leave out for the people you work for.'),
      items: {
        type: 'array',
        maxItems: 20,
        items: questionItem,
        description: 'Parts answered together. Leave out for one free-text answer.',
      },
    },
    ['tellaskContent'],
  ),
  withdraw: declare(
    promptTools.withdraw,
    'Take back a question to a person that is no longer needed, for example because it was answered in the chat.',
    { question: text('Such as q3.'), reason: text() },
    ['question'],
  ),
  freshBootsReasoning: declare(
    tellaskTools.reasoning,
    'Let several fresh minds of yours think about one text, without tools and without this dialog. You draw the conclusion.',
    { tellaskContent: text('The problem with all facts.') },
    ['tellaskContent'],
  ),
  clearMind: declare(
    mindTools.clear,
    'Start a new course: messages leave your sight, your open questions are withdrawn; reminders, requests and replies stay.',
    { reminder_content: text('A reminder to add first.') },
    [],
  ),
  addReminder: declare(
    mindTools.add,
    'Keep a note that survives a new course.',
    { content: text(), position: { type: 'integer', minimum: 0, description: 'Its number; 0 appends.' } },
    ['content'],
  ),
  updateReminder: declare(mindTools.update, 'Replace a reminder.', { reminder_no: from1, content: text() }, ['reminder_no', 'content']),
  deleteReminder: declare(mindTools.delete, 'Delete a reminder.', { reminder_no: from1 }, ['reminder_no']),
  recallOutput: declare(
    promptTools.recallOutput,
    'Read a tool output that was shortened.',
    {
      handle: text('Such as o17.'),
      from: { ...from1, description: 'First line.' },
      lines: { type: 'integer', minimum: 1, maximum: 2_000 },
    },
    ['handle'],
  ),
  recallTaskdoc: declare(
    promptTools.recallTaskdoc,
    'Read a section of the task document, with its hash.',
    { category: text(), selector: text() },
    ['category', 'selector'],
  ),
  changeMind: declare(
    promptTools.changeMind,
    'Replace one section of the task document. Starts no course.',
    {
      selector: text('Such as progress.'),
      content: text('The whole new text.'),
      category: text(),
      previous_content_hash: text('Hash you have seen; refuses to overwrite a newer text.'),
    },
    ['selector', 'content'],
  ),
  tellaskBack: declare(
    tellaskTools.back,
    'Ask the one whose request you work on, when something is missing. They know the request, but not your work.',
    { tellaskContent: text('The question, and what you need the answer for.') },
    ['tellaskContent'],
  ),
} as const satisfies Record<string, Declaration>

export type ToolFacts = {
  variant: 'root' | 'side' | 'fresh-mind'
  hasTeammates: boolean
  canReason: boolean
  hasTaskdoc: boolean
}

/**
 * All tools of a request, in order. The tools of a root and of a side dialog of one member are the same up to the last
 * declaration, so that both share a cached beginning.
 */
export function declareTools(own: readonly Declaration[], { variant, hasTeammates, canReason, hasTaskdoc }: ToolFacts): Declaration[] {
  if (variant === 'fresh-mind') return []
  const d = declarations
  const last = variant === 'side' ? [d.tellaskBack] : hasTaskdoc ? [d.changeMind] : []
  return [
    ...own.toSorted((one, two) => (one.name < two.name ? -1 : one.name > two.name ? 1 : 0)),
    ...(hasTeammates ? [d.reply, d.tellask, d.tellaskSessionless] : []),
    d.askHuman,
    d.withdraw,
    ...(canReason ? [d.freshBootsReasoning] : []),
    d.clearMind,
    d.addReminder,
    d.updateReminder,
    d.deleteReminder,
    d.recallOutput,
    ...(hasTaskdoc ? [d.recallTaskdoc] : []),
    ...last,
  ]
}
