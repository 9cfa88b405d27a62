import { createHash } from 'node:crypto'
import { ParleyError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Files } from '../../ports/files.ts'
import type { Ids } from '../../ports/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { Caller, Parley } from '../../shapes/parley.ts'
import { requestKey } from '../../streams/asking.ts'
import type { Committer } from '../../streams/committer.ts'
import { fileKey, fileView, type Upload, uploadView } from '../rows/file-rows.ts'
import { fileLimits, isImageType, type MessageFile, toFileName } from '../rules/message-file.ts'
import type { FileText } from '../file-text/file-text.ts'
import { sniffFile } from './sniff-file.ts'

type Parts = { store: Store; committer: Committer; files: Files; readText: FileText; clock: Clock; ids: Ids }

export type MessageFiles = Parley['files'] & {
  /** The uploads of this caller, for a message that refers to them. */
  take(uploads: readonly string[], caller: Caller): Promise<MessageFile[]>
  /** Stores a file that a tool returned. What no result refers to is pruned. */
  keep(name: string, bytes: Uint8Array): Promise<MessageFile>
  content(file: string): Promise<Uint8Array | null>
  /** Removes one batch of files that nothing refers to. */
  prune(after: string): Promise<string | null>
}

const unusedMs = fileLimits.unusedHours * 3_600_000
/** A message may not refer to a file that is about to be pruned. */
const lateMs = 3_600_000
const prunedAtOnce = 100

/**
 * Files that people and tools give. Bytes are on disk before a row or an event refers to them, so a crash leaves at most bytes
 * that nothing refers to; those are pruned after a day.
 */
export function messageFiles({ store, committer, files, readText, clock, ids }: Parts): MessageFiles {
  async function keep(name: string, bytes: Uint8Array, known?: string): Promise<MessageFile> {
    if (bytes.length === 0) throw new ParleyError('empty_file', { name })
    if (bytes.length > fileLimits.bytes) throw new ParleyError('too_large', { limit: fileLimits.bytes })
    const sniffed = sniffFile(bytes)
    if (isImageType(sniffed.mediaType) && bytes.length > fileLimits.imageBytes)
      throw new ParleyError('too_large', { limit: fileLimits.imageBytes })
    const file = ids.next('file')
    await files.write(file, bytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const text = known ?? (await readText({ name, mediaType: sniffed.mediaType, bytes }))
    return {
      file,
      name: toFileName(name),
      ...sniffed,
      bytes: bytes.length,
      sha256,
      ...(text !== null && { text }),
    }
  }

  return {
    keep: (name, bytes) => keep(name, bytes),
    content: (file) => files.read(file),
    async add({ name, bytes, text }, caller) {
      const person = personKey(caller)
      if ((await store.countRows(uploadView, person)) >= fileLimits.unusedPerPerson)
        throw new ParleyError('too_many_uploads', { limit: fileLimits.unusedPerPerson, hours: fileLimits.unusedHours })
      const messageFile = await keep(name, bytes, text)
      const at = clock.now()
      const body: Upload = { ...messageFile, by: person, at }
      const { once } = caller
      const unit = {
        rows: [{ view: uploadView, key: messageFile.file, group: person, sort: at, text: '', body }],
        ...(once && { once: [{ key: requestKey(caller), value: { request: once.request, value: messageFile } }] }),
      }
      const written = await committer.commit(unit)
      if (written.ok) return messageFile
      await files.remove(messageFile.file)
      if (written.why !== 'seen') throw new ParleyError('busy', {}, { retryable: true })
      const first = written.value as { request: string; value: MessageFile }
      if (first.request !== once?.request) throw new ParleyError('key_reused')
      return first.value
    },
    async take(uploads, caller) {
      const person = personKey(caller)
      return Promise.all(
        uploads.map(async (file) => {
          const upload = (await store.row(uploadView, file))?.body as Upload | undefined
          if (!upload || upload.by !== person || upload.at < clock.now() - unusedMs + lateMs)
            throw new ParleyError('file_not_found', { file })
          const { by: _by, at: _at, ...kept } = upload
          return kept
        }),
      )
    },
    async read(dialog, file) {
      const row = await store.row(fileView, fileKey(dialog, file))
      const bytes = row && (await files.read(file))
      if (!row || !bytes) throw new ParleyError('file_not_found', { file })
      return { ...(row.body as MessageFile), content: bytes }
    },
    async prune(after) {
      const listed = await files.list(after, prunedAtOnce)
      for (const { file, at } of listed) {
        if (at > clock.now() - unusedMs || (await store.countRows(fileView, file)) > 0) continue
        await committer.commit({ rows: [{ view: uploadView, key: file, body: null }], repeatable: true })
        await files.remove(file)
      }
      return listed.length < prunedAtOnce ? null : (listed.at(-1)?.file ?? null)
    },
  }
}

const personKey = ({ by }: Caller): string => by.id ?? by.name
