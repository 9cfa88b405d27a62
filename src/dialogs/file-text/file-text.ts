import { Worker } from 'node:worker_threads'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { fileLimits } from '../rules/message-file.ts'
import { type Extracted, type ExtractRequest, extractModule } from './extract-text.ts'

export const fileTextLimits = {
  /** For one document. */
  extractMs: 15_000,
  /** Documents that are read at the same time. */
  concurrent: 2,
  /** Documents that wait for that; the text of further ones is not read. */
  waiting: 50,
  heapMB: 256,
} as const

/** The text of a stored file, as agents read it; null where it has none, or it cannot be read in time. Never throws. */
export type FileText = (file: { name: string; mediaType: string; bytes: Uint8Array }) => Promise<string | null>

export function fileTexts({ clock, log }: { clock: Clock; log: Log }): FileText {
  let running = 0
  const waiting: (() => void)[] = []

  async function extract(request: ExtractRequest, name: string): Promise<string | null> {
    if (waiting.length >= fileTextLimits.waiting) return null
    if (running >= fileTextLimits.concurrent) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    const outcome = await runWorker(request, clock)
    const next = waiting.shift()
    // Its place goes to the next one, so that no other comes between.
    if (next) next()
    else running -= 1
    if ('text' in outcome) return outcome.text
    log('info', 'the text of a file could not be read', { name, why: outcome.problem })
    return null
  }

  return async ({ name, mediaType, bytes }) => {
    const kind = getKind(name, mediaType, bytes)
    if (kind === null) return null
    const text = kind === 'text' ? new TextDecoder().decode(bytes) : await extract({ kind, bytes, chars: fileLimits.textChars }, name)
    return text === null || text.trim() === '' ? null : bound(text.toWellFormed())
  }
}

function getKind(name: string, mediaType: string, bytes: Uint8Array): ExtractRequest['kind'] | 'text' | null {
  if (mediaType === 'application/pdf') return 'pdf'
  if (mediaType === 'application/zip') return 'zip'
  if (mediaType !== 'text/plain') return null
  const head = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart().toLowerCase()
  return /\.html?$/i.test(name) || head.startsWith('<!doctype html') || head.startsWith('<html') ? 'html' : 'text'
}

/** Cut visibly: the agent reads that there is more. */
function bound(text: string): string {
  const { textChars } = fileLimits
  if (text.length <= textChars) return text
  return `${text.slice(0, textChars).toWellFormed()}\n[cut after ${textChars} characters]`
}

function runWorker(request: ExtractRequest, clock: Clock): Promise<Extracted> {
  return new Promise((resolve) => {
    const worker = new Worker(extractModule, {
      workerData: { extract: request },
      resourceLimits: { maxOldGenerationSizeMb: fileTextLimits.heapMB },
      env: {},
      execArgv: [],
    })
    const end = (outcome: Extracted): void => {
      cancel()
      resolve(outcome)
      void worker.terminate()
    }
    const cancel = clock.after(fileTextLimits.extractMs, () => end({ problem: `it took longer than ${fileTextLimits.extractMs} ms` }))
    worker.once('message', end)
    worker.once('error', (error) => end({ problem: error.message }))
    worker.once('exit', () => end({ problem: 'its thread ended' }))
  })
}
