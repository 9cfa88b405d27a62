import { can, mustHave, type Principal } from './principal.ts'
import type { BuildSummary } from '../../client/builds.ts'
import type { DialogDetail, EventView, Page, QuestionView } from '../../shapes/wire.ts'
import { ParleyError } from '../../errors.ts'
import { newestFirst } from '../../dialogs/rules/question-order.ts'
import { approvalItem } from '../../dialogs/rules/approval.ts'
import type { GivenAnswer, Parley } from '../../shapes/parley.ts'
import type { Visibility } from '../../ports/visibility.ts'
import { type HiddenArguments, hiddenArguments } from './hidden-arguments.ts'
import { type Reach, findReach } from './reach.ts'
import { visibleEvents, withoutOperatorEvents } from './visible-events.ts'

export const callerLimits = { pagesScanned: 10, inbox: 200 } as const

type Parts = { parley: Parley; principal: Principal; visibility: Visibility; reach: Reach; hidden: HiddenArguments }

/** True for callers to whom nothing is closed: they use Parley itself. */
export const seesEverything = (principal: Principal): boolean => !principal.limit && can(principal, 'manage') && can(principal, 'approve')

/**
 * Parley as one caller may see and change it. An id out of their reach is not found, as if it did not exist; lists and streams
 * leave it out. Every route gets its Parley from here, so that no route can forget a check.
 */
export function callerParley(parley: Parley, principal: Principal, visibility: Visibility): Parley {
  if (seesEverything(principal)) return parley
  const reach = findReach(principal, visibility)
  const parts = { parley, principal, visibility, reach, hidden: hiddenArguments(parley, principal, visibility) }
  return {
    grants: parley.grants,
    policy: parley.policy,
    taskdocs: taskdocsFor(parts),
    dialogs: dialogsFor(parts),
    files: {
      add: parley.files.add,
      async read(dialog, file) {
        if (!(await reach.dialog(dialog))) throw new ParleyError('dialog_not_found', { dialog })
        return parley.files.read(dialog, file)
      },
    },
    questions: questionsFor(parts),
    builds: buildsFor(parts),
    search: searchFor(parts),
    inbox: () => inboxFor(parts),
    events: eventsFor(parts),
  }
}

function dialogsFor({ parley: { dialogs }, principal: { limit, author }, visibility, reach, hidden }: Parts): Parley['dialogs'] {
  async function check(dialog: string): Promise<void> {
    if (!(await reach.dialog(dialog))) throw new ParleyError('dialog_not_found', { dialog })
  }
  const showDetail = async (detail: DialogDetail): Promise<DialogDetail> =>
    hidden.isNeeded ? { ...detail, questions: await Promise.all(detail.questions.map(hidden.inQuestion)) } : detail

  return {
    async open(input, caller) {
      if (limit) throw new ParleyError('not_found', { path: '/v1/dialogs' })
      return showDetail(await dialogs.open(input, caller))
    },
    async branch(dialog, input, caller) {
      await check(dialog)
      return showDetail(await dialogs.branch(dialog, input, caller))
    },
    async get(dialog) {
      await check(dialog)
      return showDetail(await dialogs.get(dialog))
    },
    async list(query = {}) {
      if (reach.isAll) return dialogs.list(query)
      if (!limit) return visibility.dialogsOf(author.id, query)
      const isOfBuilds = query.of === 'builds'
      const tree = 'dialog' in limit ? await dialogs.tree(limit.dialog) : []
      const top = tree.filter(({ id }) => 'dialog' in limit && id === limit.dialog && !isOfBuilds)
      return { items: top.filter(({ status }) => query.status === undefined || status === query.status), next: null }
    },
    async say(dialog, text, caller, files) {
      await check(dialog)
      return dialogs.say(dialog, text, caller, files)
    },
    async tap(dialog, control, caller) {
      await check(dialog)
      return dialogs.tap(dialog, control, caller)
    },
    async title(dialog, title, caller) {
      await check(dialog)
      return showDetail(await dialogs.title(dialog, title, caller))
    },
    async apply(dialog, command, caller) {
      await check(dialog)
      return showDetail(await dialogs.apply(dialog, command, caller))
    },
    async chooseModel(dialog, model, caller) {
      await check(dialog)
      return showDetail(await dialogs.chooseModel(dialog, model, caller))
    },
    async stop(dialog, caller) {
      await check(dialog)
      return showDetail(await dialogs.stop(dialog, caller))
    },
    async resume(dialog, caller) {
      await check(dialog)
      return showDetail(await dialogs.resume(dialog, caller))
    },
    async freshStart(dialog, caller) {
      await check(dialog)
      return showDetail(await dialogs.freshStart(dialog, caller))
    },
    async delete(dialog, caller) {
      await check(dialog)
      return dialogs.delete(dialog, caller)
    },
    async tree(dialog) {
      await check(dialog)
      const items = await dialogs.tree(dialog)
      const reached = await Promise.all(items.map(({ id }) => reach.dialog(id)))
      return items.filter((_, index) => reached[index])
    },
    async giveUpFailure(dialog, caller) {
      await check(dialog)
      return showDetail(await dialogs.giveUpFailure(dialog, caller))
    },
    async declareDead(dialog, note, caller) {
      await check(dialog)
      return showDetail(await dialogs.declareDead(dialog, note, caller))
    },
    async failures() {
      const { items, count } = await dialogs.failures()
      if (reach.isAll) return { items, count }
      const reached = await Promise.all(items.map((one) => reach.dialog(one.dialog)))
      const own = items.filter((_, index) => reached[index])
      return { items: own, count: own.length }
    },
    async stopAll(caller, root) {
      if (!reach.isAll) await check(root ?? '')
      return dialogs.stopAll(caller, root)
    },
    async resumeAll(caller, root) {
      if (!reach.isAll) await check(root ?? '')
      return dialogs.resumeAll(caller, root)
    },
    async trust(dialog, seen, caller) {
      await check(dialog)
      return showDetail(await dialogs.trust(dialog, seen, caller))
    },
    emergency: async () => (limit ? null : dialogs.emergency()),
  }
}

/** Which documents there are, and new ones, are for callers who see every dialog: the capability of the route says so. */
function taskdocsFor({ parley: { taskdocs }, reach }: Parts): Parley['taskdocs'] {
  async function check(dialog: string): Promise<void> {
    if (!(await reach.dialog(dialog))) throw new ParleyError('dialog_not_found', { dialog })
  }
  return {
    list: async () => (reach.isAll ? taskdocs.list() : []),
    create: taskdocs.create,
    async get(dialog) {
      await check(dialog)
      return taskdocs.get(dialog)
    },
    async change(dialog, change, caller) {
      await check(dialog)
      return taskdocs.change(dialog, change, caller)
    },
    async versions(dialog, section) {
      await check(dialog)
      return taskdocs.versions(dialog, section)
    },
    async version(dialog, version) {
      await check(dialog)
      return taskdocs.version(dialog, version)
    },
  }
}

function questionsFor(parts: Parts): Parley['questions'] {
  const { parley, principal, visibility, reach, hidden } = parts
  const { questions } = parley

  async function reached(question: string): Promise<QuestionView> {
    const view = await questions.get(question)
    if (!(await reach.question(view))) throw new ParleyError('question_not_found', { question })
    return view
  }

  /**
   * An approval needs `approve`, every other question `answer`: neither includes the other. A caller who could not decide with
   * any scope is refused by the rules of the dialog, which name those who can and record the attempt.
   */
  async function answerable(question: string): Promise<void> {
    const { approval, state, dialog } = await reached(question)
    if (!approval) return mustHave(principal, 'answer')
    if (state !== 'open' || can(principal, 'approve')) return
    const undecidable = await visibility.hiddenApprovals(dialog, principal.author)
    if (!undecidable.some((one) => one.question === question)) mustHave(principal, 'approve')
  }

  async function shown(view: QuestionView): Promise<QuestionView> {
    const visibleQuestion = await hidden.inQuestion(view)
    return reach.isAll || (await reach.dialog(view.dialog)) ? visibleQuestion : { ...visibleQuestion, isDialogClosed: true }
  }

  return {
    get: async (question) => shown(await reached(question)),
    async list(query = {}) {
      const matches = reach.isAll
        ? await questions.list(query)
        : principal.limit
          ? await scan(query, (page) => questions.list({ ...query, ...page }), reach.question)
          : await only(await visibility.questionsFor(principal.author.id, query, can(principal, 'approve')), reach.question)
      return { ...matches, items: await Promise.all(matches.items.map(shown)) }
    },
    async answer(question, given, caller) {
      await answerable(question)
      if (principal.limit && wantsAlways(given)) throw new ParleyError('always_not_limited')
      return hidden.inQuestion(await questions.answer(question, given, caller))
    },
    async withdrawAnswer(question, caller) {
      await reached(question)
      return hidden.inQuestion(await questions.withdrawAnswer(question, caller))
    },
    async decline(question, reason, caller) {
      await answerable(question)
      return hidden.inQuestion(await questions.decline(question, reason, caller))
    },
    async cancel(question, reason, caller) {
      await reached(question)
      return hidden.inQuestion(await questions.cancel(question, reason, caller))
    },
    refusalFor: questions.refusalFor,
    recordRefusal: questions.recordRefusal,
  }
}

/** As `choice` and `answers`, for callers that treat an approval like any other question. */
const wantsAlways = ({ decision, choice, answers }: GivenAnswer): boolean => [decision, choice, answers?.[approvalItem]].includes('always')

function buildsFor({ parley: { builds }, principal: { limit, author }, visibility, reach }: Parts): Parley['builds'] {
  async function check(build: string): Promise<void> {
    if (!(await reach.build(build))) throw new ParleyError('build_not_found', { build })
  }
  const checked =
    <Rest extends unknown[]>(call: (build: string, ...rest: Rest) => Promise<BuildSummary>) =>
    async (build: string, ...rest: Rest): Promise<BuildSummary> => {
      await check(build)
      return call(build, ...rest)
    }
  return {
    async open(input, caller) {
      if (limit) throw new ParleyError('not_found', { path: '/v1/builds' })
      return builds.open(input, caller)
    },
    get: checked(builds.get),
    async list(query = {}) {
      if (reach.isAll) return builds.list(query)
      if (!limit) return visibility.buildsOf(author.id, query)
      const limited = 'build' in limit ? [await builds.get(limit.build)] : []
      return { items: limited.filter(({ status }) => query.status === undefined || status === query.status), next: null }
    },
    events: {
      async read(build, query) {
        await check(build)
        return builds.events.read(build, query)
      },
      follow(build, query, signal) {
        const inside = builds.events.follow(build, query, signal)[Symbol.asyncIterator]()
        let isKnown = false
        const next = async (): Promise<IteratorResult<Awaited<ReturnType<Parley['builds']['events']['read']>>>> => {
          if (!isKnown) await check(build)
          isKnown = true
          return inside.next()
        }
        return {
          [Symbol.asyncIterator]: () => ({ next, return: async () => (await inside.return?.()) ?? { done: true, value: undefined } }),
        }
      },
    },
    answer: checked(builds.answer),
    answerAll: checked(builds.answerAll),
    instruct: checked(builds.instruct),
    cancel: checked(builds.cancel),
    retry: checked(builds.retry),
  }
}

/** Others' words are not even looked at: neither an excerpt nor a cursor can tell that they exist. */
function searchFor({ parley, visibility, reach, hidden, principal: { limit, author } }: Parts): Parley['search'] {
  const show = async (events: EventView[]): Promise<EventView[]> =>
    hidden.inEvents(reach.isAll ? events : await ofStreams(events, reach.stream))
  return async (query) => parley.search(query, { groups: reach.isAll ? null : await visibility.rootsOf(limit ?? author.id), show })
}

async function inboxFor(parts: Parts): ReturnType<Parley['inbox']> {
  const { parley, reach, hidden } = parts
  if (reach.isAll) {
    const { items, count } = await parley.inbox()
    const visibleItems = await Promise.all(items.map(({ question }) => hidden.inQuestion(question)))
    return { items: visibleItems.map((question) => ({ kind: 'question', question })), count }
  }
  const foundQuestions: QuestionView[] = []
  for (let after: string | undefined; foundQuestions.length < callerLimits.inbox;) {
    const { items, next } = await questionsFor(parts).list({ state: 'open', limit: callerLimits.inbox, after })
    foundQuestions.push(...items)
    if (next === null) break
    after = next
  }
  return { items: foundQuestions.toSorted(newestFirst).map((question) => ({ kind: 'question', question })), count: foundQuestions.length }
}

function eventsFor({ parley: { events }, principal, reach, hidden }: Parts): Parley['events'] {
  const isOperator = can(principal, 'read.all')

  async function show(page: EventView[]): Promise<EventView[]> {
    const reached = reach.isAll ? page : await ofStreams(page, reach.stream)
    return hidden.inEvents(isOperator ? reached : withoutOperatorEvents(reached))
  }

  return {
    ...events,
    ...visibleEvents(events, show),
    async position(stream) {
      return stream === undefined || (await reach.stream(stream)) ? events.position(stream) : 0
    },
    /** Even that something changed is news about what a caller may not see. */
    onChange(listen) {
      if (reach.isAll) return events.onChange(listen)
      let isOver = false
      const tell = async (streams: ReadonlySet<string>): Promise<void> => {
        const texts: string[] = []
        for (const stream of streams) if (await reach.stream(stream).catch(() => false)) texts.push(stream)
        if (texts.length > 0 && !isOver) listen(new Set(texts))
      }
      const end = events.onChange((streams) => void tell(streams))
      return () => {
        isOver = true
        end()
      }
    },
  }
}

async function ofStreams(page: readonly EventView[], isReached: Reach['stream']): Promise<EventView[]> {
  const streams = [...new Set(page.map(({ stream }) => stream))]
  const reached = await Promise.all(streams.map(isReached))
  const visible = new Set(streams.filter((_, index) => reached[index]))
  return page.filter(({ stream }) => visible.has(stream))
}

async function only<Item>(page: Page<Item>, isReached: (item: Item) => Promise<boolean>): Promise<Page<Item>> {
  const reached = await Promise.all(page.items.map(isReached))
  return { ...page, items: page.items.filter((_, index) => reached[index]) }
}

/** Reads on until something is visible, a bounded number of pages; `next` says where to go on. */
async function scan<Item>(
  { limit, after }: { limit?: number | undefined; after?: string | undefined },
  list: (page: { limit?: number | undefined; after?: string | undefined }) => Promise<Page<Item>>,
  isReached: (item: Item) => Promise<boolean>,
): Promise<Page<Item>> {
  let from = after
  for (let pages = 0; ; pages += 1) {
    const result = await only(await list({ limit, after: from }), isReached)
    if (result.items.length > 0 || result.next === null || pages >= callerLimits.pagesScanned) return result
    from = result.next
  }
}
