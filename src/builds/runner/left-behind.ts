import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Lease, Store, ViewRow } from '../../ports/store.ts'
import type { Committer } from '../../streams/committer.ts'

/**
 * Programs of agents, noted down before they are given their message. A server that is killed cannot end them: the next
 * one to run the turn does, so that there are never two at work on one build.
 */
export type LeftBehind = {
  note(lease: Lease, pid: number): Promise<void>
  forget(build: string): void
  /** Ends what an earlier server left running for this build. */
  end(build: string): Promise<void>
  /** Ends programs of servers that are gone where no turn will come to do it: their builds are over. */
  endAll(isOver: (build: string) => Promise<boolean>): Promise<void>
}

const view = 'build-process'

/** `server` is the process that started the program; notes of 0.2 and older have none. */
type Noted = { host: string; pid: number; began: string; server?: { pid: number; began: string } }

/** Programs looked at when a server starts; there are never more at work at once than turns. */
const mostNoted = 1_000

export function leftBehind(store: Store, committer: Committer): LeftBehind {
  return {
    async note(lease, pid) {
      const began = getBeginning(pid)
      if (began === null) return
      const server = { pid: process.pid, began: getBeginning(process.pid) ?? '' }
      const body: Noted = { host: hostname(), pid, began, server }
      const row: ViewRow = { view, key: lease.key, group: body.host, sort: 0, text: '', body }
      // A power cut ends the program as well, so it is enough that the note outlives this process.
      await committer.commit({ lease, rows: [row], repeatable: true })
    },
    forget(build) {
      // Only to keep the store small; a note that stays behind names a program that is gone.
      committer.commit({ rows: [{ view, key: build, body: null }], repeatable: true }).catch(() => {})
    },
    async end(build) {
      const row = await store.row(view, build)
      if (row) endProgram(row.body as Noted)
    },
    async endAll(isOver) {
      for (const { key, body } of await store.rows({ view, group: hostname(), limit: mostNoted })) {
        const { server } = body as Noted
        const isServed = server !== undefined && getBeginning(server.pid) === server.began
        if (!isServed && (await isOver(key))) endProgram(body as Noted)
      }
    },
  }
}

function endProgram({ host, pid, began }: Noted): void {
  // A number is used again by other programs, so it must also have begun at the same time.
  if (host !== hostname() || getBeginning(pid) !== began) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It ended just now.
  }
}

/** When a process began, as the kernel counts it, with the start of the machine; null where that cannot be read. */
function getBeginning(pid: number): string | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${fields[19]}`
  } catch {
    return null
  }
}
