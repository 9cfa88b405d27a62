import type { Cause } from '../authority/cause.ts'
import type { Author, Role } from '../authority/roles.ts'
import type { LineItem } from '../builds/rules/agent-lines.ts'
import type { Progress } from '../builds/rules/rules.ts'
import type { HistoryLine } from '../builds/rules/build-history.ts'
import type { TurnInput } from '../builds/rules/turn-input.ts'
import type { BudgetLimits } from '../dialogs/rules/budget-scopes.ts'
import type { TaskDocuments } from './task-documents.ts'
import type { Language } from '../shapes/language.ts'
import type { MessagePresentation } from '../chats/message/presentation.ts'
import type { RepeatPolicy, Usage } from '../dialogs/rules/dialog-events.ts'
import type { Question } from '../dialogs/rules/question.ts'
import type { ContextItem } from '../dialogs/rules/dialog-state.ts'
import type { WindowTokens } from '../dialogs/rules/prompt/context-levels.ts'
import type { PromptItem } from '../dialogs/rules/prompt/prompt-items.ts'
import type { TurnNotes } from './hooks.ts'
import type { ToolGate } from './tool-gate.ts'

/** Input of one generation. An agent starts from it each time: no position in code is stored. */
export type GenerationInput = {
  dialog: string
  agent: string
  language: Language
  turn: number
  /** 1 for the first of this turn. */
  generation: number
  /** Oldest first. The last items are what it has to react to. */
  context: readonly ContextItem[]
  /** Number of older items that `context` leaves out. */
  contextDropped: number
  tools: readonly ToolSpec[]
  /** Notes the agent keeps across cleared minds, numbered from 1 in this order. */
  reminders: readonly string[]
  course: number
  /** It has been asked by another dialog, and may ask back. */
  isSide: boolean
  /** The lowest role whose text is anywhere in the tree. Below `member` the agent gets no memories. */
  role: Role
  /** Under a budget: what this generation may use at most. */
  allowance?: { inputTokens: number; outputTokens: number }
  /** Folder of the task document all dialogs of its tree share, relative to the project; null without one. */
  taskdoc: string | null
  /** Notes of plugins for this turn, and whether it may end with a question or suggestion of its own. */
  notes?: TurnNotes
  /** For programs and scripts of a project: what a model reads in its prompt. */
  surroundings?: AgentSurroundings
  /** Set for models. Agents of other runtimes read `context`. */
  prompt?: ModelPrompt
  /** The bytes of a file in the prompt; null when it is not there any more. */
  readFile?(file: string): Promise<Uint8Array | null>
}

/** `background`: persona, knowledge, lessons and environment, as people wrote them in `.minds`. */
export type AgentSurroundings = {
  teammates: { name: string; about: string }[]
  background: string[]
  memories: string | null
  /** The text of the task document. */
  taskdoc: string | null
}

/** The list a model reads. System prompt and tools belong to the epoch and do not change within it. */
export type ModelPrompt = {
  epoch: number
  system: string
  tools: readonly ToolSpec[]
  items: readonly PromptItem[]
  /** Number of items that the previous request of this epoch had; 0 for the first. A cache marker goes after them. */
  cachedItems: number
  /** The model and the layout of the epoch. */
  maker?: string
  /** The provider's count of that request, where it is known. */
  cachedTokens?: number
}

/** Texts that a model reads besides its dialog, as they are now. The driver stores what it has read, so that no request changes later. */
export type PromptSource = {
  /** Provider, model and layout: with another one, an epoch begins. */
  readonly maker: string
  readonly about: string
  persona(language: Language): string
  /** The language the agent always answers in; null for that of the person or request. */
  readonly answersIn: Language | null
  teammates(): readonly { name: string; about: string }[]
  /** Notes of the owner: environment, knowledge, lessons. */
  notes(language: Language): readonly string[]
  memories(language: Language): string | null
  taskdoc(path: string, language: Language): string | null
  /** Sections of the task document with their hash. */
  sections(path: string): readonly TaskdocSection[]
  window(): WindowTokens
  /** Minutes between UTC and the owner's time zone at this time. */
  zoneOffset(at: number): number
}

export type TaskdocSection = { name: string; hash: string; text: string }

/** A tool as the model sees it. */
export type ToolSpec = { name: string; description: string; inputSchema: object }

/** Output of an agent, in order. Deltas are shown while they arrive and are not stored; the finished text is. */
export type AgentOutput =
  | { type: 'delta'; text: string }
  | { type: 'thinking'; text: string }
  /** Reasoning as the provider sent it, at its position among words and calls. It goes back only to its maker. */
  | { type: 'reasoning'; maker: string; data: unknown }
  /** Finished words. Without one, the deltas together are the text. A `phase` is the provider's, and goes back with the words. */
  | { type: 'text'; text: string; phase?: string }
  /** Shown below the words of the reply, natively on each surface. Parts of one generation are joined in their order. */
  | { type: 'presentation'; presentation: MessagePresentation }
  /** `fault`: the call does not run, and its result says why. */
  | { type: 'call'; call: string; name: string; input: unknown; fault?: CallFault }
  | { type: 'question'; ask: Question; expiresInMs?: number; call?: string; to?: 'owner' | 'everyone' }
  | { type: 'title'; title: string }
  /**
   * The provider's count so far; the last one of a generation is what it cost. `promptTokens` is the input of the last request,
   * where the runtime sent several: the size of the context, not the cost. `money` is the cost by the price of the model that was
   * asked, or the sum where two were.
   */
  | { type: 'usage'; model: string | null; usage: Usage; thinkingTokens?: number | null; promptTokens?: number; money?: number }
  /** The request was accepted only after its list was laid out in another way. The epoch that begins with it has this cause. */
  | { type: 'epoch'; why: 'reasoning-refused' | 'model' }
  /** A further generation of the same turn is wanted, although no tool was called. */
  | { type: 'again' }

/** `unknown-tool`: no such tool was offered. `bad-arguments`: they are no JSON object. `too-many`: beyond the calls of one step. */
export type CallFault =
  | { kind: 'unknown-tool'; name: string; suggestion: string | null }
  | { kind: 'bad-arguments'; why: string }
  | { kind: 'too-many' }

/** Sizes of the model behind an agent, in tokens. */
export type AgentWindow = {
  windowTokens: number
  inputLimitTokens: number
  /** null: the provider names none, so the window is the only bound. */
  maxOutputTokens: number | null
  source: 'configured' | 'probed' | 'learned' | 'table' | 'unknown'
}

/**
 * Runs the generations of an agent. One call is one generation; the driver appends what came out, runs the tools and asks again
 * until nothing more is called. Throws ParleyError with `retryable` when the outside world failed.
 * Stops at once when `signal` aborts.
 *
 * Of a generation with `prompt`, a runtime and the driver share the retries:
 *
 * | the model                                            | the runtime                                    | the driver                  |
 * |------------------------------------------------------|------------------------------------------------|-----------------------------|
 * | says nothing and ends normally                       | sends the same bytes once more                 |                             |
 * | says nothing again                                   | ends without text and call                     | nudges once, then fails     |
 * | uses up its output bound before a word               | once with a doubled bound, else `model_output_bound` | fails                 |
 * | refuses a field, a role or replayed reasoning        | changes the request and sends it again; `epoch` when the list changed | stores the epoch |
 * | counts its output bound against the window           | lowers the bound once                          |                             |
 * | refuses the prompt as too long                       | throws `context_overflow` with the window      | forced course, one retry    |
 * | declines                                             | throws `model_declined`                        | fails, no retry             |
 * | breaks off, stalls, is overloaded                    | throws a retryable error                       | repeats the generation      |
 */
export type AgentRuntime = {
  /** The runtime ends a generation itself after this time; a longer one than the general bound replaces it. */
  timeoutMs?: number
  /** Changes when the same items would be laid out as other bytes. */
  layout?(): string
  /** Problems in words for the owner; responses of the model server add to them. */
  problems?(): readonly string[]
  /** Sizes of the model as they are known now; they change when a probe or an error tells more. */
  window?(): AgentWindow
  generate(input: GenerationInput, signal: AbortSignal): AsyncIterable<AgentOutput>
}

export type ToolContext = {
  dialog: string
  agent: string
  /** The same for every run of this call: hand it on as an idempotency key. */
  call: string
  taskdoc: string | null
  isSide: boolean
  /** The people behind this call and the lowest role whose text the agent has read. */
  cause: Cause
  /** The language of the dialog. */
  language?: Language
  /** Hashes of the files a person has approved this call for, by path. A tool that changes one compares it before it does. */
  approvedFiles?: Readonly<Record<string, string>>
  /** The real path that the gate has judged, for tools of one path. A link made since then leads nowhere. */
  judgedPath?: string
  /** Words of the input that the person who approved the call changed. */
  edits?: Readonly<Record<string, string>>
  signal: AbortSignal
}

/** A tool as the driver runs it. `afterCrash` says what to do when it is unknown whether it ran. */
export type Tool = ToolSpec & {
  afterCrash: RepeatPolicy
  /** The effects of a call and the people who decide about it. A tool without a gate is denied. */
  gate: ToolGate
  /** `fault` says what is wrong with the input; null when it fits. */
  check(input: unknown): { input: unknown } | { fault: string }
  /** Text, JSON, or an `OutputWithFiles`. */
  run(input: unknown, context: ToolContext): Promise<unknown>
}

/** One member of the team, ready to run. */
export type Agent = {
  name: string
  runtime: AgentRuntime
  tools: readonly Tool[]
  mind?: Mind
  /** Set for models. */
  prompt?: PromptSource | undefined
  /** Names of models that people may choose in a dialog, the usual one first. Without it, there is no choice. */
  models?: readonly string[] | undefined
  spending?: Spending | undefined
  /** The agent's own build protocol. Without it, a build is a dialog in which the agent has the tools of a build. */
  builds?: BuildRuntime | undefined
  /** For agents that read task documents: the lowest role whose text is in this one; null when only owners wrote. */
  readTaskdocFloor?: ((taskdoc: string) => TaskdocFloor | null) | undefined
}

/** `change` is another one after every change by a role below owner. `writers`: the people behind these changes. */
export type TaskdocFloor = { role: Role; change: string; writers: readonly Author[] }

/** Input of one turn of a build. An agent starts from it each time. */
export type BuildTurn = {
  build: string
  /** The same for every turn of the build. */
  session: string
  agent: string
  prompt: string
  language: Language
  turn: number
  /** The message of this turn as the protocol has it: header block, notes, body. */
  message: string
  input: TurnInput
  /** Where the build stands. */
  progress: Progress
  /** Everything answered so far, by question id; a choice is the id of its option. */
  answers: Readonly<Record<string, string>>
  /** Answers, messages and results so far, in words. */
  history: readonly HistoryLine[]
  /** The fault it has to correct. */
  hint: string | null
  /** A turn with this input was cut before; what is sent again is left out. */
  resumes: boolean
}

/**
 * Runs the turns of a build. One call is one turn: everything the agent sent, in the groups it came in. Throws a ParleyError when the
 * agent died, hangs or floods. Stops at once when `signal` aborts.
 */
export type BuildRuntime = {
  /** A turn is a process of its own, of which only so many may run at a time. */
  isProgram?: true
  turn(input: BuildTurn, signal: AbortSignal, stage: BuildStage): AsyncIterable<readonly LineItem[]>
}

export type BuildStage = {
  /** To be called with the id of a process before it is given its message, so that one left behind by a crash can be ended. */
  started(pid: number): Promise<void>
}

/** The budgets that bound an agent, and the price of tokens. */
export type Spending = {
  budgets: BudgetLimits
  price?: { inputPerMillion: number; outputPerMillion: number }
  /** The most that this many tokens can cost, however they are cached. */
  worstCost?(tokens: { inputTokens: number; outputTokens: number }): number
  /** The most one reply may have; a budget cannot be kept without such a bound. */
  maxOutputTokens: number
  /** The bound the provider is asked to keep, where one is configured; a second one for fresh-boots reasoning. */
  requestedOutputTokens?: number
  reasoningOutputTokens?: number
  /** Tokens of instructions, memories and task document, assumed until the provider has counted a prompt. */
  promptOverheadTokens: number
}

/** Context handling of one member. */
export type Mind = {
  /** Number of parallel reasoning dialogs; 0 switches them off. */
  reasoningEffort?: number
  /**
   * A root that would rest is told to look once more, at most `most` times until a person writes again; null: 3 times where
   * it has a task document. `text` is that of the owner; null for the sentence of the runtime.
   */
  diligence?: { text: string | null; most: number | null }
}

export type Team = {
  /** The agent that answers when none is named. */
  readonly default: string
  /** With `model`, the agent as it works with that one of its `models`; any other name is its usual one. */
  agent(name: string, model?: string | null): Agent | undefined
  list(): { name: string; about: string }[]
  /** Of the project's folder. Without it, dialogs take every path, and people read and change no document. */
  readonly taskdocs?: TaskDocuments | undefined
}
