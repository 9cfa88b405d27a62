import type { DeltaView, DialogDetail, DialogSummary, EventView, Page, QuestionInbox, QuestionView } from '../client/wire.ts'
import type { Language, Participant } from '../dialog/events.ts'
import type { Answers, QuestionOutcome } from '../dialog/question.ts'

/** Who wants something, and by which door. A repeated `once` gives the first result again and changes nothing. */
export type Caller = {
  by: Participant
  via: string
  /** `key` is the caller's own; `request` is a digest of what was asked, so that a reused key is noticed. */
  once?: { key: string; request: string }
}

/**
 * Parley in your own process: the same nouns as the HTTP API. What the rules do not allow is thrown as a ParleyError
 * with a code of the catalogue, and nothing has changed then.
 */
export type Parley = {
  readonly dialogs: {
    open(
      input: {
        agent?: string | undefined
        title?: string | undefined
        text?: string | undefined
        language?: Language | undefined
        taskdoc?: string | undefined
      },
      caller: Caller,
    ): Promise<DialogDetail>
    get(dialog: string): Promise<DialogDetail>
    list(query?: {
      search?: string | undefined
      status?: string | undefined
      limit?: number | undefined
      after?: string | undefined
    }): Promise<Page<DialogSummary>>
    say(dialog: string, text: string, caller: Caller): Promise<{ dialog: string; message: string; seq: number }>
    title(dialog: string, title: string, caller: Caller): Promise<DialogDetail>
    stop(dialog: string, caller: Caller): Promise<DialogDetail>
    /** Goes on after a stop or a failure. */
    resume(dialog: string, caller: Caller): Promise<DialogDetail>
    /** The root and every side dialog below it, oldest first. */
    tree(dialog: string): Promise<DialogSummary[]>
    /** Gives a side dialog up for good. Whoever waits for it is told. */
    declareDead(dialog: string, note: string | undefined, caller: Caller): Promise<DialogDetail>
    /** Stops everything that runs, or everything below one root. Says how many were told. */
    stopAll(caller: Caller, root?: string): Promise<{ count: number }>
    /** Continues everything that was stopped or has failed. */
    resumeAll(caller: Caller, root?: string): Promise<{ count: number }>
  }
  readonly questions: {
    get(question: string): Promise<QuestionView>
    list(query?: {
      state?: 'open' | QuestionOutcome | undefined
      limit?: number | undefined
      after?: string | undefined
    }): Promise<Page<QuestionView>>
    answer(
      question: string,
      answer: { choice?: string | undefined; text?: string | undefined; answers?: Answers | undefined },
      caller: Caller,
    ): Promise<QuestionView>
    decline(question: string, reason: string | undefined, caller: Caller): Promise<QuestionView>
    cancel(question: string, reason: string | undefined, caller: Caller): Promise<QuestionView>
  }
  /** What agents ask; a server adds what waits in chat apps. */
  inbox(): Promise<QuestionInbox>
  readonly events: {
    /** With a stream, `after` is a number in that stream; without, a position among all events. */
    read(query: { stream?: string | undefined; after: number; limit: number }): Promise<EventView[]>
    /** Every event after `after`, then each new one as it comes, without gap or repeat, until aborted. Yields batches. */
    follow(query: { stream?: string | undefined; after: number }, signal: AbortSignal): AsyncIterable<EventView[]>
    /** Pieces of replies being written, lossy. What is already written of running replies comes first. */
    deltas(stream: string, listen: (delta: DeltaView) => void): () => void
    /** Told, at most every few milliseconds, that something changed somewhere. */
    onChange(listen: () => void): () => void
    position(): Promise<number>
  }
}
