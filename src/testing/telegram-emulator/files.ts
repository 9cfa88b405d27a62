import type { Params, Upload } from './request-body.ts'
import { badRequest } from './telegram-fault.ts'

export type StoredFile = { id: string; path: string; name: string; mimeType: string; bytes: Buffer }

/** Largest file a bot can download. */
const mostDownloadBytes = 20 * 1024 * 1024

export type Files = ReturnType<typeof getFiles>

/** Every file that was sent to or by the bot, under an id and a path. */
export function getFiles() {
  const stored = new Map<string, StoredFile>()
  const keep = ({ name, mimeType, bytes }: Upload): StoredFile => {
    const number = stored.size + 1
    const file: StoredFile = {
      id: `AgACFile${number}`,
      path: `files/file_${number}${/\.\w+$/.exec(name)?.[0] ?? ''}`,
      name,
      mimeType,
      bytes,
    }
    stored.set(file.id, file)
    return file
  }
  return {
    keep,
    /** The file a parameter stands for: an upload, a file sent before, or an address that Telegram would fetch. */
    resolve(value: unknown, field: string, uploads: Map<string, Upload>): StoredFile {
      const text = typeof value === 'string' ? value : ''
      const upload = uploads.get(text.startsWith('attach://') ? text.slice('attach://'.length) : field)
      if (upload) return keep(upload)
      const entry = stored.get(text)
      if (entry) return entry
      if (/^https?:\/\//.test(text))
        return keep({ name: text.split('/').at(-1) ?? 'file', mimeType: 'application/octet-stream', bytes: Buffer.alloc(0) })
      throw badRequest('wrong file identifier/HTTP URL specified')
    },
    getFile(params: Params): object {
      const file = stored.get(String(params.file_id))
      if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable')
      if (file.bytes.length > mostDownloadBytes) throw badRequest('file is too big')
      return { file_id: file.id, file_unique_id: `u${file.id}`, file_size: file.bytes.length, file_path: file.path }
    },
    at: (path: string): StoredFile | undefined => [...stored.values()].find((file) => file.path === path),
    byId: (id: string): StoredFile | undefined => stored.get(id),
  }
}

/** The fields of a message that carry this file. */
export function mediaFields(kind: string, file: StoredFile): Record<string, unknown> {
  const base = { file_id: file.id, file_unique_id: `u${file.id}`, file_size: file.bytes.length }
  if (kind === 'photo') {
    // Telegram keeps a photo in several sizes, smallest first.
    return {
      photo: [
        { ...base, file_id: file.id, width: 90, height: 90 },
        { ...base, width: 800, height: 800 },
      ],
    }
  }
  const named = { ...base, file_name: file.name, mime_type: file.mimeType }
  const timed = { ...named, duration: 1 }
  switch (kind) {
    case 'video':
      return { video: { ...timed, width: 640, height: 480 } }
    case 'animation':
      return { animation: { ...timed, width: 640, height: 480 }, document: named }
    case 'video_note':
      return { video_note: { ...base, length: 240, duration: 1 } }
    case 'audio':
      return { audio: timed }
    case 'voice':
      return { voice: { ...base, mime_type: file.mimeType, duration: 1 } }
    case 'sticker':
      return { sticker: { ...base, type: 'regular', width: 512, height: 512, is_animated: false, is_video: false } }
    default:
      return { document: named }
  }
}
