import type { BuildEventView } from '../../client/build-view.ts'
import type { Caller } from '../../ports/parley.ts'

/** What the bridge needs of builds. `Parley['builds']` is one. */
export type BuildsForAgUi = {
  open(input: { prompt: string; language?: 'en' | 'zh'; agent?: string }, caller: Caller): Promise<{ build_id: string }>
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
