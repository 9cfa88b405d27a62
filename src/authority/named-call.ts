import { parseNetHost } from './subjects/net.ts'
import type { LookUp } from './subjects/paths.ts'
import type { Layout } from './subjects/protected-paths.ts'
import { runSubjects } from './subjects/command-subjects.ts'
import { type Extraction, fileSubjects, getScalars } from './subjects/tool-subjects.ts'

/** Kinds of scope that a call can be named by, without knowing the tool that makes it. */
export const namedKinds = ['run', 'read', 'write', 'net', 'message', 'mcp'] as const
export type NamedKind = (typeof namedKinds)[number]

export const isNamedKind = (value: string): value is NamedKind => (namedKinds as readonly string[]).includes(value)

/** The disk as `policy explain` sees it; without one, paths are compared by name only. */
export type Disk = { layout: Layout; lookUp: LookUp; isInWriteDirs?: (name: string) => boolean }

const byName: Disk = {
  layout: { root: '/project', foldsCase: false, hidden: [], fixed: [] },
  lookUp: (absolute) => ({ real: absolute, hardLinks: 0 }),
}

/** `outside`: a path that file tools refuse, because it does not lie in the project. */
export type NamedCall = Extraction & { tool: string; kind: NamedKind; outside?: string }

/** A call as a person writes it: `run` and a command, `write` and a path. A fault is one clause for that person. */
export function namedCall(kind: NamedKind, text: string, input: unknown = {}, disk: Disk = byName): NamedCall | { fault: string } {
  const { layout, lookUp, isInWriteDirs } = disk
  if (text.trim() === '') return { fault: faults[kind] }
  const writeDirs = isInWriteDirs ? { isInWriteDirs } : {}
  switch (kind) {
    case 'run':
      return { tool: 'run', kind, ...runSubjects({ command: text, hasBash: true, ...writeDirs }, layout, lookUp) }
    case 'read':
      return withOutside({ tool: 'read_file', kind, ...fileSubjects({ access: 'read', path: text }, layout, lookUp) }, text)
    case 'write':
      return withOutside({ tool: 'write_file', kind, ...fileSubjects({ access: 'write', path: text, ...writeDirs }, layout, lookUp) }, text)
    case 'net': {
      const net = parseNetHost(text)
      return net ? { tool: 'net', kind, subjects: [net], unsure: [] } : { fault: faults.net }
    }
    case 'message':
      return text.includes(':') ? { tool: 'message', kind, subjects: [{ kind, address: text }], unsure: [] } : { fault: faults.message }
    case 'mcp': {
      const [server = '', ...rest] = text.split('/')
      const tool = rest.join('/')
      if (server === '' || tool === '') return { fault: faults.mcp }
      return { tool, kind, subjects: [{ kind, server, tool, scalars: getScalars(input) }], unsure: [] }
    }
  }
}

function withOutside(call: NamedCall, path: string): NamedCall {
  const isOutside = call.subjects.some((subject) => 'names' in subject && subject.names.some(({ inside }) => inside === null))
  return isOutside ? { ...call, outside: path } : call
}

const faults: Readonly<Record<NamedKind, string>> = {
  run: 'name the command, such as "git status"',
  read: 'name the path, such as notes/a.md',
  write: 'name the path, such as src/a.ts',
  net: 'name host or host:port, such as api.example.org',
  message: 'name channel:address, such as telegram:-500',
  mcp: 'name server/tool, such as github/create_issue',
}
