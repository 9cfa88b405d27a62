import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type DefinedAgent, toDefinedAgent } from '../agents/agent.ts'
import type { ScriptedAgent } from '../agents/runtimes/scripted.ts'
import { defaultPolicy } from '../authority/policy.ts'
import { owner } from '../dialogs/control/owner.ts'
import type { Agent, Team } from '../ports/agent-runtime.ts'
import { systemClock } from '../ports/clock.ts'
import type { BranchInput, Caller, GivenAnswer, Parley } from '../shapes/parley.ts'
import type { PageRequest } from '../shapes/paging.ts'
import type { DialogDetail, GrantView, QuestionView, Scope, SearchPage } from '../shapes/wire.ts'
import type { PushChange } from '../dialogs/rules/dialog-events.ts'
import type { Budget, BudgetLimits } from '../dialogs/rules/budget-scopes.ts'
import { type As, type Dialog, dialogHandle } from './dialog-handle.ts'
import { openParley, type ParleyParts } from './library.ts'
import type { MountedServer, TokenRights, WebOptions } from './mounted-server.ts'

export type ParleyOptions = Omit<ParleyParts, 'team'> & {
  /** The first answers when no agent is named. */
  agents: readonly (DefinedAgent | ScriptedAgent)[]
  /** Everything is done in this person's name unless a call names another. A name stands for the owner. */
  as?: As
  /** The most that one dialog with all its side dialogs may spend on models; the same as `budgets.dialog`. */
  budget?: Budget
  /** The most that a dialog, an agent, a day and everything together may spend on models. */
  budgets?: BudgetLimits
  /** Scripted agents speak without pauses. */
  fast?: boolean
  /** For `fetch`, `upgrade` and `link`. */
  web?: WebOptions
}

type Input<Call> = Call extends (input: infer First, ...more: never[]) => unknown ? First : never

/**
 * Parley in this process: the nouns of the HTTP API, in the name of `as` unless the last argument names another person. A
 * request that the rules do not allow is thrown as a ParleyError, and changes nothing.
 */
export type ParleyApp = AsyncDisposable & {
  readonly dialogs: Pick<Parley['dialogs'], 'get' | 'list' | 'tree' | 'emergency'> & {
    /** With a text: opens a dialog and says it. */
    open(input: string | Input<Parley['dialogs']['open']>, as?: As): Promise<Dialog>
    say(dialog: string, text: string, as?: As): ReturnType<Parley['dialogs']['say']>
    /** Taps a button or option of a message the agent showed. */
    tap(dialog: string, control: { message: string; value: string }, as?: As): ReturnType<Parley['dialogs']['tap']>
    title(dialog: string, title: string, as?: As): Promise<DialogDetail>
    stop(dialog: string, as?: As): Promise<DialogDetail>
    /** Continues after a failure, or lifts the stop here and everywhere below. */
    continue(dialog: string, as?: As): Promise<DialogDetail>
    /** The agent begins a new course before its next request. */
    freshStart(dialog: string, as?: As): Promise<DialogDetail>
    /** Turns pushes on or off, or refills them; a dialog at rest gets the first new one at once. */
    changePushes(dialog: string, change: PushChange, as?: As): Promise<DialogDetail>
    /** Gives a side dialog up for good, with all below it. Callers that wait for one of them get a failed reply. */
    giveUp(dialog: string, note?: string, as?: As): Promise<DialogDetail>
    /** A new chat that begins with what was said in this one, up to a message. */
    branch(dialog: string, input: BranchInput, as?: As): Promise<Dialog>
    /** Deletes a chat with everything below it for good. */
    delete(dialog: string, as?: As): Promise<{ count: number }>
    /** `upTo`: `seq` of the last event the owner has read. Later text of others is refused with `unseen_text`. */
    trust(dialog: string, seen: { upTo: number }, as?: As): Promise<DialogDetail>
    stopAll(root?: string, as?: As): Promise<{ count: number }>
    continueAll(root?: string, as?: As): Promise<{ count: number }>
  }
  /** A dialog that exists, by its id. */
  dialog(id: string): Dialog
  readonly questions: Pick<Parley['questions'], 'get' | 'list'> & {
    /** A text answers a question of one part: the value of an option, or free text. */
    answer(question: string, answer: string | GivenAnswer, as?: As): Promise<QuestionView>
    /** Takes an answer back that was given with `undoSeconds`, within that time. */
    withdrawAnswer(question: string, as?: As): Promise<QuestionView>
    decline(question: string, reason?: string, as?: As): Promise<QuestionView>
    withdraw(question: string, reason?: string, as?: As): Promise<QuestionView>
    /** Allows the call of an approval: `once` unless set. */
    approve(question: string, choice?: Omit<GivenAnswer, 'choice' | 'text' | 'answers'>, as?: As): Promise<QuestionView>
    deny(question: string, note?: string, as?: As): Promise<QuestionView>
  }
  readonly builds: Pick<Parley['builds'], 'get' | 'list' | 'events'> & {
    start(input: string | Input<Parley['builds']['open']>, as?: As): ReturnType<Parley['builds']['open']>
    answer(build: string, answer: { question: string; answer: string }, as?: As): ReturnType<Parley['builds']['answer']>
    answerAll(build: string, given: Parameters<Parley['builds']['answerAll']>[1], as?: As): ReturnType<Parley['builds']['answerAll']>
    /** A further request; the agent gets it when it next begins a turn. */
    say(build: string, text: string, as?: As): ReturnType<Parley['builds']['instruct']>
    cancel(build: string, as?: As): ReturnType<Parley['builds']['cancel']>
    retry(build: string, as?: As): ReturnType<Parley['builds']['retry']>
  }
  readonly grants: Pick<Parley['grants'], 'list'> & { revoke(grant: string, as?: As): Promise<GrantView> }
  readonly policy: Parley['policy']
  readonly events: Parley['events']
  /** Messages of people and agents, the latest first. */
  search(words: string, page?: PageRequest): Promise<SearchPage>
  inbox: Parley['inbox']
  /**
   * Answers a request to the HTTP API or for the page, in a server of your own: mount it below the path of `web.url`. Callers
   * sign in with `link()` or with a token.
   */
  fetch(request: Request): Promise<Response>
  /** For the `upgrade` event of a Node server: the page and the client receive events over a WebSocket. */
  upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void
  /** A sign-in link for the owner that works once. Needs `web.url`. */
  link(path?: string): Promise<string>
  /** A bearer token for a program; it is shown only here. */
  createToken(name: string, scopes: readonly Scope[], rights?: TokenRights): Promise<string>
  /** Stops taking work, lets what runs end or gives it back, and closes the store. `await using` does the same. */
  close(graceMs?: number): Promise<void>
}

/** Opens Parley over a store, with agents. Work that a crash left is taken up at once. */
export async function openApp(options: ParleyOptions): Promise<ParleyApp> {
  const { as = 'owner', agents: _agents, budget: _budget, budgets: _budgets, fast: _fast, web = {}, ...parts } = options
  const started = await startAgents(options)
  const parley = openParley({ ...parts, team: started.team })
  const byDefault = toCaller(as)
  const callerFor = (given?: As): Caller => (given === undefined ? byDefault : toCaller(given))
  const dialog = (id: string): Dialog => dialogHandle(parley, id, callerFor)
  // Loaded with the first request: most programs have no page.
  let mounting: Promise<MountedServer> | null = null
  const mounted = (): Promise<MountedServer> =>
    (mounting ??= import('./mounted-server.ts').then(({ mountServer }) =>
      mountServer(parley, started.team, { ...parts, team: started.team }, web),
    ))
  const close = async (graceMs?: number): Promise<void> => {
    await (await mounting)?.close(graceMs)
    await parley.close(graceMs)
    await started.close()
    await options.store.close()
  }
  return {
    dialogs: dialogNouns(parley, callerFor, dialog),
    dialog,
    questions: questionNouns(parley, callerFor),
    builds: buildNouns(parley, callerFor),
    grants: { list: parley.grants.list, revoke: (grant, by) => parley.grants.revoke(grant, callerFor(by)) },
    policy: parley.policy,
    events: parley.events,
    search: (words, page) => parley.search({ q: words, ...page }),
    inbox: () => parley.inbox(),
    fetch: async (request) => (await mounted()).fetch(request),
    upgrade: (incoming, socket, head) => void mounted().then((server) => server.upgrade(incoming, socket, head)),
    link: async (path) => (await mounted()).link(path),
    createToken: async (name, scopes, rights) => (await mounted()).createToken(name, scopes, rights),
    close,
    [Symbol.asyncDispose]: () => close(),
  }
}

const toCaller = (as: As): Caller => (typeof as === 'string' ? owner(as) : as)

type CallerFor = (as?: As) => Caller

function dialogNouns({ dialogs }: Parley, callerFor: CallerFor, handle: (id: string) => Dialog): ParleyApp['dialogs'] {
  const { get, list, tree, emergency } = dialogs
  return {
    get,
    list,
    tree,
    emergency,
    open: async (input, as) => handle((await dialogs.open(typeof input === 'string' ? { text: input } : input, callerFor(as))).id),
    say: (dialog, text, as) => dialogs.say(dialog, text, callerFor(as)),
    tap: (dialog, control, as) => dialogs.tap(dialog, control, callerFor(as)),
    title: (dialog, title, as) => dialogs.title(dialog, title, callerFor(as)),
    stop: (dialog, as) => dialogs.stop(dialog, callerFor(as)),
    continue: (dialog, as) => dialogs.resume(dialog, callerFor(as)),
    freshStart: (dialog, as) => dialogs.freshStart(dialog, callerFor(as)),
    changePushes: (dialog, change, as) => {
      const caller = callerFor(as)
      return dialogs.apply(dialog, { type: 'change-pushes', change, by: caller.by, via: caller.via }, caller)
    },
    giveUp: (dialog, note, as) => dialogs.declareDead(dialog, note, callerFor(as)),
    branch: async (dialog, input, as) => handle((await dialogs.branch(dialog, input, callerFor(as))).id),
    delete: (dialog, as) => dialogs.delete(dialog, callerFor(as)),
    trust: (dialog, seen, as) => dialogs.trust(dialog, seen, callerFor(as)),
    stopAll: (root, as) => dialogs.stopAll(callerFor(as), root),
    continueAll: (root, as) => dialogs.resumeAll(callerFor(as), root),
  }
}

function questionNouns({ questions }: Parley, callerFor: CallerFor): ParleyApp['questions'] {
  const { get, list } = questions
  return {
    get,
    list,
    answer: (question, answer, as) => questions.answer(question, typeof answer === 'string' ? { text: answer } : answer, callerFor(as)),
    withdrawAnswer: (question, as) => questions.withdrawAnswer(question, callerFor(as)),
    decline: (question, reason, as) => questions.decline(question, reason, callerFor(as)),
    withdraw: (question, reason, as) => questions.cancel(question, reason, callerFor(as)),
    approve: (question, choice, as) => questions.answer(question, { decision: 'once', ...choice }, callerFor(as)),
    deny: (question, note, as) => questions.answer(question, { decision: 'deny', note }, callerFor(as)),
  }
}

function buildNouns({ builds }: Parley, callerFor: CallerFor): ParleyApp['builds'] {
  const { get, list, events } = builds
  return {
    get,
    list,
    events,
    start: (input, as) => builds.open(typeof input === 'string' ? { prompt: input } : input, callerFor(as)),
    answer: (build, answer, as) => builds.answer(build, answer, callerFor(as)),
    answerAll: (build, given, as) => builds.answerAll(build, given, callerFor(as)),
    say: (build, text, as) => builds.instruct(build, text, callerFor(as)),
    cancel: (build, as) => builds.cancel(build, callerFor(as)),
    retry: (build, as) => builds.retry(build, callerFor(as)),
  }
}

async function startAgents(options: ParleyOptions): Promise<{ team: Team; close(): Promise<void> }> {
  const { clock = systemClock, policy = () => defaultPolicy, budget, fast } = options
  const budgets = { ...(budget ? { dialog: budget } : {}), ...options.budgets }
  const defined = options.agents.map(toDefinedAgent)
  const [first] = defined
  if (!first) throw new RangeError('Parley needs at least one agent.')
  const agents = new Map<string, Agent>()
  const closers: (() => Promise<void>)[] = []
  const team: Team = {
    default: first.name,
    agent: (name) => agents.get(name),
    list: () => defined.map(({ name, about }) => ({ name, about })),
  }
  for (const { name, start } of defined) {
    if (agents.has(name)) throw new RangeError(`Two agents are called "${name}".`)
    const { agent, close } = await start({ clock, policy, team: () => team, budgets, fast })
    agents.set(name, agent)
    if (close) closers.push(close)
  }
  return {
    team,
    async close() {
      for (const close of closers) await close()
    },
  }
}
