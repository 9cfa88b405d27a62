import { readFileSync } from 'node:fs'
import { LineCounter, type Document, isNode, parseDocument } from 'yaml'
import { z } from 'zod'
import type { LineOf } from '../../authority/policy-problem.ts'
import { ParleyError } from '../../errors.ts'
import { builtInKinds } from '../../chats/channels/registry.ts'
import { accountKeys } from './channels-schema.ts'
import { type Problem, unknownName } from './problem.ts'
import { type Config, configSchema } from './schema.ts'
import { explainNoEffect, findUnpriced, findUnusedSettings } from './unused-settings.ts'
import { type Environment, fillVariables } from './variables.ts'
import { issueInWords } from '../../shapes/issue-words.ts'
import { isRecord } from '../../shapes/record.ts'

/** `people:` and `policy:` as written, with what is needed to check them. */
export type PolicySections = {
  people: unknown
  policy: unknown
  /** Names that rules may use; null when plugins or the demo bring agents. */
  agents: readonly string[] | null
  /** Channels and platforms that people may have ids on; null when plugins bring some. */
  platforms: readonly string[] | null
  toLine: LineOf
}

/**
 * `sections` is null for a file that says nothing about people and policy; see `makePolicy`. `unused` names settings that are
 * well-formed and change nothing beside the others.
 */
export type Loaded = { config: Config; problems: Problem[]; sections: PolicySections | null; unused: Problem[] }

type Path = readonly PropertyKey[]

/** Entries under these stand or fall alone; elsewhere only the wrong value is left out and its default counts. */
const entries: readonly Path[] = [['models'], ['team', 'members'], ['mcp'], ['channels'], ['plugins']]

/**
 * Reads parley.yaml. What does not fit is named in `problems` and left out, the rest goes on. A file that is missing or
 * is no YAML at all is thrown, unless it is `optional` and missing.
 */
export function loadConfig(file: string, options: { env?: Environment; optional?: boolean } = {}): Loaded {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (options.optional && code === 'ENOENT') return { config: configSchema.parse({}), problems: [], sections: null, unused: [] }
    throw new ParleyError('config_unreadable', { file, why: unreadable[code ?? ''] ?? code ?? 'reading failed' })
  }
  return readConfig(text, file, options.env ?? process.env)
}

const unreadable: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this account may not read it',
}

/** The same for text that is already at hand. */
export function readConfig(text: string, file: string, env: Environment): Loaded {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const fault = document.errors[0]
  if (fault)
    throw new ParleyError('config_invalid', { file, where: `line ${lines.linePos(fault.pos[0]).line}`, why: clause(fault.message) })
  let raw: unknown
  try {
    raw = document.toJS() ?? {}
  } catch (error) {
    throw new ParleyError('config_invalid', { file, where: 'the file', why: clause((error as Error).message) })
  }
  if (!isRecord(raw))
    throw new ParleyError('config_invalid', { file, where: 'the file', why: 'it should have sections such as "team:" and "models:"' })

  const problems: Problem[] = []
  const report = (kind: Problem['kind'], path: Path, why: string): void => {
    problems.push({ kind, file, path: path.map(String).join('.'), why, line: findLine(document, lines, path) })
  }
  const filled = fill(raw, [], env, report)
  const members = listMembers(raw)
  const config = withDefault(fit(filled, report), members)
  for (const { path, why } of findUnpriced(config)) report('wrong-value', path, why)
  const hasPolicy = config.people !== undefined || config.policy !== undefined
  const sections = hasPolicy ? readSections(config, members, (path) => findLine(document, lines, path)) : null
  const unused = findUnusedSettings(config).map(({ path, why }): Problem => ({
    kind: 'no-effect',
    file,
    path: path.join('.'),
    why,
    line: findLine(document, lines, path),
  }))
  return { config, problems: problems.toSorted(byLine), sections, unused: unused.toSorted(byLine) }
}

const byLine = (a: Problem, b: Problem): number => (a.line ?? 0) - (b.line ?? 0)

/** Ids of people may be given for platforms that are not connected yet. */
const knownPlatforms = [...Object.keys(builtInKinds), 'whatsapp', 'matrix', 'wechat']

function readSections({ people, policy, channels, plugins }: Config, members: readonly string[], toLine: LineOf): PolicySections {
  const hasPlugins = Object.keys(plugins).length > 0
  return {
    people,
    policy,
    agents: hasPlugins || members.length === 0 ? null : members,
    platforms: hasPlugins ? null : [...knownPlatforms, ...Object.keys(channels)],
    toLine,
  }
}

/** Members as written: a rule may name an agent whose own entry has a fault. */
function listMembers(raw: Record<string, unknown>): string[] {
  const team = raw['team']
  const members = isRecord(team) ? team['members'] : null
  return isRecord(members) ? Object.keys(members) : []
}

/** The first member is the default, also when its entry was skipped: another agent must not answer in its place. */
function withDefault(config: Config, written: readonly string[]): Config {
  const { team } = config
  const skipped = written.filter((name) => !Object.hasOwn(team.members, name))
  return { ...config, team: { ...team, default: team.default ?? written[0], ...(skipped.length > 0 && { skipped }) } }
}

type Report = (kind: Problem['kind'], path: Path, why: string) => void

const unset = Symbol('left out')

/** Fills variables in all strings. An entry, or a value outside of one, whose variable is missing is left out. */
function fill(value: unknown, path: Path, env: Environment, report: Report): unknown {
  if (typeof value === 'string') {
    const { text, missing } = fillVariables(value, env)
    for (const name of missing) report('missing-variable', path, `the environment variable ${name} is not set`)
    return missing.length > 0 ? unset : text
  }
  if (Array.isArray(value)) {
    const items = value.map((item, index) => fill(item, [...path, index], env, report))
    return items.includes(unset) ? unset : items
  }
  if (!isRecord(value)) return value
  const filled: [string, unknown][] = []
  let lost = false
  for (const [key, item] of Object.entries(value)) {
    const inner = fill(item, [...path, key], env, report)
    if (inner === unset) lost = true
    else filled.push([key, inner])
  }
  return lost && isInsideEntry(path) ? unset : Object.fromEntries(filled)
}

/** Takes out what the schema does not accept until the rest fits; each round takes out at least one thing. */
function fit(raw: unknown, report: Report): Config {
  for (;;) {
    const parsed = configSchema.safeParse(raw)
    if (parsed.success) return parsed.data
    const removed = new Set<string>()
    for (const issue of parsed.error.issues) {
      if (issue.code === 'unrecognized_keys') {
        for (const key of issue.keys) {
          const why = explainNoEffect(raw, [...issue.path, key])
          if (why !== null) report('no-effect', [...issue.path, key], why)
          else report('unknown-key', [...issue.path, key], unknownName('the key', key, listKeys(raw, issue.path)))
          remove(raw, [...issue.path, key])
        }
        continue
      }
      const entry = findEntry(issue.path) ?? issue.path
      report(
        'wrong-value',
        issue.path,
        `${issueInWords(issue)}${entry.length < issue.path.length ? `; "${String(entry.at(-1))}" is skipped` : ''}`,
      )
      if (!removed.has(entry.join('\0'))) remove(raw, entry)
      removed.add(entry.join('\0'))
    }
  }
}

function findEntry(path: Path): Path | null {
  const under = entries.find((entry) => entry.length < path.length && entry.every((key, index) => path[index] === key))
  return under ? path.slice(0, under.length + 1) : null
}

const isInsideEntry = (path: Path): boolean => findEntry(path) !== null

/** Takes out the named value; one inside a list takes the whole list with it. */
function remove(raw: unknown, path: Path): void {
  let parent = raw
  for (const [depth, key] of path.entries()) {
    if (!isRecord(parent)) return
    const inner = parent[String(key)]
    if (depth === path.length - 1 || !isRecord(inner)) {
      delete parent[String(key)]
      return
    }
    parent = inner
  }
}

/** Keys that are known at this path. Those of an account depend on its kind. */
function listKeys(raw: unknown, path: Path): string[] {
  const [section, name] = path
  const entry = isRecord(raw) && isRecord(raw['channels']) ? raw['channels'][String(name)] : undefined
  if (section !== 'channels' || path.length !== 2) return knownKeys(path)
  const kind = isRecord(entry) ? entry['kind'] : undefined
  return accountKeys(typeof kind === 'string' ? kind : String(name))
}

function knownKeys(path: Path): string[] {
  let schema: unknown = configSchema
  for (const key of path) schema = within(schema, key)
  const object = unwrapped(schema)
  const forms: readonly unknown[] = object instanceof z.ZodUnion ? object.options : [object]
  return [...new Set(forms.flatMap((form) => (form instanceof z.ZodObject ? Object.keys(form.shape) : [])))]
}

function within(schema: unknown, key: PropertyKey): unknown {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodObject) return inner.shape[String(key)]
  return inner instanceof z.ZodRecord ? inner.valueType : undefined
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional
    ? unwrapped(schema.unwrap())
    : schema
}

/** The line of the thing itself, or of the nearest thing around it that has one. */
function findLine(document: Document, lines: LineCounter, path: Path): number | null {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return null
}

/** A message as part of a longer sentence. */
const clause = (message: string): string => message.split('\n', 1)[0]?.replace(/(?<![.:\s])[.:\s]+$/, '') ?? ''
