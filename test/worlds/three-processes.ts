import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export type Role = 'host' | 'ada' | 'mira'
export type KillPoint = { role: Role; when: 'before' | 'after'; commit: number }
export type Outcome = Record<string, unknown>

type Said = { url?: string; commits?: number; outcome?: Outcome }

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** A ceiling for a broken run, not a measure. */
const longestRunMs = 300_000

export type Run = { outcomes: { ada: Outcome; mira: Outcome }; commits: Record<Role, number>; isKilled: boolean; dir: string }

/**
 * A host and two owners, each a process with a database of its own. One of them may be killed at one of its commits; it is
 * started again and everything goes on. Resolves when both owners have been told.
 */
export async function playThreeProcesses(kill: KillPoint | null): Promise<Run> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-three-'))
  const running = new Map<Role, ChildProcess>()
  const commits: Record<Role, number> = { host: 0, ada: 0, mira: 0 }
  const outcomes: Partial<Record<Role, Outcome>> = {}
  let isKilled = false
  let isOver = false
  let url = ''
  let finish = (): void => {}
  let fail: (error: Error) => void = () => {}
  const done = new Promise<void>((resolve, reject) => {
    finish = resolve
    fail = reject
  })

  function start(role: Role, isArmed: boolean): void {
    const args = role === 'host' ? [dir, new URL(url || 'http://x:0').port || '0'] : [dir, url, role]
    const env = { ...process.env, ...(isArmed && kill ? { PARLEY_DIE: `${kill.when}:${kill.commit}` } : {}) }
    const child = fork(script(role === 'host' ? './host-process.ts' : './member-process.ts'), args, {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    running.set(role, child)
    let complaint = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = `${complaint}${chunk.toString()}`.slice(-4_000)
      if (process.env['PARLEY_LOUD']) process.stderr.write(chunk)
    })
    child.on('message', (said: Said) => {
      if (said.commits !== undefined) commits[role] = said.commits
      if (said.outcome) outcomes[role] = said.outcome
      if (said.url !== undefined && url === '') {
        url = said.url
        for (const member of ['ada', 'mira'] as const) start(member, kill?.role === member)
      }
      if (outcomes.ada && outcomes.mira) finish()
    })
    child.on('exit', (code, signal) => {
      if (isOver) return
      if (signal !== 'SIGKILL') return fail(new Error(`${role} ended with ${code}: ${complaint}`))
      isKilled = true
      start(role, false)
    })
  }

  const timer = setTimeout(
    () => fail(new Error(`no end after ${longestRunMs} ms: ${JSON.stringify({ kill, outcomes, commits })}`)),
    longestRunMs,
  )
  try {
    start('host', kill?.role === 'host')
    await done
    return { outcomes: { ada: outcomes.ada ?? {}, mira: outcomes.mira ?? {} }, commits, isKilled, dir }
  } finally {
    isOver = true
    clearTimeout(timer)
    for (const child of running.values()) child.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  }
}
