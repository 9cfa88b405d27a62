import { readFile, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { fileLimits, type ParleyClient } from '../client/index.ts'
import { UsageError } from './fault.ts'

/** Stores files of this machine for a message, and returns their ids. Nothing is sent when one of them cannot be read. */
export async function uploadFiles(client: ParleyClient, paths: readonly string[], cwd: string): Promise<string[]> {
  if (paths.length > fileLimits.filesPerMessage)
    throw new UsageError(`A message has at most ${fileLimits.filesPerMessage} files.`, 'Send the others in a second message.')
  const read = await Promise.all(paths.map((path) => readOne(resolve(cwd, path), path)))
  const ids: string[] = []
  for (const { name, bytes } of read) ids.push((await client.files.add(name, new Blob([bytes]))).file)
  return ids
}

async function readOne(path: string, given: string): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const about = await stat(path).catch(() => null)
  if (!about?.isFile()) throw new UsageError(`There is no file ${given}.`, 'Check the path; it is relative to this folder.')
  if (about.size > fileLimits.bytes)
    throw new UsageError(`${given} has ${about.size} bytes; at most ${fileLimits.bytes} are accepted.`, 'Send a smaller one.')
  return { name: basename(path), bytes: await readFile(path) }
}
