import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = { nodes: { id: number; callFrame: Frame }[]; samples: number[]; timeDeltas: number[] }

export const isProfiled: boolean = process.argv.includes('--profile')

/** With `--profile`, the measured process writes a CPU profile when it ends. */
export const profileArgs = (folder: string): string[] => (isProfiled ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [])

/** The functions that took most time themselves, as shares of the time the process was busy, on stderr. */
export function tellProfile(folder: string, most = 45): void {
  if (!isProfiled) return
  const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile'))
  if (file === undefined) throw new Error('no CPU profile was written')
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const byFunction = new Map<string, number>()
  const byPart = new Map<string, number>()
  let busy = 0
  samples.forEach((id, index) => {
    const place = frames.get(id)
    if (!place || place.name.startsWith('(idle)') || place.name.startsWith('(program)')) return
    const took = timeDeltas[index] ?? 0
    busy += took
    byFunction.set(place.name, (byFunction.get(place.name) ?? 0) + took)
    byPart.set(place.part, (byPart.get(place.part) ?? 0) + took)
  })
  const tell = (title: string, counts: Map<string, number>): void => {
    process.stderr.write(`${title}\n`)
    for (const [name, took] of [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, most)) {
      process.stderr.write(`${((took / busy) * 100).toFixed(1).padStart(6)} %  ${name}\n`)
    }
  }
  tell('self time by part', byPart)
  tell('self time by function', byFunction)
}

function placeOf({ functionName, url, lineNumber }: Frame): { name: string; part: string } {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(?=(src|bench)\/)/, '')
  const name = `${functionName || '(anonymous)'} ${file === '' ? '' : `${file}:${lineNumber + 1}`}`.trim()
  if (url.includes('/node_modules/'))
    return {
      name,
      part: file
        .split('/')
        .slice(0, file.startsWith('@') ? 2 : 1)
        .join('/'),
    }
  if (file.startsWith('node:internal/deps/')) return { name, part: file.split('/').slice(0, 3).join('/') }
  if (file.startsWith('node:')) return { name, part: file.replace(/\/[^/]*$/, '') }
  return { name, part: file.replace(/\/[^/]*$/, '') || 'native and engine' }
}
