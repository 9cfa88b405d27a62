import type { ApprovalDecision } from '../authority/audience.ts'
import type { TokenScope } from '../authority/capabilities.ts'
import type { PolicyExplanation, PolicyView, RuleView } from '../authority/policy-view.ts'
import type { ScopeProposal } from '../authority/proposals.ts'
import type { Role } from '../authority/roles.ts'
import type { ShownCall } from '../dialog/approval.ts'
/** What travels between a Parley server and whoever reads it. Browser-safe: types only. */
import type { DialogEvent, Language, Participant } from '../dialog/events.ts'
import type { Answers, Question, QuestionOutcome } from '../dialog/question.ts'
import type { DialogStatus, HealthLevel } from '../dialog/state.ts'
import type { TellaskMode } from '../dialog/tellask.ts'
import type { ErrorWords } from '../errors.ts'
import type {
  ChannelView,
  DeliveryView,
  Done,
  DrySend,
  PairingState,
  PairingView,
  SendInput,
  Sent,
  Target,
  UnclaimedName,
  UnclaimedView,
} from '../ports/messaging.ts'
import type { BuildSummary } from './builds.ts'

export type { PolicyExplanation, PolicyView, RuleView }
export type { ChannelView, DeliveryView, Done, DrySend, PairingState, PairingView, Sent, Target, UnclaimedName, UnclaimedView }
export type { Answers, DialogEvent, DialogStatus, ErrorWords, HealthLevel, Language, Participant, Question, QuestionOutcome }

export type DialogSummary = {
  id: string
  agent: string
  title: string
  status: DialogStatus
  openQuestions: number
  /** The last words said, shortened. */
  preview: string
  language: Language
  openedAt: number
  updatedAt: number
  /** Set for a side dialog: where it belongs and how it came to be. */
  origin: { root: string; parent: string; mode: TellaskMode; session: string | null; depth?: number } | null
  /** Set while its work is stopped. */
  stop?: StopView
  course: number
  /** Tokens, and money where prices are known. Of this dialog alone; a tree's is the sum. */
  spent: { tokens: number; money: number }
  /** Whom it waits for: requests that have no reply yet. */
  pending: { tellask: string; to: string; agent: string; session: string | null; at: number }[]
}

export type DialogDetail = DialogSummary & {
  /** Number of the last event: read on with `after`. */
  head: number
  turns: number
  /** Why the last try did not work, in words for a person. `retryAt` is set while another try is planned. */
  failure: (ErrorWords & { at: number; retryAt: number | null }) | null
  questions: QuestionView[]
  /** Notes its agent keeps across cleared minds, numbered from 1 in this order. */
  reminders: ReminderView[]
  /** How full its agent's context is, by the provider's own count. */
  health: HealthLevel
}

/** Who stopped it, when, and the dialog in which Continue lifts it; null for the emergency stop, which only Resume all lifts. */
export type StopView = { by: string; at: number; in: string | null }

export type ReminderView = { id: string; text: string }

export type QuestionView = {
  id: string
  dialog: string
  dialogTitle: string
  agent: string
  state: 'open' | QuestionOutcome
  ask: Question
  askedAt: number
  expiresAt: number | null
  /** Set when a tool call waits for this decision. */
  approval?: ApprovalView
  /** Who may answer besides owners and operators; missing when it is for the owner alone. */
  audience?: { kind: 'authors' | 'everyone'; names: string[] }
  closed: { at: number; by: string | null; via: string | null; answers: Answers | null; reason: string | null } | null
}

/** A call that waits for a decision, with everything an approver has to see. */
export type ApprovalView = {
  tool: string
  /** Approvals of the same dialog and turn are shown as one card. */
  turn: number | null
  /** Names of those who could decide when it was asked. */
  names: string[]
  /** Approved before; the tool or a file it depends on has changed since. */
  isChanged?: true
  /** Approved before; it had begun when the process ended, and may have taken effect. */
  isInterrupted?: true
  /** Calls of this kind were approved several times, and the preset `workspace` would allow them. */
  offersWorkspace?: true
  shown: ShownCall
  because: string
  /** People whose messages led to the call; only an owner among them may approve it. `via`: where they wrote, if known. */
  requesters: { id: string; name: string; role: Role; via?: string }[]
  /** Scopes for "in this chat" and "always", one list for each part of the call that nothing covers yet. */
  proposals: (readonly ScopeProposal[])[]
  keys: number
  /** Names of people who approved already. */
  keysGiven: string[]
  onceOnly: boolean
  irreversible: boolean
  /** This reader may not decide it: the call and its proposals are left out, and the text says whom it waits for. */
  isHidden?: true
  /** Set once it is decided. */
  decision?: ApprovalDecision
  note?: string
}

/** A standing permission. */
export type GrantView = {
  id: string
  agent: string
  tool: string
  scope: string
  where?: Readonly<Record<string, string>>
  role: Role
  author: string | null
  /** Null: all dialogs. */
  dialog: string | null
  /** The dialog it was made in. */
  madeIn: string
  toolHash: string
  scripts: Readonly<Record<string, string>>
  by: { id: string; name: string; role: Role }
  via: string | null
  madeAt: number
  until: number
  end: { at: number; by: string; why: string } | null
}

/** A call that nobody makes, to learn what the gate would decide. */
export type ExplainRequest = {
  /** `run`, `read`, `write`, `net`, `message`, `mcp`, or the name of a tool of the agent. */
  tool: string
  /** The command, path, host, address or `server/tool`. */
  text?: string | undefined
  /** Input of the tool; for `mcp` the fields that `where` looks at. */
  input?: Readonly<Record<string, unknown>> | undefined
  agent?: string | undefined
  /** The lowest role whose text the agent has read; owner unless set. */
  as?: Role | undefined
  /** Grants for this dialog count as well. */
  dialog?: string | undefined
  language?: Language | undefined
}

/** One thing that waits for a person. Reports join here. */
export type InboxItem =
  | { kind: 'question'; question: QuestionView }
  /** A build whose agent cannot go on without an answer. */
  | { kind: 'build'; build: BuildSummary }
  /** Somebody in a chat app asks to be let in. */
  | { kind: 'pairing'; pairing: PairingView }
  /** Something came in that nobody took. */
  | { kind: 'unclaimed'; unclaimed: UnclaimedView }
  /** A message that did not arrive, or of which nobody knows. */
  | { kind: 'delivery'; delivery: DeliveryView }

export type Inbox<Item extends InboxItem = InboxItem> = { items: Item[]; count: number }

/** With the emergency stop, while it is set: what waits is not worked on then. */
export type WholeInbox = Inbox & { emergency: ServerInfo['emergency'] }

/** What agents ask, without the rest. */
export type QuestionInbox = Inbox<Extract<InboxItem, { kind: 'question' }>>

/** A message to a chat app, as it is asked for. */
export type MessageRequest = Omit<SendInput, 'from'>

/** What is to be changed: a delivery of ours, or a message by the platform's own id. */
export type MessageAt = Target & { messageId: string }

/** Buttons of plugins below the last reply of a dialog, row by row. `turn` names the reply. */
export type ControlsView = { turn: number; rows: { label: string; data: string }[][] }

/** What became of a tap, in a few words for whoever tapped. `isTaken`: it counted; another one before it, or none any more, did not. */
export type TapView = { toast: string | null; isTaken?: boolean }

export type Page<Item> = { items: Item[]; next: string | null }

/** One event as every reader gets it. `seq` counts within the stream, `position` over everything. */
export type EventView = { stream: string; seq: number; position: number; at: number; type: string; data: object }

/** A piece of a reply while it is written. `draft` names one attempt; a new name replaces what the old one showed. */
export type DeltaView = {
  stream: string
  draft: string
  turn: number
  kind: 'text' | 'thinking'
  from: number
  text: string
  end?: boolean
}

export type LiveRequest = { type: 'follow'; stream: string; after: number } | { type: 'unfollow'; stream: string } | { type: 'ping' }

export type LiveFrame =
  /** First frame of a connection. Another `build` than the page's own means: a new version is here. */
  | { type: 'welcome'; build: string; version: string }
  /** In order, without gap or repeat for each stream followed. */
  | { type: 'events'; stream: string; events: EventView[] }
  /** Everything up to `head` was sent; from here on it is live. */
  | { type: 'live'; stream: string; head: number }
  | { type: 'delta'; delta: DeltaView }
  /** Something in the lists changed (lossy, gathered): fetch what you show again. */
  | { type: 'changed' }
  | { type: 'error'; error: ErrorWords; stream?: string }
  | { type: 'pong' }

/** A token with a limit sees and changes one dialog with the dialogs below it, or one build, and nothing else. */
export type TokenLimit = { dialog: string } | { build: string }

/** `isLegacy`: made by 0.1, where `chat` included what is `send` today. */
export type TokenView = {
  id: string
  name: string
  role: Role
  scopes: Scope[]
  limit: TokenLimit | null
  createdAt: number
  revokedAt: number | null
  isLegacy?: true
}

/**
 * One browser that signed in. `current`: the one that asks. `person`: its key under `people` in parley.yaml, null for the owner.
 * `browser`: its User-Agent header, shortened. `isLegacy`: it signed in with 0.1.
 */
export type SessionView = {
  id: string
  name: string
  person: string | null
  createdAt: number
  lastUsedAt: number
  expiresAt: number
  revokedAt: number | null
  browser: string
  current: boolean
  isLegacy?: true
}

/**
 * `read` sees dialogs and builds, `chat` speaks in them and stops them, `answer` answers questions, `approve` decides about
 * tool calls, `send` writes to chat apps, `pair` decides who may write from there, `admin` includes all of these and manages
 * tokens and sessions. A scope never gives more than the role of the token: a member's `read` sees the member's own.
 */
export type Scope = TokenScope

export type AgentView = { name: string; about: string; default: boolean }

/** `emergency` is set while all work is stopped. */
export type ServerInfo = {
  version: string
  build: string
  agents: AgentView[]
  demo: boolean
  problems: string[]
  emergency: { by: string; at: number } | null
  /** The person or token that asks. */
  caller?: { id: string; name: string; role: Role }
}
