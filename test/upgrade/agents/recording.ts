import { appendFileSync } from 'node:fs'

/**
 * The agents of the recorded database stop, fail and hang only while the recorder runs. With later code the same agents
 * carry on, so the upgrade test sees interrupted work finish.
 */
const isRecording = (): boolean => process.env['PARLEY_UPGRADE_RECORDING'] === '1'

/** Hangs while the database is recorded, until the process is killed or the signal aborts. Tells the recorder who hangs. */
export async function hangWhileRecording(id: string, signal: AbortSignal): Promise<void> {
  if (!isRecording()) return
  appendFileSync(process.env['PARLEY_TEST_EFFECTS'] ?? '', `${id}\n`)
  await new Promise((_, reject) => {
    const timer = setTimeout(() => {}, 600_000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

export function failWhileRecording(): void {
  if (isRecording()) throw new Error('this agent fails while the database is recorded')
}
