import type { Contender } from './contender.ts'

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = { nodes: { id: number; callFrame: Frame }[]; samples: number[]; timeDeltas: number[] }

export const isProfiled: boolean = process.argv.includes('--profile')

/** Runs `work` while the process takes samples of what it does, then tells on stderr what took most time. */
export async function profiled(contender: Contender, work: () => Promise<void>): Promise<void> {
  if (!isProfiled) return work()
  await contender.ask({ profile: 'start' })
  await work()
  tell(await contender.ask<Profile>({ profile: 'stop' }))
}

/** Shares of the time the process was busy. What one function calls is not counted as its own. */
function tell({ nodes, samples, timeDeltas }: Profile, most = 30): void {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, toPlace(callFrame)]))
  const byFunction = new Map<string, number>()
  const byPart = new Map<string, number>()
  let busy = 0
  samples.forEach((id, index) => {
    const place = frames.get(id)
    if (!place || place.name.startsWith('(idle)') || place.name.startsWith('(program)') || place.part === 'node:inspector') return
    const took = timeDeltas[index] ?? 0
    busy += took
    byFunction.set(place.name, (byFunction.get(place.name) ?? 0) + took)
    byPart.set(place.part, (byPart.get(place.part) ?? 0) + took)
  })
  const list = (title: string, counts: Map<string, number>): void => {
    process.stderr.write(`${title}\n`)
    for (const [name, took] of [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, most)) {
      process.stderr.write(`${((took / busy) * 100).toFixed(1).padStart(6)} %  ${name}\n`)
    }
  }
  list('self time by part', byPart)
  list('self time by function', byFunction)
}

function toPlace({ functionName, url, lineNumber }: Frame): { name: string; part: string } {
  const file = url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(?=(src|bench)\/)/, '')
  // Node's own SQLite has no file of its own, but its statements have these names.
  if (url === '' && ['run', 'get', 'all', 'exec'].includes(functionName)) return { name: `SQLite ${functionName}`, part: 'SQLite' }
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
  if (file.startsWith('node:')) return { name, part: file.includes('/') ? file.replace(/\/[^/]*$/, '') : file }
  return { name, part: file.replace(/\/[^/]*$/, '') || 'native and engine' }
}
