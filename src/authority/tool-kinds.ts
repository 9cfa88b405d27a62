/**
 * The kinds of tools, as the rows of the default table name them. A tool that is in no row has no gate and is denied.
 *
 * | kind | tools |
 * |---|---|
 * | talk | questions, requests to teammates, reminders, the tools of a build, messages to the dialog's own address |
 * | peer | the channel agent of a conversation with a peer, and nothing else |
 * | world-read, world-change | claworld_* that read · that publish, request, accept, join or change |
 * | read, taskdoc | files · the task document of the own tree |
 * | write, run, net, message, mcp, code | files, commands, hosts, other addresses, MCP, tools of plugins, modules and programs |
 * | memory | notes that other dialogs read |
 */
export const toolKinds = [
  'talk',
  'peer',
  'world-read',
  'world-change',
  'read',
  'taskdoc',
  'write',
  'run',
  'net',
  'message',
  'mcp',
  'code',
  'memory',
] as const

export type ToolKind = (typeof toolKinds)[number]

/** Tools of Parley itself by their kind. */
export const toolNames: Readonly<Record<Exclude<ToolKind, 'mcp' | 'code' | 'net' | 'world-read' | 'world-change'>, readonly string[]>> = {
  talk: [
    'askHuman',
    'withdraw_question',
    'show_reply',
    'tellask',
    'tellaskBack',
    'tellaskSessionless',
    'freshBootsReasoning',
    'reply',
    'add_reminder',
    'update_reminder',
    'delete_reminder',
    'clear_mind',
    'recall_output',
    'start_step',
    'say',
    'ask',
    'ask_many',
    'finish',
    'fail',
  ],
  peer: ['report_to_owner', 'ask_owner', 'end_conversation'],
  read: ['list_dir', 'read_file', 'search_text'],
  taskdoc: ['recall_taskdoc', 'change_mind'],
  write: ['write_file', 'edit_file'],
  run: ['run'],
  message: ['message'],
  memory: ['add', 'replace', 'drop', 'clear'].flatMap((verb) => [`${verb}_memory`, `${verb}_team_memory`]),
}

const kinds: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(toolNames).flatMap(([kind, tools]) => tools.map((tool) => [tool, kind as ToolKind] as const)),
)

/**
 * The kind of a tool of Parley's own; null for any other name. Tools from outside get their kind from where they come from.
 * `action` is the field of that name in the input: one world tool both reads and changes.
 */
export function getToolKind(tool: string, action?: unknown): ToolKind | null {
  if (tool.startsWith('claworld_')) return isWorldRead(tool, action) ? 'world-read' : 'world-change'
  return kinds.get(tool) ?? null
}

const readActions: readonly unknown[] = ['view', 'list', 'get', 'list_memberships', 'get_membership']

/** Anything that is not known to read counts as a change. These two read when no action is named. */
function isWorldRead(tool: string, action: unknown): boolean {
  if (action !== undefined) return readActions.includes(action)
  return ['claworld_account', 'claworld_chat_inbox'].includes(tool) || /^claworld_(?:list|get|search)_/.test(tool)
}
