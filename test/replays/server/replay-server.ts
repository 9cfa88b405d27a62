import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Wire } from '../../../src/agents/wires/wire.ts'
import type { Hold } from '../../fixtures/hold-commits.ts'
import { KillableServer } from '../../fixtures/killable-server.ts'

/** A member of the team of a replay, with a model of its own. */
export type ReplayMember = { name: string; path: string; settings?: object; member?: object }

/** `parley serve` in a process of its own, with models and tools on the loopback interface. */
export class ReplayServer extends KillableServer {
  readonly #wire: Wire
  readonly #modelUrl: string
  readonly #toolUrl: string
  readonly #members: readonly ReplayMember[]

  constructor(wire: Wire, urls: { model: string; tools: string }, members: readonly ReplayMember[]) {
    super()
    this.#wire = wire
    this.#modelUrl = urls.model.replace(/\/v1$/, '')
    this.#toolUrl = urls.tools
    this.#members = members
    for (const name of ['x', 'a', 'b', ...Array.from({ length: 40 }, (_, at) => String(at))])
      writeFileSync(join(this.dir, name), `42 in ${name}`)
  }

  protected override yaml(): string {
    const models = this.#members.map(({ name, path, settings }) => [
      name,
      {
        provider: this.#wire === 'anthropic' ? 'anthropic' : 'openai-compatible',
        wire: this.#wire,
        baseUrl: `${this.#modelUrl}/${path}/v1`,
        model: 'emulated',
        apiKey: 'none',
        maxOutputTokens: 1_000,
        ...settings,
      },
    ])
    const members = this.#members.map(({ name, member }) => [
      name,
      { runtime: 'model', model: name, toolsets: ['ws_read', 'ws_mod'], writeDirs: ['out'], mcp: ['tools'], ...member },
    ])
    // JSON is YAML.
    return JSON.stringify({
      limits: { requestsPerMinute: 1_000_000 },
      models: Object.fromEntries(models),
      mcp: { tools: { transport: 'streamable_http', url: this.#toolUrl, trust: 'annotations' } },
      team: { members: Object.fromEntries(members) },
    })
  }

  protected override get preload(): string[] {
    return ['--import', new URL('../../fixtures/hold-commits.ts', import.meta.url).href]
  }

  /** Plays are held at their commits from now on; `onHeld` is called with the name of each that is. */
  async holdPlays(holds: Readonly<Record<string, Hold>>, onHeld: (play: string) => void): Promise<void> {
    const { child } = this
    const armed = new Promise<void>((resolve) => {
      child.on('message', (message: { armed?: true; held?: string }) => {
        if (message.armed) resolve()
        if (message.held !== undefined) onHeld(message.held)
      })
    })
    child.send({ holds }, () => {})
    await armed
  }
}
