import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const clockModule = new URL('./shifted-clock.ts', import.meta.url).href

export type RetirementFault = {
  /** No file may become larger. */ mostKilobytes?: number
  /** SIGKILL after this time. */ killAfterMs?: number
}

export type RetirementCounts = { retired: number; refusedByFullDisk: number; killed: number; storeAway: number }

/**
 * `parley store retire` beside the fleet, one at a time. Clocks of the fleet are up to ten minutes wrong, so its own clock is set
 * back by more than that: otherwise it would retire dialogs that people still talk in.
 */
export class Retirement {
  readonly folder: string
  readonly counts: RetirementCounts = { retired: 0, refusedByFullDisk: 0, killed: 0, storeAway: 0 }
  /** Rules of a full disk that a run has broken. */
  readonly violations: string[] = []
  isRunning = false
  readonly #dir: string
  readonly #url: string

  constructor(dir: string, url: string) {
    this.#dir = dir
    this.#url = url
    this.folder = join(dir, 'retired')
    mkdirSync(this.folder)
  }

  async run(restedMs: number, { mostKilobytes, killAfterMs }: RetirementFault = {}): Promise<void> {
    this.isRunning = true
    try {
      const before = this.#drafts()
      const { status, output } = await this.#command(restedMs, mostKilobytes, killAfterMs)
      const report = /^\{.*\}$/m.exec(output)?.[0]
      if (status === null) this.counts.killed += 1
      else if (status === 0) this.counts.retired += (JSON.parse(report ?? '{}') as { dialogs?: number }).dialogs ?? 0
      else if (!output.includes('retire_failed')) this.counts.storeAway += 1
      else if (mostKilobytes === undefined) this.violations.push(`archive: refused although there was space: ${output.slice(0, 300)}`)
      else this.counts.refusedByFullDisk += 1
      if (status !== null && this.#drafts() > before) this.violations.push('archive: a full disk left half of a file')
      if (status === 0 && mostKilobytes === 0 && !report?.includes('"dialogs":0'))
        this.violations.push(`archive: dialogs were retired to a disk without space: ${output.slice(0, 300)}`)
    } finally {
      this.isRunning = false
    }
  }

  /** Whole files, by name. */
  files(): { file: string; bytes: Uint8Array }[] {
    return readdirSync(this.folder)
      .filter((file) => !file.endsWith('.new'))
      .map((file) => ({ file, bytes: readFileSync(join(this.folder, file)) }))
  }

  #drafts(): number {
    return readdirSync(this.folder).filter((file) => file.endsWith('.new')).length
  }

  #command(
    restedMs: number,
    mostKilobytes: number | undefined,
    killAfterMs: number | undefined,
  ): Promise<{ status: number | null; output: string }> {
    const clock = join(this.#dir, 'clock-retirement')
    writeFileSync(clock, String(-restedMs))
    const args = ['--import', clockModule, cli, 'store', 'retire', '--days', '0', '--store', this.#url, '--folder', this.folder, '--json']
    const limit = mostKilobytes === undefined ? '' : `ulimit -f ${mostKilobytes};`
    const child = spawn('bash', ['-c', `${limit} exec "$0" "$@"`, process.execPath, ...args], {
      cwd: this.#dir,
      // The cache of compiled modules would meet the limit, too.
      env: { ...process.env, NO_COLOR: '1', NODE_COMPILE_CACHE: '', DATABASE_URL: this.#url, PARLEY_CHAOS_CLOCK: clock },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    return new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (status) => {
        clearTimeout(timer)
        resolve({ status, output })
      })
    })
  }
}
