import { mkdir, open, readFile, rename, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { EndStorage, Stored } from './storage.ts'

/** Rewritten when this many lines are no longer needed for each one that is. */
const spareLines = 1_000

/**
 * One file for one process: every change is a line, written and synced before it counts. After a kill the last line may be
 * half there; it never counted, and is cut off when the file is opened again.
 */
export async function fileEndStorage(path: string): Promise<EndStorage & { close(): Promise<void> }> {
  await mkdir(dirname(path), { recursive: true })
  const documents = await load(path)
  let file = await open(path, 'a', 0o600)
  let lines = documents.size
  let writing: Promise<void> = Promise.resolve()

  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const result = writing.then(act)
    writing = result.then(
      () => {},
      () => {},
    )
    return result
  }

  async function compact(): Promise<void> {
    const draft = await open(`${path}.new`, 'w', 0o600)
    await draft.writeFile([...documents.values()].map(toLine).join(''))
    await draft.sync()
    await draft.close()
    await rename(`${path}.new`, path)
    const folder = await open(dirname(path), 'r')
    await folder.sync()
    await folder.close()
    await file.close()
    file = await open(path, 'a')
    lines = documents.size
  }

  return {
    get: async (conversation) => documents.get(conversation) ?? null,
    put: (controls, expected) =>
      inTurn(async () => {
        if ((documents.get(controls.conversation)?.rev ?? 0) !== expected) return false
        const stored = { controls, rev: expected + 1 }
        await file.appendFile(toLine(stored))
        await file.datasync()
        documents.set(controls.conversation, stored)
        lines += 1
        if (lines > documents.size + spareLines) await compact()
        return true
      }),
    conversations: async () => [...documents.keys()],
    close: () => inTurn(() => file.close()),
  }
}

const toLine = (stored: Stored): string => `${JSON.stringify(stored)}\n`

async function load(path: string): Promise<Map<string, Stored>> {
  const entries = new Map<string, Stored>()
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const whole = bytes.lastIndexOf(0x0a) + 1
  if (whole < bytes.length) await truncate(path, whole)
  for (const line of bytes.subarray(0, whole).toString('utf8').split('\n')) {
    if (line === '') continue
    const stored = JSON.parse(line) as Stored
    entries.set(stored.controls.conversation, stored)
  }
  return entries
}
