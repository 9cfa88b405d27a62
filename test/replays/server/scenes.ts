import type { ParleyClient } from '../../../src/client/index.ts'
import type { SaidEntry } from '../../../src/testing/model-behaviours.ts'
import { calls, words } from './line-script.ts'

/** The dialog a line is said in, and its root. */
export type Place = { client: ParleyClient; dialog: string; root: string }

/** The circumstances of a line, beyond a person's request or that of another agent. */
export type Scene = {
  /** Said before the entries of the line. */
  before?: readonly SaidEntry[]
  /** Said when the entries are used up. */
  rest?: SaidEntry
  /** The list has the fault that the refusal of the line names. Without it, the refusal is said in its place in the line. */
  refuses?(asked: string): boolean
  /** Settings of the model, and of the member. */
  settings?: object
  member?: object
  /** First words of the person, and further ones, each when the dialog rests. */
  opening?: string
  says?: readonly string[]
  /** Answer to a question of the agent. */
  answer?: string
  /** Happens once, while the entry with this number is awaited. `before` counts. */
  during?: { entry: number; act(place: Place): Promise<void> }
  /** The teammate of a root: its next output, from what it is asked. Null: it waits until the line is said. */
  teammate?(asked: string): SaidEntry | null
  /** The line is said by fresh minds. */
  isInFreshMinds?: true
  /** Every agent delegates to the next one. */
  isChain?: true
  /** Texts of the line that stand for something else here. */
  replace?: readonly [string, string][]
}

const readX = calls(['read_file', { path: 'x' }])

const stopAndSay =
  (text: string) =>
  async ({ client, dialog }: Place): Promise<void> => {
    await client.dialogs.stop(dialog)
    await client.dialogs.say(dialog, text)
  }

/** These roles follow each other in the list. */
function hasRoles(asked: string, ...roles: readonly string[]): boolean {
  const list = JSON.parse(asked) as { role: string }[]
  return list.some((_, at) => roles.every((role, after) => list[at + after]?.role === role))
}

export const scenes: Record<string, Scene> = {
  'empty-after-tool-result': { before: [readX] },
  'chat-refuses-tools-with-reasoning': { settings: { effort: 'high' } },
  'reasoning-content-required': {
    settings: { model: 'deepseek-v4-pro' },
    before: [
      {
        message: {
          content: null,
          reasoning_content: 'I read it.',
          tool_calls: [{ id: 'c_0', function: { name: 'read_file', arguments: '{"path":"x"}' } }],
        },
        finish_reason: 'tool_calls',
      },
      readX,
      words('Read.'),
    ],
  },
  'thinking-rejected-after-model-change': {
    before: [
      {
        content: [
          { type: 'thinking', thinking: 'old', signature: 'bad' },
          { type: 'tool_use', id: 'toolu_0', name: 'read_file', input: { path: 'x' } },
        ],
        stop_reason: 'tool_use',
      },
    ],
  },
  'json-in-markdown-fence': { settings: { profile: { textCalls: true } } },
  'call-of-earlier-course-tool': { member: { mcp: [] } },
  'announces-then-stops-root': { member: { 'diligence-push-max': 1 } },
  'reply-beside-tool-call': { replace: [['"text": "42"', '"content": "42"']] },
  'person-interjects': {
    during: { entry: 0, act: ({ client, dialog }) => client.dialogs.say(dialog, 'how is it going?').then(() => undefined) },
  },
  'stopped-then-asked': {
    before: [words('Half of it is done.')],
    during: { entry: 0, act: stopAndSay('what are you doing?') },
  },
  'wrong-language': { opening: 'Bitte fasse das zusammen.' },
  'clear-mind-with-open-question': {
    before: [readX, readX, readX, calls(['askHuman', { tellaskContent: 'Which printer?' }])],
    says: ['Please hurry.'],
  },
  'asks-human-what-teammate-knows': { answer: 'Ask @researcher, please.' },
  'asks-the-person-in-words': { member: { 'diligence-push-max': 2 }, says: ['The big one.'] },
  'answered-in-chat-instead': {
    before: [calls(['askHuman', { tellaskContent: 'Which printer?' }])],
    says: ['the big one'],
    replace: [['q3', 'q1']],
  },
  'asks-again-while-waiting': {
    before: [calls(['tellask', { targetAgentId: '@researcher', sessionSlug: 'facts', tellaskContent: 'Find facts.' }])],
    says: ['any news?'],
    teammate: () => null,
  },
  'two-ask-backs': {
    before: [calls(['tellaskSessionless', { targetAgentId: '@researcher', tellaskContent: 'Find the sales.' }])],
    teammate: (asked) =>
      asked.includes('"name":"tellaskBack"')
        ? calls(['reply', { text: 'Sales found.', status: 'done' }])
        : calls(['tellaskBack', { tellaskContent: 'Which region?' }], ['tellaskBack', { tellaskContent: 'Which year?' }]),
  },
  'fbr-mind-calls': { before: [calls(['freshBootsReasoning', { tellaskContent: 'Is it so?' }])], isInFreshMinds: true },
  'two-delegate-for-ever': { isChain: true },
  'overflow-anthropic-with-output': { settings: { maxOutputTokens: 64_000 } },
  'overflow-silent-ollama': {
    says: [`And now more: ${'a long story '.repeat(200)}`, 'Go on.'],
    // System prompt and tools alone take more than the part of 4096 that a course may begin with.
    replace: [['4096', '16384']],
  },
  'user-after-tool-refused': {
    before: [readX],
    during: { entry: 0, act: ({ client, dialog }) => client.dialogs.say(dialog, 'And?').then(() => undefined) },
    refuses: (asked) => hasRoles(asked, 'tool', 'user'),
  },
  'system-role-refused': {
    settings: { profile: { notes: 'system' } },
    before: [words('Hello.')],
    // A note has the role of the system only beside a message: here the note of the stop.
    during: { entry: 0, act: stopAndSay('And?') },
    refuses: (asked) => hasRoles(asked, 'system'),
  },
}

/** Lines that say an error the runtime must never get: the model says it only when it is asked wrongly. */
export const neverSaid: ReadonlySet<string> = new Set(['reasoning-content-required'])
