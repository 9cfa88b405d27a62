import { isBuildId } from './rules/build-dialog.ts'
import type { BuildState } from './rules/build-state.ts'
import type { BuildCommand } from './rules/decide-build.ts'
import type { BuildSummary } from '../client/builds.ts'
import { type Page, pageSize, readCursor, writeCursor } from '../shapes/paging.ts'
import type { Author } from '../authority/roles.ts'
import { eventAuthor } from '../dialogs/rules/event-author.ts'
import { ParleyError } from '../errors.ts'
import type { Team } from '../ports/agent-runtime.ts'
import type { Clock } from '../ports/clock.ts'
import type { Ids } from '../ports/ids.ts'
import type { Caller, Parley } from '../shapes/parley.ts'
import type { Store } from '../ports/store.ts'
import { asking } from '../streams/asking.ts'
import { feed } from '../streams/feed.ts'
import { mapIterator } from '../streams/map-iterator.ts'
import type { StreamHandler } from '../streams/stream-handler.ts'
import { buildView, detailOfBuild } from './rows/build-rows.ts'
import { toViews } from './runner/build-events-view.ts'
import { buildingLimits } from './runner/runner-limits.ts'

export type BuildStreams = StreamHandler<BuildState, BuildCommand>

type Parts = { store: Store; streams: BuildStreams; team: Team; clock: Clock; ids: Ids }

const authored = ({ by, via }: Caller): { by: string; via: string; author: Author } => ({ by: by.name, via, author: eventAuthor(by, via) })

/** The nouns of builds over a store. */
export function buildsOver({ store, streams, team, clock, ids }: Parts): Parley['builds'] {
  const at = (): number => clock.now()
  const ask = asking(store, streams, 'build')

  async function getState(build: string): Promise<BuildState> {
    const state = isBuildId(build) ? await streams.load(build) : null
    if (!state || state.seq === 0) throw new ParleyError('build_not_found', { build })
    return state
  }

  const summary = async (build: string): Promise<BuildSummary> => detailOfBuild(await getState(build))

  /** Runs a command on an existing build and returns its summary. */
  const handle: Handle = async (build, command, caller) => {
    await getState(build)
    await ask(
      build,
      () => [{ ...command, at: at(), ...authored(caller) }],
      caller,
      () => null,
    )
    return summary(build)
  }

  const open: Parley['builds']['open'] = async ({ prompt, language = 'en', agent = team.default }, caller) => {
    if (!team.agent(agent)) {
      const agentNames = team
        .list()
        .map(({ name }) => name)
        .join(', ')
      throw new ParleyError('agent_not_found', { agent, known: agentNames })
    }
    const ours = { build_id: ids.uuid(at()), session_id: ids.uuid(at()) }
    const names = { build: ours.build_id, session: ours.session_id, ...authored(caller) }
    return ask(
      ours.build_id,
      () => [{ type: 'open-build', at: at(), prompt, agent, locale: language, ...names }],
      caller,
      () => ours,
    )
  }

  return {
    open,
    get: summary,
    list: (query = {}) => listed(store, clock.now(), query),
    events: {
      async read(build, { after = 0, limit = buildingLimits.eventsPage, include = 'public' } = {}) {
        await getState(build)
        const most = Math.min(limit, buildingLimits.eventsPage)
        // A page in which nothing is for this reader must not look like the end of the log.
        for (let from = after; ;) {
          const events = await store.read(build, from, most, buildingLimits.eventsPageBytes)
          const views = toViews(events, include)
          if (views.length > 0 || events.length === 0) return views
          from = events.at(-1)?.seq ?? from
        }
      },
      follow(build, { after, include = 'public' }, signal) {
        const views = mapIterator(feed(store, clock, { stream: build, after }, signal), (events) => toViews(events, include))
        let isKnown = false
        return {
          ...views,
          async next() {
            if (!isKnown) await getState(build)
            isKnown = true
            return views.next()
          },
        }
      },
    },
    answer: (build, { question, answer }, caller) => handle(build, { type: 'answer-one', question, answer }, caller),
    answerAll: (build, { set, answers }, caller) =>
      handle(build, { type: 'answer-set', answers: { ...answers }, ...(set === undefined ? {} : { set }) }, caller),
    instruct: (build, text, caller) => handle(build, { type: 'instruct', text }, caller),
    cancel: (build, caller) => handle(build, { type: 'cancel-build' }, caller),
    retry: (build, caller) => handle(build, { type: 'retry-build' }, caller),
  }
}

type PersonCommand =
  | { type: 'answer-one'; question: string; answer: string }
  | { type: 'answer-set'; set?: string; answers: Record<string, string> }
  | { type: 'instruct'; text: string }
  | { type: 'cancel-build' }
  | { type: 'retry-build' }

type Handle = (build: string, command: PersonCommand, caller: Parameters<Parley['builds']['cancel']>[1]) => Promise<BuildSummary>

type Query = NonNullable<Parameters<Parley['builds']['list']>[0]>

/** A page of the list. Builds that ended long ago are omitted; a running one is always listed. */
async function listed(store: Store, now: number, { search, status, limit, after }: Query): Promise<Page<BuildSummary>> {
  const most = pageSize(limit)
  const before = readCursor(after)
  const rows = await store.rows({
    view: buildView,
    limit: most + 1,
    ...(status === undefined ? {} : { group: status }),
    ...(search ? { text: search } : {}),
    ...(before ? { before } : {}),
  })
  const oldest = now - buildingLimits.listedDays * 24 * 60 * 60_000
  const items = rows.slice(0, most).map((row) => row.body as BuildSummary)
  const last = rows.length > most ? rows[most - 1] : undefined
  return { items: items.filter((each) => !isOver(each) || each.updatedAt >= oldest), next: last ? writeCursor(last) : null }
}

const isOver = ({ status }: BuildSummary): boolean => status === 'complete' || status === 'failed' || status === 'cancelled'
