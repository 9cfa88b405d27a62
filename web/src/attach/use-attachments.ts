import { useEffect, useRef, useState } from 'react'
import { fileLimits, freshKey, type MessageFile } from '../../../src/client/index.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'

/** A file in the composer. `stored` is set when the server has it. */
export type Attachment = { key: string; name: string; type: string; preview: string | null; stored?: MessageFile; error?: ErrorWords }

export type Attachments = {
  list: readonly Attachment[]
  isBusy: boolean
  add(files: Iterable<File>): void
  remove(key: string): void
  /** The stored ones, which are taken out. */
  take(): MessageFile[]
}

/** Files are stored as soon as they are chosen, so that sending the message is as quick as without them. */
export function useAttachments(): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([])
  const previews = useRef(new Set<string>())
  useEffect(() => () => previews.current.forEach((url) => URL.revokeObjectURL(url)), [])

  const edit = (key: string, edits: Partial<Attachment>): void =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, ...edits } : one)))

  const upload = async (key: string, file: File): Promise<void> => {
    try {
      edit(key, { stored: await client.files.add(file.name || 'file', file) })
    } catch (error) {
      edit(key, { error: asWords(error) })
    }
  }

  return {
    list,
    isBusy: list.some(({ stored, error }) => !stored && !error),
    add(files) {
      for (const file of [...files].slice(0, Math.max(0, fileLimits.filesPerMessage - list.length))) {
        const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
        if (preview !== null) previews.current.add(preview)
        const key = freshKey()
        setList((before) => [...before, { key, name: file.name || 'file', type: file.type, preview }])
        void upload(key, file)
      }
    },
    remove: (key) => setList((before) => before.filter((one) => one.key !== key)),
    take() {
      setList([])
      return list.flatMap(({ stored }) => (stored ? [stored] : []))
    },
  }
}
