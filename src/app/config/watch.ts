import { readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describeError, ParleyError } from '../../errors.ts'
import { type Loaded, readConfig } from './load.ts'
import type { Environment } from './variables.ts'

export type WatchOptions = {
  /** In force until the file changes for the first time, and while it cannot be read. */
  initial: Loaded
  env?: () => Environment
  /** Editors write in several steps. A version counts when it is still the same after this time. */
  debounceMs?: number
  /** Some file systems (network, containers) never report a change, so the file is also looked at from time to time. */
  pollMs?: number
}

/**
 * Tells of every change of the file, also when it is replaced by renaming another one over it. A version that cannot be
 * read at all is reported with the last good one. Returns a function that ends the watch.
 */
export function watchConfig(file: string, onChange: (loaded: Loaded) => void, options: WatchOptions): () => void {
  const { initial, env = () => process.env, debounceMs = 100, pollMs = 500 } = options
  let good = initial
  let lastContent = readContent(file)
  let seenContent = lastContent
  let timer: NodeJS.Timeout | undefined

  const look = (): void => {
    timer = undefined
    const text = readContent(file)
    const isSettled = text === seenContent
    seenContent = text
    if (text === lastContent) return
    // Its writer may have emptied it and not come further. An empty file is valid: the team and the rules would be gone.
    if (!isSettled) return soon()
    lastContent = text
    let next: Loaded
    try {
      if (text === null) throw new ParleyError('config_unreadable', { file, why: 'it was removed' })
      next = good = readConfig(text, file, env())
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      const why = `${describeError(error.code, error.details).message} The last good version stays in use.`
      next = { ...good, problems: [{ kind: 'unreadable', file, path: '', why, line: null }] }
    }
    onChange(next)
  }
  function soon(): void {
    clearTimeout(timer)
    timer = setTimeout(look, debounceMs)
  }

  // The folder, not the file: a watch on a file stays with the old content when another one takes its name.
  let watcher: ReturnType<typeof watch> | undefined
  try {
    watcher = watch(dirname(file), { persistent: false }, (_, changed) => {
      if (changed === null || changed === basename(file)) soon()
    })
    watcher.on('error', () => watcher?.close())
  } catch {
    watcher = undefined
  }
  const poll = setInterval(() => {
    if (timer === undefined && readContent(file) !== lastContent) soon()
  }, pollMs)
  poll.unref()
  return () => {
    watcher?.close()
    clearInterval(poll)
    clearTimeout(timer)
  }
}

function readContent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
