import { join, relative } from 'node:path'
import type { RunningParley } from '../app/serve.ts'
import { asTypedHere } from './command-name.ts'
import type { Terminal } from './terminal.ts'

/**
 * Addresses of pages, with a one-time key each where a person reads them at a terminal. Elsewhere stdout is a log that others
 * may read, so the addresses have no key and `command` says how to make a link.
 */
export async function signInLinks<Name extends string>(
  terminal: Terminal,
  running: RunningParley,
  paths: Record<Name, string>,
): Promise<{ urls: Record<Name, string>; command: string; hasKeys: boolean }> {
  const hasKeys = terminal.stdout.isTTY === true
  const urls: Partial<Record<Name, string>> = {}
  for (const name of Object.keys(paths) as Name[]) urls[name] = hasKeys ? await running.link(paths[name]) : running.url + paths[name]
  return { urls: urls as Record<Name, string>, command: linkCommand(terminal, running.dataDir), hasKeys }
}

/** As it is typed in this folder. */
function linkCommand({ cwd }: Terminal, dataDir: string): string {
  const link = asTypedHere('parley link')
  if (dataDir === join(cwd, '.parley')) return link
  const short = relative(cwd, dataDir)
  const folderText = short === '' || short.startsWith('..') ? dataDir : short
  return `PARLEY_DATA=${/^[\w./-]+$/.test(folderText) ? folderText : `'${folderText.replaceAll("'", String.raw`'\''`)}'`} ${link}`
}
