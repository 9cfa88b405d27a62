import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export type ProjectFile = { path: string; text: string }

export const root: string = fileURLToPath(new URL('..', import.meta.url))

/** Files under these folders (or these files), read, with `/` in their paths on every system. */
export function projectFiles(places: readonly string[], ending: RegExp): ProjectFile[] {
  return places
    .flatMap(under)
    .filter((path) => ending.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

function under(place: string): string[] {
  if (/\.\w+$/.test(place)) return [place]
  return readdirSync(root + place, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = `${place}/${entry.name}`
    return entry.isDirectory() ? under(path) : [path]
  })
}

/** Code without what is only said in it: comments gone, texts emptied, lines kept. */
export function codeOnly(text: string): string {
  return text.replaceAll(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*`/g,
    (found) => found.replaceAll(/[^\n]/g, ' '),
  )
}
