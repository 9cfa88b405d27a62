import { fileURLToPath } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { docxPart } from './docx-part.ts'
import { htmlText, wordText } from './markup-text.ts'

export const extractLimits = { pages: 300 } as const

/** `chars`: reading ends soon after as much text. */
export type ExtractRequest = { kind: 'pdf' | 'zip' | 'html'; bytes: Uint8Array; chars: number }

/** Documents are read in a thread of their own: a hostile one takes its time and memory, not those of the server. */
export const extractModule = fileURLToPath(import.meta.url)

async function extract({ kind, bytes, chars }: ExtractRequest): Promise<string | null> {
  if (kind === 'html') return htmlText(new TextDecoder().decode(bytes))
  if (kind === 'pdf') return pdfText(bytes, chars)
  const xml = docxPart(bytes)
  return xml === null ? null : wordText(xml)
}

async function pdfText(bytes: Uint8Array, chars: number): Promise<string> {
  const { getDocumentProxy } = await import('unpdf')
  const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, isEvalSupported: false })
  let text = ''
  const pages = Math.min(document.numPages, extractLimits.pages)
  let page = 1
  for (; page <= pages && text.length <= chars; page += 1) {
    const open = await document.getPage(page)
    const { items } = await open.getTextContent()
    for (const { str = '', hasEOL = false } of items) text += hasEOL ? `${str}\n` : str
    text += '\n\n'
    open.cleanup()
  }
  const unread = document.numPages - page + 1
  return unread > 0 && text.length <= chars ? `${text}[${unread} more pages were not read]` : text
}

/** The outcome, to the thread that started this one. */
export type Extracted = { text: string | null } | { problem: string }

// eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (outcome: Extracted): void => parentPort?.postMessage(outcome)

const { extract: request } = (workerData ?? {}) as { extract?: ExtractRequest }
if (request)
  extract(request).then(
    (text) => tell({ text }),
    (error: unknown) => tell({ problem: error instanceof Error ? error.message : 'it cannot be read' }),
  )
