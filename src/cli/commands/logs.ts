import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { LogLevel } from '../../ports/log.ts'
import type { CommandFunction } from '../command-row.ts'
import { listPlaces, shortPath } from '../places.ts'
import { untilInterrupted } from '../until-interrupted.ts'

type Entry = { time: string; level: LogLevel; message: string }

const everyMs = 250

export const run: CommandFunction = async (terminal, given) => {
  const [{ prettyLine }, { logFiles }] = await Promise.all([import('../../server/log.ts'), import('../../server/log-file.ts')])
  const print = (entry: Entry): void => {
    const { time, level, message, ...fields } = entry
    terminal.item(entry, () => prettyLine(level, time, message, fields).trimEnd())
  }
  const data = given.text('data')
  const folder = data === undefined ? (await listPlaces(terminal)).data : resolve(terminal.cwd, data)
  const { current, older } = logFiles(folder)
  const last = given.number('lines') ?? 100
  const isFollowed = given.on('follow')
  const begin = sizeIn(current)
  const entries = [older, current].flatMap((file) => entriesIn(readFrom(file, 0)))
  for (const entry of last === 0 ? [] : entries.slice(-last)) print(entry)
  if (entries.length === 0) terminal.say(terminal.words.noLog(shortPath(folder, terminal.cwd)))
  if (!isFollowed) return
  let at = begin
  let rest = ''
  const timer = setInterval(() => {
    const size = sizeIn(current)
    if (size === at) return
    // A smaller file is a new one; the end of the one before is in the older file.
    const news = size < at ? readFrom(older, at) + readFrom(current, 0) : readFrom(current, at)
    at = size
    const text = rest + news
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    for (const entry of entriesIn(text.slice(0, end))) print(entry)
  }, everyMs)
  try {
    return await untilInterrupted(terminal, new Promise<number>(() => {}))
  } finally {
    clearInterval(timer)
  }
}

/** The entries of a text. A power cut can leave a line that is none. */
function entriesIn(text: string): Entry[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Entry]
    } catch {
      return []
    }
  })
}

function sizeIn(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** From a byte to the end; the server bounds the file. */
function readFrom(file: string, start: number): string {
  const size = sizeIn(file)
  if (size <= start) return ''
  if (start === 0) return readFileSync(file, 'utf8')
  const bytes = Buffer.alloc(size - start)
  const handle = openSync(file, 'r')
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, start)).toString('utf8')
  } finally {
    closeSync(handle)
  }
}
