import { ParleyError } from '../src/errors.ts'
import type { AgentOutput, GenerationInput, Tool } from '../src/ports/agent-runtime.ts'
import { modelTeam, type ModelTeam } from '../test/dialogs/model-scene.ts'
import { type Brain, call, type Scene, text, withTeam, you } from '../test/dialogs/team-scene.ts'
import { PrefixMeter, type WireShare } from './prefix-meter.ts'

/**
 * One long dialog as people have it, driven through the real driver in simulated time. Everything repeats with the number of
 * the turn, so that a short story has the same moments, only fewer of them.
 *
 * | moment | turns |
 * |---|---|
 * | a tool is called, its result is 1 kB or 14 kB long | every turn |
 * | a reminder is added, changed or deleted | every 5th |
 * | a section of the task document is changed, by the agent and by others in turn | 3 of 20 |
 * | a question to a person, who talks of something else first and answers 3 turns later | 1 of 20 |
 * | a person interjects while a tool runs | 3 of 40 |
 * | a stop in the middle of a generation, and going on | 1 of 40 |
 * | a request to a teammate of 10 generations, who asks back two or three times | 1 of 50, at most 4 |
 * | a new course, by the agent or by a person | 1 of 50, at most 3 |
 */
const isTaskdocTurn = (turn: number): boolean => [1, 11, 15].includes(turn % 20)
const isAskTurn = (turn: number): boolean => turn % 20 === 3
const isAnswerTurn = (turn: number): boolean => turn % 20 === 6
const isInterjected = (turn: number): boolean => [8, 24, 32].includes(turn % 40)
const isStopTurn = (turn: number): boolean => turn % 40 === 12
const isReminderTurn = (turn: number): boolean => turn % 5 === 4
const isSideTurn = (turn: number): boolean => turn % 50 === 17 && turn < 200
const isCourseTurn = (turn: number): boolean => turn % 50 === 49 && turn < 150
/** Turns that read long files fill the window, which leads to a compaction. */
const isLongRead = (turn: number): boolean => turn % 150 < 25

/** Counts of each moment, by the events of the dialogs. */
export type Moments = Record<
  | 'turns'
  | 'sides'
  | 'sideGenerations'
  | 'taskdocEdits'
  | 'reminderChanges'
  | 'interjections'
  | 'askBacks'
  | 'lateAnswers'
  | 'stops'
  | 'courses'
  | 'compactions',
  number
>

export type Story = { wires: Record<WireShare['wire'], WireShare>; moments: Moments }

const toolCount = 60
const section = (name: string, version: number): string => `## ${name}\n\n${`Version ${version} of ${name}: what holds now. `.repeat(12)}`
const sectionNames = ['goals', 'constraints', 'progress'] as const

type Plan = (input: GenerationInput, signal: AbortSignal) => AsyncIterable<AgentOutput> | Iterable<AgentOutput>

/** `spoil` may change a request before it is measured: a planted fault. */
export async function tellStory(turns: number, spoil: (wire: string, request: number) => string = (wire) => wire): Promise<Story> {
  const meter = new PrefixMeter(spoil)
  const world = new World()
  const moments: Moments = { ...noMoments, turns }
  await withTeam(world.model.team, async (scene) => {
    const { id: root } = await scene.parley.dialogs.open({ language: 'en', taskdoc: 'work/order.tsk' }, you)
    for (let turn = 0; turn < turns; turn += 1) {
      await playTurn(scene, world, root, turn, moments)
      // Half a gigabyte of requests is not kept: each is compared with the one before it.
      for (const request of world.model.requests.splice(0)) meter.add(request)
      if ((await scene.status(root)) === 'failed') throw new Error(`the dialog failed in turn ${turn}: ${scene.logged.at(-1)}`)
    }
    await count(scene, root, moments)
  })
  if (world.plans.length > 0) throw new Error(`${world.plans.length} planned generations never came`)
  return { wires: meter.read(), moments }
}

const noMoments: Moments = {
  turns: 0,
  sides: 0,
  sideGenerations: 0,
  taskdocEdits: 0,
  reminderChanges: 0,
  interjections: 0,
  askBacks: 0,
  lateAnswers: 0,
  stops: 0,
  courses: 0,
  compactions: 0,
}

/** Scripted models, 60 tools, memories and a task document. */
class World {
  /** Generations of the main dialog that are still to come; without a plan it says one sentence. */
  readonly plans: Plan[] = []
  /** Something that happens while the next tool runs. */
  during: (() => Promise<unknown>) | null = null
  readonly model: ModelTeam
  turn = 0
  #versions = 0
  #sideSteps = new Map<string, number>()

  constructor() {
    const look = Array.from({ length: toolCount }, (_, number) => this.#tool(number))
    this.model = modelTeam({ ada: this.#ada, bob: this.#bob }, {}, [...look, this.#changeMind()])
    this.model.around.memories = Array.from({ length: 100 }, (_, line) => `- ${'A fact that is kept. '.repeat(9)}(${line})`).join('\n')
    for (const name of sectionNames) this.changeSection(name)
  }

  changeSection(name: string, content: string = section(name, this.#versions)): void {
    const { around } = this.model
    this.#versions += 1
    around.sections = [...around.sections.filter((other) => other.name !== name), { name, hash: `h${this.#versions}`, text: content }]
    around.taskdoc = around.sections.map((one) => one.text).join('\n\n')
  }

  #tool(number: number): Tool {
    return {
      name: `mcp_files_look_${String(number).padStart(2, '0')}`,
      description: `Looks into part ${number} of the files of the project and returns the lines that fit, with their numbers.`,
      inputSchema: {
        type: 'object',
        properties: { path: { type: 'string', description: 'A path in the project.' }, lines: { type: 'integer', minimum: 1 } },
        required: ['path'],
        additionalProperties: false,
      },
      afterCrash: 'repeat',
      gate: { kind: 'code', declared: 'allow' },
      check: (input) => ({ input }),
      run: async () => {
        const { during } = this
        this.during = null
        await during?.()
        return `${this.turn}: a line of a file\n`.repeat(isLongRead(this.turn) ? 650 : 50)
      },
    }
  }

  #changeMind(): Tool {
    return {
      name: 'change_mind',
      description: 'Replaces a section.',
      inputSchema: { type: 'object' },
      afterCrash: 'repeat',
      gate: { kind: 'code', declared: 'allow' },
      check: (input) => ({ input }),
      run: async (input) => {
        const { selector, content } = input as { selector: string; content: string }
        this.changeSection(selector, content)
        return 'Changed.'
      },
    }
  }

  look(): AgentOutput {
    return call(`mcp_files_look_${String(this.turn % toolCount).padStart(2, '0')}`, { path: `src/part-${this.turn}.ts`, lines: 40 })
  }

  /** The provider's count. */
  *#count({ prompt }: GenerationInput): Generator<AgentOutput> {
    const bytes = Buffer.byteLength(JSON.stringify(prompt?.items ?? [])) + Buffer.byteLength(JSON.stringify(prompt?.tools ?? []))
    yield { type: 'usage', model: 'm', usage: { inputTokens: Math.ceil(bytes / 3), outputTokens: 50 } }
  }

  readonly #ada: Brain = (input, signal) => this.#lead(input, signal)

  async *#lead(input: GenerationInput, signal: AbortSignal): AsyncGenerator<AgentOutput> {
    yield* this.#count(input)
    yield { type: 'reasoning', maker: 'test/model', data: { reasoning_content: `Turn ${this.turn} needs a look.` } }
    const plan = this.plans.shift()
    if (plan) yield* plan(input, signal)
    else yield text(`Turn ${this.turn} is done, and the next step is clear.`)
  }

  /** Ten generations for each request; the first two requests ask back three times, the others twice. */
  readonly #bob: Brain = (input) => this.#search(input)

  async *#search(input: GenerationInput): AsyncGenerator<AgentOutput> {
    yield* this.#count(input)
    const step = this.#sideSteps.get(input.dialog) ?? 0
    this.#sideSteps.set(input.dialog, step + 1)
    const backs = this.turn < 100 ? [1, 3, 5] : [1, 4]
    if (step === 9) yield call('reply', { text: `Found in turn ${this.turn}.`, status: 'done' })
    else if (backs.includes(step)) yield call('tellaskBack', { tellaskContent: `Which part is meant in step ${step}?` })
    else yield this.look()
  }
}

async function playTurn(scene: Scene, world: World, root: string, turn: number, moments: Moments): Promise<void> {
  const { parley, clock } = scene
  const { plans } = world
  world.turn = turn
  if (isAnswerTurn(turn)) await answer(scene, moments)
  if (isTaskdocTurn(turn)) editTaskdoc(world, turn, moments)
  if (isCourseTurn(turn) && turn % 100 === 99) await parley.dialogs.freshStart(root, you)
  if (isStopTurn(turn)) plans.push((_, signal) => untilCut(signal))
  plans.push(() => [world.look(), ...(isReminderTurn(turn) ? [changeReminder(turn)] : [])])
  if (isAskTurn(turn)) plans.push(() => [call('askHuman', { tellaskContent: `Which of the two in turn ${turn}?` })])
  if (isSideTurn(turn)) planSide(world, turn)
  if (isCourseTurn(turn) && turn % 100 === 49) plans.push(() => [call('clear_mind', {})])
  const say = (words: string): Promise<unknown> => parley.dialogs.say(root, words, you)
  const interject = (): Promise<unknown> => {
    moments.interjections += 1
    return say(`By the way, how is turn ${turn} going?`)
  }
  if (isInterjected(turn)) world.during = interject
  // Every third pause is longer than the time after which a model is told how late it is.
  await clock.advance(turn % 3 === 0 ? 40 * 60_000 : 60_000)
  await scene.say(root, `Turn ${turn}: please look at part ${turn} and say what follows from it.`)
  if (isStopTurn(turn)) {
    await parley.dialogs.stop(root, you)
    await scene.rest()
    await parley.dialogs.resume(root, you)
    await scene.rest()
  }
  if (isAskTurn(turn)) {
    await interject()
    await scene.rest()
  }
  for (let wait = 0; plans.length > 0 && wait < 40; wait += 1) await clock.advance(1_000)
  await clock.advance(1_000)
}

async function* untilCut(signal: AbortSignal): AsyncGenerator<AgentOutput> {
  yield { type: 'delta', text: 'I begin with' }
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ParleyError('model_overloaded', { status: 500 }))))
}

async function answer({ parley }: Scene, moments: Moments): Promise<void> {
  const [first] = (await parley.inbox()).items
  if (first?.kind !== 'question') throw new Error('no question is open')
  await parley.questions.answer(first.question.id, { text: 'The second one.' }, you)
  moments.lateAnswers += 1
}

function editTaskdoc(world: World, turn: number, moments: Moments): void {
  const name = sectionNames[turn % sectionNames.length] ?? 'progress'
  const isOwn = moments.taskdocEdits % 2 === 0
  moments.taskdocEdits += 1
  if (isOwn) world.plans.push(() => [call('change_mind', { selector: name, content: section(name, 1_000 + turn) })])
  else world.changeSection(name)
}

/** A teammate is asked; each time it asks back, it gets its answer. */
function planSide({ plans }: World, turn: number): void {
  const request = { targetAgentId: '@bob', sessionSlug: `part-${turn}`, tellaskContent: `Look through part ${turn} and list what is old.` }
  plans.push(() => [call('tellask', request)])
  for (let back = 0; back < (turn < 100 ? 3 : 2); back += 1)
    plans.push(() => [call('reply', { text: `The part of turn ${turn}.`, status: 'done' })])
}

/** Adding, adding, changing, deleting: there are never more than a few. */
function changeReminder(turn: number): AgentOutput {
  const content = `Remember what turn ${turn} has shown. `.repeat(4)
  switch (Math.floor(turn / 5) % 4) {
    case 2:
      return call('update_reminder', { reminder_no: 1, content })
    case 3:
      return call('delete_reminder', { reminder_no: 1 })
    default:
      return call('add_reminder', { content })
  }
}

async function count({ store, parley }: Scene, root: string, moments: Moments): Promise<void> {
  for (const { id } of await parley.dialogs.tree(root)) {
    for (let from = 0; ;) {
      const events = await store.read(id, from, 1_000)
      for (const { type, data } of events) countEvent(type, data, id === root, moments)
      from += events.length
      if (events.length === 0) break
    }
    if (id !== root) moments.sides += 1
  }
}

type EventData = { mode?: string; why?: string }

function countEvent(type: string, { mode, why }: EventData, isRoot: boolean, moments: Moments): void {
  if (type.startsWith('reminder.')) moments.reminderChanges += 1
  if (type === 'tellask.made' && mode === 'back') moments.askBacks += 1
  if (type === 'turn.stopped' && isRoot) moments.stops += 1
  if (type === 'course.started' && isRoot && why !== 'first') moments.courses += 1
  if (type === 'prompt.compacted') moments.compactions += 1
  if (type === 'generation.finished' && !isRoot) moments.sideGenerations += 1
}
