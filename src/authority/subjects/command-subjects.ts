import { parseNetHost } from './net.ts'
import { type LookUp, pathSubject, type PathUse } from './paths.ts'
import type { Layout } from './protected-paths.ts'
import { readCommand } from './read-command.ts'
import type { FileUse } from './redirection.ts'
import type { NetSubject } from './subject.ts'
import type { Extraction } from './tool-subjects.ts'
import type { Unsure } from './unsure.ts'

export type RunInput = {
  command: string
  cwd?: string
  hosts?: readonly string[]
  /** False where the command would be run by another shell than bash: what the parser says does not hold there. */
  hasBash: boolean
  isInWriteDirs?: PathUse['isInWriteDirs']
}

/** Subjects of `run`: each simple command, each file and host of a redirection, each host that is asked for. */
export function runSubjects(
  { command, cwd = '', hosts = [], hasBash, isInWriteDirs }: RunInput,
  layout: Layout,
  lookUp: LookUp,
): Extraction {
  const reading = readCommand(command)
  const unsure: Unsure[] = [...reading.unsure]
  if (!hasBash) unsure.push({ why: 'no-bash' })
  const files = reading.files.map((file) => {
    if (reading.changesFolder && !file.path.startsWith('/')) unsure.push({ why: 'relative-after-cd', detail: file.path })
    const { subject, unsure: doubts } = pathSubject(getUse(file, isInWriteDirs), layout, lookUp, cwd)
    unsure.push(...doubts)
    return subject
  })
  const nets: NetSubject[] = [...reading.nets]
  for (const host of hosts) {
    const net = parseNetHost(host)
    if (net) nets.push(net)
    else unsure.push({ why: 'redirection', detail: host })
  }
  return { subjects: [...reading.runs, ...files, ...nets], unsure, ...(reading.isOnceOnly && { isOnceOnly: true }) }
}

const getUse = (file: FileUse, isInWriteDirs: PathUse['isInWriteDirs']): PathUse => ({ ...file, ...(isInWriteDirs && { isInWriteDirs }) })
