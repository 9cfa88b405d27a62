import { foldCase, matchGlob } from './glob.ts'
import { allowsRun, forbidsRun, type Match } from './match-run.ts'
import type { NameScope, NetScope, PathScope, Scope } from './scope.ts'
import type { McpSubject, MessageSubject, NetSubject, PathName, PathSubject, Subject, ToolSubject } from './subjects/subject.ts'

/**
 * Allow matches narrowly, deny broadly:
 *
 * | scope | allow, grant | deny, ask |
 * |---|---|---|
 * | run | words in order | program and words in any order, also behind other words |
 * | read, write | every name of the file, case as the disk has it | any name, without case |
 * | net | the host; ports 80 and 443 unless named; private addresses only by their literal name | the host and all below it |
 * | message | exact | without case and leading zeros, and everything below the address |
 * | mcp, tool | exact | without case |
 */
export function allows(scope: Scope, subject: Subject): Match {
  if (scope.kind === 'run') return subject.kind === 'run' ? allowsRun(scope, subject) : 'no'
  if (scope.kind === 'net') return subject.kind === 'net' && allowsHost(scope, subject) ? 'yes' : 'no'
  if (scope.kind === 'read' || scope.kind === 'write') return subject.kind === scope.kind && allowsPath(scope, subject) ? 'yes' : 'no'
  return isNamed(subject) && subject.kind === scope.kind ? matchName(scope, subject, false) : 'no'
}

/** `tool` is the name of the called tool: `deny: tool(run)` stops the tool whatever its subjects are. */
export function forbids(scope: Scope, subject: Subject, tool: string): Match {
  if (scope.kind === 'run') return subject.kind === 'run' ? forbidsRun(scope, subject) : 'no'
  if (scope.kind === 'net') return subject.kind === 'net' && forbidsHost(scope, subject) ? 'yes' : 'no'
  if (scope.kind === 'read' || scope.kind === 'write') return subject.kind === scope.kind ? forbidsPath(scope, subject) : 'no'
  const named = scope as NameScope
  if (isNamed(subject) && subject.kind === named.kind) return matchName(named, subject, true)
  return named.kind === 'tool' && subject.kind !== 'tool' ? matchName(named, { kind: 'tool', name: tool, scalars: {} }, true) : 'no'
}

/** Names no file has, so that only wildcards match them: a folder is covered when anything below it would be. */
const anyName = '\u{10FFFF}'

function allowsPath({ glob }: PathScope, { names, foldsCase = false, isRecursive = false }: PathSubject): boolean {
  return names.every((name) => {
    const path = glob.isAbsolute ? name.absolute : name.inside
    if (path === null) return false
    const paths = isRecursive ? [path, `${path}/${anyName}`, `${path}/${anyName}/${anyName}`] : [path]
    return paths.every((one) => matchGlob(glob, one, foldsCase) === 'yes')
  })
}

function forbidsPath({ glob }: PathScope, { names, isRecursive }: PathSubject): Match {
  const matches = names.map((name: PathName) => {
    const path = glob.isAbsolute ? name.absolute : name.inside
    return path === null ? 'no' : matchGlob(glob, path, true)
  })
  if (matches.includes('yes')) return 'yes'
  return isRecursive && matches.includes('below') ? 'unsure' : 'no'
}

const webPorts = [80, 443]

function allowsHost(scope: NetScope, { host, port, isPrivate }: NetSubject): boolean {
  if (scope.port === null ? port !== null && !webPorts.includes(port) : port !== scope.port) return false
  if (!scope.hasSubdomains) return host === scope.host
  return !isPrivate && (scope.host === '' || host.endsWith(`.${scope.host}`))
}

function forbidsHost(scope: NetScope, { host, port }: NetSubject): boolean {
  if (scope.port !== null && port !== null && port !== scope.port) return false
  return scope.host === '' || host === scope.host || host.endsWith(`.${scope.host}`)
}

type Named = MessageSubject | McpSubject | ToolSubject

const isNamed = (subject: Subject): subject is Named => subject.kind === 'message' || subject.kind === 'mcp' || subject.kind === 'tool'

function getName(subject: Named): string {
  if (subject.kind === 'message') return subject.address
  return subject.kind === 'mcp' ? `${subject.server}/${subject.tool}` : subject.name
}

/** Platforms take 0042 for 42. */
const withoutZeros = (address: string): string => address.replace(/(?<=:-?)0+(?=\d)/g, '')

function matchName(scope: NameScope, subject: Named, fold: boolean): Match {
  const same = (text: string): string => (fold ? foldCase(text) : text)
  const isBroadAddress = fold && subject.kind === 'message'
  const spelled = (text: string): string => (isBroadAddress ? withoutZeros(same(text)) : same(text))
  const name = spelled(getName(subject))
  const scopeName = spelled(scope.name)
  // A chat has topics below it.
  const isBelow = isBroadAddress && name.startsWith(`${scopeName}:`)
  if (scope.isOpen ? !name.startsWith(scopeName) : name !== scopeName && !isBelow) return 'no'
  const scalars = subject.kind === 'message' ? {} : subject.scalars
  let match: Match = 'yes'
  for (const [field, pattern] of Object.entries(scope.where)) {
    const value = Object.hasOwn(scalars, field) ? scalars[field] : undefined
    if (value === undefined) return 'no'
    // A list or an object in the place of a scalar is not compared; only a deny rule has to fear it.
    if (value === null) match = 'unsure'
    else if (pattern.endsWith('*') ? !same(value).startsWith(same(pattern.slice(0, -1))) : same(value) !== same(pattern)) return 'no'
  }
  return match
}
