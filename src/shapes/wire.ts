import type { TokenScope } from '../authority/capabilities.ts'
import type { PolicyExplanation, PolicyView, RuleView } from '../authority/policy-view.ts'
import type { Role } from '../authority/roles.ts'
/** Shapes on the wire between a server and its clients. Browser-safe: types only. */
import type { z } from 'zod'
import type { Language } from './language.ts'
import type * as authority from './schemas/authority-responses.ts'
import type * as builds from './schemas/build-responses.ts'
import type * as controls from './schemas/control-responses.ts'
import type * as responses from './schemas/responses.ts'
import type * as taskdocs from './schemas/taskdoc-responses.ts'
import type { DialogEvent, Participant } from '../dialogs/rules/dialog-events.ts'
import type { Answers, Question, QuestionOutcome } from '../dialogs/rules/question.ts'
import type { DialogStatus, HealthLevel } from '../dialogs/rules/dialog-state.ts'
import type { ErrorWords } from '../errors.ts'
import type {
  ChannelView,
  DeliveryView,
  Done,
  DrySend,
  PairingState,
  PairingView,
  PreviewView,
  SendInput,
  Sent,
  Target,
  UnclaimedName,
  UnclaimedView,
} from './messaging.ts'

export type { Page } from './paging.ts'
export type { PolicyExplanation, PolicyView, RuleView }
export type { ChannelView, DeliveryView, Done, DrySend, PairingState, PairingView, PreviewView, Sent, Target, UnclaimedName, UnclaimedView }
export type { Answers, DialogEvent, DialogStatus, ErrorWords, HealthLevel, Language, Participant, Question, QuestionOutcome }

export type DialogSummary = z.infer<typeof responses.summary>

export type DialogDetail = z.infer<typeof responses.dialog>

/** A stop: person, time, and the dialog in which Continue lifts it; null for the emergency stop, which only Resume all lifts. */
export type StopView = NonNullable<DialogSummary['stop']>

/** A part of what was said that has the words of a search. */
export type SearchHit = z.infer<typeof responses.searchHit>

export type SearchPage = z.infer<typeof responses.searchPage>

export type ReminderView = DialogDetail['reminders'][number]

export type QuestionView = z.infer<typeof responses.question>

/** A call that waits for a decision, with everything an approver has to see. */
export type ApprovalView = z.infer<typeof responses.approval>

/** A standing permission. */
export type GrantView = z.infer<typeof authority.grant>

/** A task document with its sections. */
export type TaskdocView = z.infer<typeof taskdocs.taskdoc>

/** A stored version of a section, without its text. */
export type TaskdocVersionView = z.infer<typeof taskdocs.version>

/** A hypothetical call, to learn what the gate would decide. */
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
export type InboxItem = WholeInbox['items'][number]

export type Inbox<Item extends InboxItem = InboxItem> = { items: Item[]; count: number }

/** With the emergency stop, while it is set: what waits is not worked on then. */
export type WholeInbox = z.infer<typeof responses.inbox>

/** A failed dialog that waits for a person: retry, give up, or open it. */
export type FailureView = z.infer<typeof responses.failure>

/** An inbox with questions only. */
export type QuestionInbox = Inbox<Extract<InboxItem, { kind: 'question' }>>

/** A message to a chat app, as it is asked for. */
export type MessageRequest = Omit<SendInput, 'from'>

/** A message to change: one of our deliveries, or a message by the platform's id. */
export type MessageAt = Target & { messageId: string }

/** Buttons of plugins below the last reply of a dialog, row by row. `turn` names the reply. */
export type ControlsView = z.infer<typeof controls.controls>

/** Result of a tap, with a toast for the person. `isTaken`: this tap counted, not an earlier one. */
export type TapView = z.infer<typeof controls.tapped>

/**
 * One event as every reader gets it. `seq` counts within the stream, `position` over everything. `EventView<DialogEvent>` is an
 * event of a dialog: after a check of `type`, `data` has the fields of that type.
 */
export type EventView<Event extends { type: string; data: object } = { type: string; data: object }> = Event extends unknown
  ? { stream: string; seq: number; position: number; at: number; type: Event['type']; data: Event['data'] }
  : never

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
export type TokenLimit = NonNullable<TokenView['limit']>

/** `isLegacy`: made by 0.1, where `chat` included what is `send` today. */
export type TokenView = z.infer<typeof responses.token>

/** A token for one build: it ends after 15 minutes, or earlier with the access of its maker. */
export type BuildTokenView = z.infer<typeof builds.buildToken>

/**
 * One browser that signed in. `current`: the one that asks. `person`: its key under `people` in parley.yaml, null for the owner.
 * `browser`: its User-Agent header, shortened. `isLegacy`: it signed in with 0.1.
 */
export type SessionView = z.infer<typeof responses.session>

/**
 * `read` sees dialogs and builds, `chat` speaks in them and stops them, `answer` answers questions, `approve` decides about
 * tool calls, `send` writes to chat apps, `pair` decides who may write from there, `admin` includes all of these and manages
 * tokens and sessions. A scope never gives more than the role of the token: a member's `read` sees the member's own.
 */
export type Scope = TokenScope

export type AgentView = ServerInfo['agents'][number]

/** `emergency` is set while all work is stopped. */
export type ServerInfo = z.infer<typeof responses.info>
