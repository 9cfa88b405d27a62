import { type BuildFeed, buildFeed, type BuildFollower } from './build-feed.ts'
import type { BuildEventView, BuildViewStatus } from './build-view.ts'
import type { CallOptions, Http, HttpOptions } from './http.ts'
import type { Language, Page } from './wire.ts'

/** Under these names they travel everywhere in a build: the protocol's own spelling. */
export type BuildIds = { build_id: string; session_id: string }

export type BuildSummary = BuildIds & {
  agent: string
  language: Language
  /** What the person asked for, whole. */
  prompt: string
  status: BuildViewStatus
  /** Place of the step under way, else of the last one reached; 0 before the first. */
  step: number
  /** How many things the person is asked right now. */
  openQuestions: number
  /** What they are asked: the id of the question or of the set, and the words above it. */
  question: { id: string; prompt: string } | null
  openedAt: number
  updatedAt: number
}

export type BuildAnswer = { question_id: string; answer: string } | { answers: Record<string, string> }

export type Builds = {
  start(input: { prompt: string; language?: Language; agent?: string }, options?: CallOptions): Promise<BuildIds>
  /** The latest first. */
  list(query?: { limit?: number; after?: string; status?: string }, options?: CallOptions): Promise<Page<BuildSummary>>
  get(build: string, options?: CallOptions): Promise<BuildSummary>
  /** The public events after `after`, and between them what the person asked for and answered. */
  events(build: string, after?: number, options?: CallOptions): Promise<BuildEventView[]>
  /** Every event there is, also what only an operator needs. */
  log(build: string, after?: number, options?: CallOptions): Promise<BuildEventView[]>
  /** The same as `events`, and then each as it happens. */
  follow(build: string, after: number, follower: BuildFollower): BuildFeed
  /** The first answer counts; a later one is refused with who was first. */
  answer(build: string, answer: BuildAnswer, options?: CallOptions): Promise<unknown>
  /** A further wish; the agent hears it with its next turn. */
  instruct(build: string, text: string, options?: CallOptions): Promise<BuildSummary>
  cancel(build: string, options?: CallOptions): Promise<unknown>
  /** Continues a build that failed or was cancelled, as a new round of the same session. */
  retry(build: string, options?: CallOptions): Promise<BuildSummary>
}

type BuildEventsPage = { events: BuildEventView[]; next?: string | null }

export function builds({ get, send }: Http, { baseUrl, token, fetch }: Pick<HttpOptions, 'baseUrl' | 'token' | 'fetch'>): Builds {
  const at = (build: string, rest = ''): string => `/v1/builds/${encodeURIComponent(build)}${rest}`
  /** All pages. A server of 0.1 sends one page without `next`. */
  const read = async (build: string, include: string, after: number, call?: CallOptions): Promise<BuildEventView[]> => {
    const all: BuildEventView[] = []
    for (let from: number | null = after; from !== null;) {
      const page: BuildEventsPage = await get(at(build, '/events'), { include, after: from }, call)
      all.push(...page.events)
      from = typeof page.next === 'string' ? Number(page.next) : null
    }
    return all
  }
  return {
    start: (input, call) => send('POST', '/v1/builds', input, call),
    list: (query = {}, call) => get('/v1/builds', query, call),
    get: (build, call) => get(at(build), {}, call),
    events: (build, after = 0, call) => read(build, 'person', after, call),
    log: (build, after = 0, call) => read(build, 'all', after, call),
    follow: (build, after, follower) =>
      buildFeed({ url: `${baseUrl.replace(/(?<!\/)\/+$/, '')}${at(build, '/events')}?include=person`, token, fetch, after, follower }),
    answer: (build, answer, call) => send('POST', at(build, '/answers'), answer, call),
    instruct: (build, text, call) => send('POST', at(build, '/messages'), { text }, call),
    cancel: (build, call) => send('POST', at(build, '/cancel'), {}, call),
    retry: (build, call) => send('POST', at(build, '/retry'), {}, call),
  }
}
