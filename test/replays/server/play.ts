import assert from 'node:assert/strict'
import type { Wire } from '../../../src/agents/wires/wire.ts'
import type { EventView, ParleyClient } from '../../../src/client/index.ts'
import type { BehaviourLine, SaidEntry } from '../../../src/testing/model-behaviours.ts'
import { type Behaviour, type ModelEmulator, modelEmulator } from '../../../src/testing/model-emulator.ts'
import { eventually } from '../../fixtures/eventually.ts'
import type { Hold } from '../../fixtures/hold-commits.ts'
import { everything } from '../../fixtures/killable-server.ts'
import { askedText, calls, isRefusal, LineScript, sayEntry, words } from './line-script.ts'
import { type ReplayMember, ReplayServer } from './replay-server.ts'
import { neverSaid, type Place, type Scene, scenes } from './scenes.ts'
import { type ToolRun, type ToolServer, toolServer } from './tool-server.ts'

type Status = Awaited<ReturnType<ParleyClient['dialogs']['get']>>

/** A dialog of the tree at the end. */
export type PlayedDialog = { id: string; agent: string; detail: Status; events: EventView[] }

/** The end state of a line that was played to the real server. */
export type Played = {
  line: BehaviourLine
  wire: Wire
  isKilled: boolean
  /** No other line was played at the same time. */
  isAlone: boolean
  /** `place` is where the line was said, `caller` the dialog that asked for it (the same one for a root). */
  place: PlayedDialog
  caller: PlayedDialog
  others: PlayedDialog[]
  /** Requests to the model of the line: lists as text, and whole bodies. */
  asked: readonly string[]
  bodies: readonly Record<string, unknown>[]
  callerAsked: readonly string[]
  entriesSaid: number
  runs: readonly ToolRun[]
  failuresInInbox: number
  questionsInInbox: number
}

/** A ceiling for a play that hangs. A dozen lines share one server, which may share its machine with other campaigns. */
const mostMs = 300_000

/** One play of a line: `key` tells its agents, models and requests from those of other plays on the same server. */
class Play {
  readonly key: string
  readonly line: BehaviourLine
  readonly scene: Scene
  readonly isSide: boolean
  readonly script: LineScript
  readonly callerAsked: string[] = []
  place: Place | null = null
  #act: Promise<void> | null = null
  #hasActed = false
  #mindRequests = 0

  constructor(line: BehaviourLine, copy: number) {
    this.key = `${line.id}-${copy}`
    this.line = line
    this.scene = scenes[line.id] ?? {}
    this.isSide = line.given['dialog'] === 'side'
    const own = neverSaid.has(line.id) || this.scene.isInFreshMinds || this.scene.isChain ? [] : line.model_says
    const entries = this.#adapt([...(this.scene.before ?? []), ...own])
    const rest = this.scene.rest ?? words('That is all.')
    const { refuses: isFor } = this.scene
    const refused = isFor && entries.find(isRefusal)
    this.script = refused
      ? new LineScript(
          entries.filter((entry) => entry !== refused),
          rest,
          { entry: refused, isFor },
        )
      : new LineScript(entries, rest)
  }

  /** The line with the names of this play. */
  #adapt(entries: readonly SaidEntry[]): SaidEntry[] {
    let text = JSON.stringify(entries)
    for (const [from, to] of this.scene.replace ?? [])
      text = text.replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1))
    return JSON.parse(
      text
        .replaceAll('@ada', `@ada-${this.key}`)
        .replaceAll('@researcher', `@researcher-${this.key}`)
        .replaceAll('\\"researcher\\"', `\\"researcher-${this.key}\\"`),
    ) as SaidEntry[]
  }

  /** Nothing of the scene is still to come. */
  get isDone(): boolean {
    return this.scene.during === undefined || this.#hasActed
  }

  get members(): ReplayMember[] {
    const { settings = {}, member = {}, isChain } = this.scene
    const line = { path: `line/${this.key}`, settings, member }
    if (isChain) return ['ada', 'b', 'c', 'd'].map((name) => ({ name: `${name}-${this.key}`, path: `chain-${name}/${this.key}` }))
    return this.isSide
      ? [
          { name: `ada-${this.key}`, path: `caller/${this.key}` },
          { name: `researcher-${this.key}`, ...line },
        ]
      : [
          { name: `ada-${this.key}`, ...line },
          { name: `researcher-${this.key}`, path: `teammate/${this.key}` },
        ]
  }

  async answer(part: string, body: Record<string, unknown>): Promise<Behaviour> {
    if (part === 'line') return this.#answerLine(body)
    const asked = askedText(body)
    if (part.startsWith('chain-')) return sayEntry(this.#delegate(part.slice('chain-'.length), asked))
    if (part === 'caller') {
      this.callerAsked.push(asked)
      return sayEntry(this.#call(asked))
    }
    const said = this.scene.teammate?.(asked)
    if (said === null) await eventually(() => this.script.given >= this.script.length, `the line ${this.key}`, { mostMs })
    return sayEntry(said ?? calls(['reply', { text: `Facts: ${/\\n> ([^\\]+)/.exec(asked)?.[1] ?? ''}`, status: 'done' }]))
  }

  async #answerLine(body: Record<string, unknown>): Promise<Behaviour> {
    const { isInFreshMinds, during } = this.scene
    if (isInFreshMinds && !Array.isArray(body['tools'])) {
      this.#mindRequests += 1
      return sayEntry(this.#mindRequests % 3 === 1 ? (this.line.model_says[0] as SaidEntry) : words('Yes, it is so.'))
    }
    const entry = this.script.take(body)
    if (during?.entry === entry) {
      const place = await eventually(() => this.place, `the dialog of ${this.key}`, { mostMs })
      await (this.#act ??= during.act(place).then(() => void (this.#hasActed = true)))
    }
    return this.script.entry(entry)
  }

  #call(asked: string): SaidEntry {
    if (!asked.includes('"name":"tellaskSessionless"'))
      return calls(['tellaskSessionless', { targetAgentId: `@researcher-${this.key}`, tellaskContent: 'Find the number for March.' }])
    if (asked.includes('<ask-back id=') && !asked.includes('"name":"reply"')) return calls(['reply', { text: 'Sheet 3.', status: 'done' }])
    return words('Noted.')
  }

  #delegate(name: string, asked: string): SaidEntry {
    const next = { ada: 'b', b: 'c', c: 'd', d: 'b' }[name] ?? 'b'
    if (!asked.includes('"name":"tellaskSessionless"'))
      return calls(['tellaskSessionless', { targetAgentId: `@${next}-${this.key}`, tellaskContent: 'You do it.' }])
    return name === 'ada' ? words('They did not do it.') : calls(['reply', { text: 'Not done.', status: 'could_not' }])
  }
}

/** A server with the agents of several plays. */
export class Stage {
  readonly server: ReplayServer
  readonly #plays: Play[]
  readonly #model: ModelEmulator
  readonly #tools: ToolServer
  readonly #wire: Wire
  kills = 0
  #watch: Promise<void> | null = null
  #isOver = false

  static async open(wire: Wire, lines: readonly BehaviourLine[]): Promise<Stage> {
    const plays = lines.map((line, copy) => new Play(line, copy))
    const byKey = new Map(plays.map((play) => [play.key, play]))
    const model = await modelEmulator({
      resting: (body, path) => {
        const [, part = '', key = ''] = path.split('/')
        return byKey.get(key)?.answer(part, body) ?? { does: 'refuse', status: 404 }
      },
    })
    const tools = await toolServer()
    const stage = new Stage(wire, plays, model, tools)
    await stage.server.start()
    stage.#watch = stage.#restartWhenKilled()
    return stage
  }

  private constructor(wire: Wire, plays: Play[], model: ModelEmulator, tools: ToolServer) {
    this.#wire = wire
    this.#plays = plays
    this.#model = model
    this.#tools = tools
    this.server = new ReplayServer(
      wire,
      { model: model.url, tools: tools.url },
      plays.flatMap(({ members }) => members),
    )
  }

  async #restartWhenKilled(): Promise<void> {
    for (;;) {
      await this.server.gone()
      if (this.#isOver) return
      this.kills += 1
      for (const { script } of this.#plays) script.restart()
      try {
        await this.server.start()
      } catch (error) {
        // Closed while it was starting.
        if (this.#isOver) return
        throw error
      }
    }
  }

  /**
   * Plays the plays with these numbers at the same time. Each is held at the commit that `holds` names for it. When every play is
   * held or has ended, the process is killed and started again, and the held plays go on.
   */
  async play(numbers: readonly number[], holds: readonly (Hold | null)[] = []): Promise<Played[]> {
    const chosen = numbers.map((at) => this.#plays[at] as Play)
    const held = new Set<string>()
    const over = new Set<string>()
    const wanted = chosen.flatMap(({ key }, at) => (holds[at] ? [[key, holds[at]] as const] : []))
    if (wanted.length > 0) await this.server.holdPlays(Object.fromEntries(wanted), (key) => held.add(key))
    const client = this.server.client()
    const runsBefore = this.#tools.runs.length
    const performed = Promise.all(chosen.map((play) => this.#perform(client, play).finally(() => over.add(play.key))))
    performed.catch(() => {})
    await eventually(() => chosen.every(({ key }) => held.has(key) || over.has(key)), 'the end or the hold of every play', { mostMs })
    if (held.size > 0) await this.server.end('SIGKILL')
    const roots = await performed
    const runs = this.#tools.runs.slice(runsBefore)
    const isAlone = chosen.length === 1
    return Promise.all(
      chosen.map((play, at) => this.#collect(client, play, roots[at] ?? '', { isKilled: held.has(play.key), isAlone, runs })),
    )
  }

  async #perform(client: ParleyClient, play: Play): Promise<string> {
    const { scene, isSide, key } = play
    const { id: root } = await client.dialogs.open({ agent: `ada-${key}`, text: scene.opening ?? 'Find the number for March, please.' })
    if (!isSide) play.place = { client, dialog: root, root }
    const says = [...(scene.says ?? [])]
    await eventually(
      async () => {
        if (isSide && play.place === null) {
          const side = (await client.dialogs.tree(root)).find(({ id }) => id !== root)
          if (side) play.place = { client, dialog: side.id, root }
        }
        const next = says[0]
        if (next !== undefined) {
          const { status } = await client.dialogs.get(root)
          if (status === 'working' || status === 'stopping') return false
          await client.dialogs.say(root, next)
          says.shift()
          return false
        }
        return play.isDone && this.#isAtRest(client, play, root)
      },
      () => `the end of ${key}; ${play.script.given} of ${play.script.length} entries were said`,
      { everyMs: 25, mostMs },
    )
    return root
  }

  /** Nothing works any more, and a person has answered what was asked. */
  async #isAtRest(client: ParleyClient, { scene }: Play, root: string): Promise<boolean> {
    const tree = await client.dialogs.tree(root)
    // One request tells most of the time; asking for each dialog of a large tree would keep the server busy.
    if (tree.some(({ status }) => status === 'working' || status === 'stopping')) return false
    const details = await Promise.all(tree.map(({ id }) => client.dialogs.get(id)))
    let isAnswered = true
    for (const { questions } of details)
      for (const question of questions) {
        const isApproval = 'approval' in question && question.approval !== undefined && question.approval !== null
        if (isApproval) await client.questions.approve(question.id).catch(() => {})
        else if (scene.answer !== undefined) await client.questions.answer(question.id, { text: scene.answer }).catch(() => {})
        else continue
        isAnswered = false
      }
    if (!isAnswered || details.some(({ status }) => status === 'working' || status === 'stopping')) return false
    // Read one after the other: a reply may have passed from a dialog read late to one read early, and a dialog may be new.
    const again = await client.dialogs.tree(root)
    const heads = await Promise.all(again.map(({ id }) => client.dialogs.get(id).then(({ head }) => head)))
    return heads.length === details.length && heads.every((head, at) => head === details[at]?.head)
  }

  async #collect(client: ParleyClient, play: Play, root: string, end: Pick<Played, 'isKilled' | 'isAlone' | 'runs'>): Promise<Played> {
    const tree = await client.dialogs.tree(root)
    const dialogs = await Promise.all(
      tree.map(async ({ id, agent }) => ({ id, agent, detail: await client.dialogs.get(id), events: await everything(client, id) })),
    )
    const { items } = await client.inbox()
    const ids = new Set(dialogs.map(({ id }) => id))
    const isMine = (item: (typeof items)[number], kind: string): boolean =>
      item.kind === kind &&
      ((item.kind === 'failure' && ids.has(item.failure.dialog)) || (item.kind === 'question' && ids.has(item.question.dialog)))
    const caller = dialogs.find(({ id }) => id === root)
    const place = play.isSide ? dialogs.find(({ id }) => id !== root) : caller
    assert.ok(caller && place, 'the line was said in a dialog')
    return {
      line: play.line,
      wire: this.#wire,
      ...end,
      place,
      caller,
      others: dialogs.filter((one) => one !== place && one !== caller),
      asked: play.script.asked,
      bodies: play.script.bodies,
      callerAsked: play.callerAsked,
      entriesSaid: play.script.given,
      failuresInInbox: items.filter((item) => isMine(item, 'failure')).length,
      questionsInInbox: items.filter((item) => isMine(item, 'question')).length,
    }
  }

  async close(): Promise<void> {
    this.#isOver = true
    await this.server.end('SIGKILL')
    await this.#watch
    await this.#model.close()
    await this.#tools.close()
    this.server.remove()
  }
}
