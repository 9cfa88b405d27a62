import type { Language } from '../../shapes/language.ts'
import type { BuildEventView } from '../../client/build-view.ts'
import type { Caller } from '../../shapes/parley.ts'

/** The part of `Parley['builds']` that the bridge needs. */
export type BuildsForAgUi = {
  open(input: { prompt: string; language?: Language; agent?: string }, caller: Caller): Promise<{ build_id: string }>
  get(build: string): Promise<{ build_id: string }>
  readonly events: {
    read(build: string, query: { after: number; include: 'person' }): Promise<BuildEventView[]>
    follow(build: string, query: { after: number; include: 'person' }, signal: AbortSignal): AsyncIterable<BuildEventView[]>
  }
  answer(build: string, given: { question: string; answer: string }, caller: Caller): Promise<unknown>
  answerAll(build: string, given: { set: string; answers: Readonly<Record<string, string>> }, caller: Caller): Promise<unknown>
  instruct(build: string, text: string, caller: Caller): Promise<unknown>
  cancel(build: string, caller: Caller): Promise<unknown>
}
