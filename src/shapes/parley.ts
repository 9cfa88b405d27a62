import type { PageRequest } from './paging.ts'
import type { ApprovalDecision } from '../authority/audience.ts'
import type { BuildIds, BuildSummary } from '../client/builds.ts'
import type { BuildEventView } from '../client/build-view.ts'
import type {
  DeltaView,
  DialogDetail,
  DialogSummary,
  FailureView,
  EventView,
  ExplainRequest,
  GrantView,
  Page,
  PolicyExplanation,
  PolicyView,
  QuestionInbox,
  QuestionView,
  TaskdocVersionView,
  TaskdocView,
  SearchPage,
} from './wire.ts'
import type { Language } from './language.ts'
import type { NoteCommand } from '../dialogs/rules/decide-talk.ts'
import type { Participant } from '../dialogs/rules/dialog-events.ts'
import type { MessageFile } from '../dialogs/rules/message-file.ts'
import type { Answers, QuestionOutcome } from '../dialogs/rules/question.ts'

/** The person or program behind a call, and the surface. A repeated `once` returns the first result and changes nothing. */
export type Caller = {
  by: Participant
  via: string
  /** `key` is the caller's own; `request` is a digest of what was asked, so that a reused key is noticed. */
  once?: { key: string; request: string }
}

/** An answer to a question; `decision` and what follows are for approvals. */
export type GivenAnswer = {
  choice?: string | undefined
  text?: string | undefined
  answers?: Answers | undefined
  decision?: ApprovalDecision | undefined
  /** Instead of the proposed scope. */
  scope?: string | undefined
  where?: Readonly<Record<string, string>> | undefined
  until?: number | undefined
  note?: string | undefined
  /** With once: words of the call that the person changed, by field. */
  edits?: Readonly<Record<string, string>> | undefined
  /** The person confirmed a scope that covers everything of its kind. */
  isConfirmed?: boolean | undefined
  /** The agent waits so long, and the answer can be withdrawn. Without effect on approvals and answers to limits. */
  undoSeconds?: number | undefined
}

/** `public`: what the protocol shows. `person`: also what the person asked and answered. `all`: also what only an operator needs. */
export type BuildInclude = 'public' | 'person' | 'all'

/** `message` of a person: the branch ends before it, and its text is sent, or `text`. Of an agent: the branch ends with it. */
export type BranchInput = {
  message: string
  text?: string | undefined
  /** Uploaded before, by their ids; they go with the text. */
  files?: readonly string[] | undefined
  /** For a message of an agent: the message of a person before it is sent again. */
  again?: boolean | undefined
}

/** Limits of one reader's search. `groups`: the roots of the trees that they may read; null for all. `show`: events as they see them. */
export type SearchReach = { groups: readonly string[] | null; show(events: EventView[]): Promise<EventView[]> }

/**
 * Parley in your own process: the same nouns as the HTTP API. What the rules do not allow is thrown as a ParleyError
 * with a code of the catalogue, and nothing has changed then.
 */
export type Parley = {
  /** Standing permissions. */
  readonly grants: {
    /** The latest first, ended ones included. */
    list(query?: { agent?: string | undefined }): Promise<GrantView[]>
    revoke(grant: string, caller: Caller): Promise<GrantView>
  }
  /** Rules, people and presets in force. */
  readonly policy: {
    show(): Promise<PolicyView>
    /** The decision of the gate about a hypothetical call. */
    explain(request: ExplainRequest): Promise<PolicyExplanation>
  }
  /** Documents that dialogs of one project share: folders *.tsk, whose sections are in the prompts of their agents. */
  readonly taskdocs: {
    /** Those below the project, sorted. */
    list(): Promise<{ path: string }[]>
    /** Makes an empty one; `isNew` is false when it was there already. */
    create(path: string, caller: Caller): Promise<{ path: string; isNew: boolean }>
    /** The document of this dialog. */
    get(dialog: string): Promise<TaskdocView>
    /** Replaces one whole section, unless it has changed since it was read. The text counts with the role of the caller. */
    change(
      dialog: string,
      change: { category?: string | null | undefined; selector: string; content: string; knownHash: string },
      caller: Caller,
    ): Promise<TaskdocView>
    /** Kept versions, the latest first; of one section, or of all. */
    versions(dialog: string, section?: { category: string | null; selector: string }): Promise<TaskdocVersionView[]>
    version(dialog: string, version: string): Promise<TaskdocVersionView & { text: string }>
  }
  readonly dialogs: {
    open(
      input: {
        agent?: string | undefined
        title?: string | undefined
        text?: string | undefined
        language?: Language | undefined
        taskdoc?: string | undefined
        /** One of the models that the agent may be given; its usual one unless set. */
        model?: string | undefined
        /** Uploaded before, by their ids. */
        files?: readonly string[] | undefined
      },
      caller: Caller,
    ): Promise<DialogDetail>
    /** A new chat that begins with what was said in this one, up to a message. The chat itself stays as it is. */
    branch(dialog: string, input: BranchInput, caller: Caller): Promise<DialogDetail>
    get(dialog: string): Promise<DialogDetail>
    list(
      query?: {
        search?: string | undefined
        status?: string | undefined
        /** Those people talk in, or those in which agents work on builds. */
        of?: 'people' | 'builds' | undefined
        /** Archived dialogs alone; they are left out unless set. */
        archived?: boolean | undefined
        pinned?: boolean | undefined
      } & PageRequest,
    ): Promise<Page<DialogSummary>>
    /** `files` were uploaded before; with one, the text may be empty. */
    say(dialog: string, text: string, caller: Caller, files?: readonly string[]): Promise<{ dialog: string; message: string; seq: number }>
    /** Taps a control of a message that the agent showed: says its label, and its value where that differs. The first tap counts. */
    tap(
      dialog: string,
      control: { message: string; value: string },
      caller: Caller,
    ): Promise<{ dialog: string; message: string; seq: number }>
    title(dialog: string, title: string, caller: Caller): Promise<DialogDetail>
    /** From the next turn on. One of the models of its agent; null: the usual one. */
    chooseModel(dialog: string, model: string | null, caller: Caller): Promise<DialogDetail>
    /** Gives a command that only notes something about the dialog. */
    apply(dialog: string, command: NoteCommand, caller: Caller): Promise<DialogDetail>
    /** Ends what runs in the dialog and below it. Nothing starts there again before `resume`. */
    stop(dialog: string, caller: Caller): Promise<DialogDetail>
    /** Continues after a failure, or lifts the stop here and everywhere below. */
    resume(dialog: string, caller: Caller): Promise<DialogDetail>
    /** The agent begins a new course before its next request: request, reminders and what is out stay, older messages leave its sight. */
    freshStart(dialog: string, caller: Caller): Promise<DialogDetail>
    /** Deletes a root with everything below it for good: events, rows and files. Refused while something runs there. Says how many dialogs. */
    delete(dialog: string, caller: Caller): Promise<{ count: number }>
    /** The root and every side dialog below it, oldest first. */
    tree(dialog: string): Promise<DialogSummary[]>
    /**
     * Gives a side dialog up for good, with all side dialogs below it. Callers that wait for one of them get a failed reply. Of
     * a failed dialog, root or side, it ends the failure alone.
     */
    declareDead(dialog: string, note: string | undefined, caller: Caller): Promise<DialogDetail>
    /** Ends the failure of a dialog, root or side. Changes nothing where there is none. */
    giveUpFailure(dialog: string, caller: Caller): Promise<DialogDetail>
    /** Failed dialogs that wait for a person, the latest first. */
    failures(): Promise<{ items: FailureView[]; count: number }>
    /** With a root: stops its tree. Without: the emergency stop, for everything that is or will be opened. Says how many worked. */
    stopAll(caller: Caller, root?: string): Promise<{ count: number }>
    /** Lifts every stop and continues everything that has failed; with a root, in its tree alone. */
    resumeAll(caller: Caller, root?: string): Promise<{ count: number }>
    /** The owner vouches for everything written in the tree so far: calls are judged by the owner's role again. */
    trust(dialog: string, seen: { upTo: number }, caller: Caller): Promise<DialogDetail>
    /** The emergency stop, null while it is not set. */
    emergency(): Promise<{ by: string; at: number } | null>
  }
  /** Files of messages and results. Their bytes are stored outside the log. */
  readonly files: {
    /** Stores a file for a message that is sent later. `text` is the text in it where that is known, such as of a recording. */
    add(file: { name: string; bytes: Uint8Array; text?: string }, caller: Caller): Promise<MessageFile>
    /** A file that this dialog refers to. */
    read(dialog: string, file: string): Promise<MessageFile & { content: Uint8Array }>
  }
  readonly questions: {
    get(question: string): Promise<QuestionView>
    list(
      query?: {
        state?: 'open' | QuestionOutcome | undefined
      } & PageRequest,
    ): Promise<Page<QuestionView>>
    answer(question: string, answer: GivenAnswer, caller: Caller): Promise<QuestionView>
    /** Takes an answer back that was given with `undoSeconds`, within that time. */
    withdrawAnswer(question: string, caller: Caller): Promise<QuestionView>
    decline(question: string, reason: string | undefined, caller: Caller): Promise<QuestionView>
    cancel(question: string, reason: string | undefined, caller: Caller): Promise<QuestionView>
    /**
     * Why this caller may not answer: the names of those who may (none: the owner). Null when they may. Of an approval it
     * says who may give this decision; deny unless set.
     */
    refusalFor(question: string, caller: Caller, decision?: ApprovalDecision): Promise<{ names: readonly string[] } | null>
    /** Records, once per person, an attempt by a person who may not answer. */
    recordRefusal(question: string, caller: Caller): Promise<void>
  }
  readonly builds: {
    open(input: { prompt: string; language?: Language | undefined; agent?: string | undefined }, caller: Caller): Promise<BuildIds>
    get(build: string): Promise<BuildSummary>
    /** The latest first. What ended long ago is left out, and still there by its id. */
    list(
      query?: {
        search?: string | undefined
        status?: string | undefined
      } & PageRequest,
    ): Promise<Page<BuildSummary>>
    readonly events: {
      /** After a number of the build's own log, oldest first, bounded like a page of `events`: only an empty page is the end. */
      read(
        build: string,
        query?: { after?: number | undefined; limit?: number | undefined; include?: BuildInclude | undefined },
      ): Promise<BuildEventView[]>
      /** The same, then each as it happens, until aborted. Yields batches. */
      follow(
        build: string,
        query: { after: number; include?: BuildInclude | undefined },
        signal: AbortSignal,
      ): AsyncIterable<BuildEventView[]>
    }
    /** Answers the open question. The first answer counts. */
    answer(build: string, given: { question: string; answer: string }, caller: Caller): Promise<BuildSummary>
    /** Answers the open set, every question of it. */
    answerAll(
      build: string,
      given: { set?: string | undefined; answers: Readonly<Record<string, string>> },
      caller: Caller,
    ): Promise<BuildSummary>
    /** A message; the agent receives it at its next step. After the end it begins a new round of the same session. */
    instruct(build: string, text: string, caller: Caller): Promise<BuildSummary>
    cancel(build: string, caller: Caller): Promise<BuildSummary>
    /** A new round of the same session, for a build that failed or was cancelled, or with messages that came too late. */
    retry(build: string, caller: Caller): Promise<BuildSummary>
  }
  /** Messages of people and agents, the latest first. All words of `q` are in it; a word is found by its beginning. */
  search(query: { q: string } & PageRequest, reach?: SearchReach): Promise<SearchPage>
  /** Open questions; a server adds items of chat apps. */
  inbox(): Promise<QuestionInbox>
  readonly events: {
    /**
     * With a stream, `after` is a number in that stream; without, a position among all events. A page ends at `limit` events
     * or before `maxBytes`, whichever comes first, and holds at least one event: only an empty page is the end.
     */
    read(query: { stream?: string | undefined; after: number; limit: number; maxBytes?: number | undefined }): Promise<EventView[]>
    /** Every event after `after`, then each new one as it comes, without gap or repeat, until aborted. Yields batches. */
    follow(query: { stream?: string | undefined; after: number }, signal: AbortSignal): AsyncIterable<EventView[]>
    /** Pieces of replies being written, lossy. What is already written of running replies comes first. */
    deltas(stream: string, listen: (delta: DeltaView) => void): () => void
    /** Told, at most every few milliseconds, in which streams something changed. */
    onChange(listen: (streams: ReadonlySet<string>) => void): () => void
    /** Where the log ends: the number of a stream's last event, or the last position of all; 0 when there is none. */
    position(stream?: string): Promise<number>
    /** Throws unless an event could be stored now: writes and syncs something small. */
    check(): Promise<void>
  }
}
