import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from './fault.ts'
import { readStdin } from './read-stdin.ts'
import type { Terminal } from './terminal.ts'

/** A flag that takes an object: typed out, `@file`, or `-` for stdin. */
export async function readJson(terminal: Terminal, flag: string, typed: string, looksLike: string): Promise<Record<string, unknown>> {
  const text = await getText(terminal, flag, typed)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new UsageError(
      `${flag} is not valid JSON: ${(error as Error).message}.`,
      `It looks like: ${flag} '${looksLike}', or ${flag} @file.json`,
    )
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new UsageError(`${flag} is not an object.`, `It looks like: ${flag} '${looksLike}'`)
  return parsed as Record<string, unknown>
}

async function getText(terminal: Terminal, flag: string, typed: string): Promise<string> {
  if (typed === '-') return readStdin(terminal, `What ${flag} holds`)
  if (!typed.startsWith('@')) return typed
  const file = typed.slice(1)
  return readFile(resolve(terminal.cwd, file), 'utf8').catch(() =>
    Promise.reject(new UsageError(`${file} cannot be read.`, `Give a JSON file: ${flag} @file.json`)),
  )
}
