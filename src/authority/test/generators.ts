import fc from 'fast-check'
import type { GateCall } from '../decision.ts'
import type { Grant } from '../grants.ts'
import type { Policy } from '../policy.ts'
import { type Role, roles } from '../roles.ts'
import type { CommandWord, Subject } from '../subjects/subject.ts'
import { toolKinds } from '../tool-kinds.ts'
import { author, getCall, toGrant, makePolicy, samplePolicy } from './samples.ts'

/** Policies, grants and calls over a small vocabulary, so that they meet often. */
export const role: fc.Arbitrary<Role> = fc.constantFrom(...roles)

const programs = ['git', 'rm', 'xrun']
const arguments_ = ['push', 'status', '--force', '-f', '-rf', '-r', 'main', 'git']
const paths = ['a', 'a/b', 'a/b/c', 'd']

const runText = fc
  .tuple(fc.constantFrom(...programs), fc.array(fc.constantFrom(...arguments_), { maxLength: 2 }), fc.boolean())
  .map(([program, words, isOpen]) => `run(${[program, ...words, ...(isOpen ? ['*'] : [])].join(' ')})`)

export const scopeText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: runText },
  fc.constant('run(*)'),
  fc.tuple(fc.constantFrom('read', 'write'), fc.constantFrom('**', 'a/**', 'a/b', 'a/b/**', 'd')).map(([kind, glob]) => `${kind}(${glob})`),
  fc.constantFrom('message(tg:1)', 'message(tg:*)', 'message(*)', 'mcp(s/t)', 'mcp(s/*)', 'mcp(*)', 'net(example.org)'),
  fc.constantFrom('tool(deploy)', 'tool(*)', 'tool(add_memory)', 'tool(run)'),
)

const rule = fc
  .record({
    effect: fc.constantFrom('allow', 'ask', 'deny'),
    scopeText,
    for: fc.option(role, { nil: undefined }),
    agent: fc.option(fc.constantFrom('ada', 'ben'), { nil: undefined }),
    until: fc.option(fc.constantFrom('2026-01-01', '2027-01-01'), { nil: undefined, freq: 3 }),
  })
  .map(({ effect, scopeText: text, ...rest }) => ({ [effect]: text, ...rest }))

export const ruleList: fc.Arbitrary<object[]> = fc.array(rule, { maxLength: 6 })

export const policy: fc.Arbitrary<Policy> = fc
  .record({ preset: fc.constantFrom('ask', 'workspace', 'locked'), rules: ruleList })
  .map((fields) => makePolicy({ people: samplePolicy.people, policy: fields }))

const word: fc.Arbitrary<CommandWord> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...arguments_).map((value) => ({ value, isLiteral: true })) },
  fc.constant({ value: '$x', isLiteral: false }),
)

const pathSubject = (kind: 'read' | 'write'): fc.Arbitrary<Subject> =>
  fc
    .record({
      names: fc.uniqueArray(fc.constantFrom(...paths), { minLength: 1, maxLength: 2 }),
      isRecursive: fc.boolean(),
      isInWriteDirs: fc.boolean(),
      protection: fc.option(fc.constantFrom('hidden', 'fixed'), { nil: undefined, freq: 8 }),
    })
    .map(({ names, isRecursive, isInWriteDirs, protection }): Subject => ({
      kind,
      names: names.map((inside) => ({ inside, absolute: `/project/${inside}` })),
      isRecursive,
      isInWriteDirs,
      ...(protection && { protection }),
    }))

const subjects = {
  run: {
    weight: 24,
    arbitrary: fc
      .tuple(fc.constantFrom(...programs), fc.array(word, { maxLength: 4 }))
      .map(([program, words]): Subject => ({ kind: 'run', words: [{ value: program, isLiteral: true }, ...words] })),
  },
  read: { weight: 3, arbitrary: pathSubject('read') },
  write: { weight: 3, arbitrary: pathSubject('write') },
  message: {
    weight: 2,
    arbitrary: fc.constantFrom<Subject>({ kind: 'message', address: 'tg:1' }, { kind: 'message', address: 'tg:2', isOwn: true }),
  },
  mcp: { weight: 1, arbitrary: fc.constant<Subject>({ kind: 'mcp', server: 's', tool: 't', scalars: {} }) },
  net: { weight: 1, arbitrary: fc.constant<Subject>({ kind: 'net', host: 'example.org', port: null }) },
  tool: {
    weight: 2,
    arbitrary: fc.constantFrom<Subject>({ kind: 'tool', name: 'deploy', scalars: {} }, { kind: 'tool', name: 'add_memory', scalars: {} }),
  },
} satisfies Record<Subject['kind'], { weight: number; arbitrary: fc.Arbitrary<Subject> }>
export const subject: fc.Arbitrary<Subject> = fc.oneof(...Object.values(subjects))

export const call: fc.Arbitrary<GateCall> = fc
  .record({
    agent: fc.constantFrom('ada', 'ben'),
    tool: fc.constantFrom('run', 'deploy', 'add_memory'),
    kind: fc.option(fc.constantFrom(...toolKinds), { nil: null, freq: 20 }),
    isInvalid: fc.nat({ max: 30 }).map((value) => value === 0),
    toolHash: fc.constantFrom('h1', 'h2'),
    subjects: fc.array(subject, { maxLength: 3 }),
    unsure: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, fc.constant([{ why: 'syntax' as const }])),
    role,
    by: fc.array(fc.constantFrom('person:eve', 'person:dan'), { minLength: 1, maxLength: 2 }),
    origin: fc.constantFrom('message' as const, 'schedule' as const),
    dialog: fc.constantFrom('d1', 'd2'),
    openApprovals: fc.nat({ max: 4 }),
    isSandboxed: fc.boolean(),
    isIrreversible: fc.boolean(),
    declared: fc.option(fc.constantFrom('allow' as const, 'ask' as const, 'allow-guests' as const), { nil: undefined }),
  })
  .map(({ role: lowest, by, origin, declared, ...rest }) =>
    getCall({ ...rest, cause: { by: by.map((id) => author(lowest, id)), role: lowest, origin }, ...(declared && { declared }) }),
  )

const grant: fc.Arbitrary<Grant> = fc
  .record({
    text: scopeText,
    agent: fc.constantFrom('ada', 'ada', 'ben'),
    tool: fc.constantFrom('run', 'run', 'deploy', 'add_memory'),
    toolHash: fc.constantFrom('h1', 'h1', 'h2'),
    role,
    author: fc.constantFrom('person:eve', 'person:dan'),
    dialog: fc.constantFrom(null, 'd1', 'd2'),
    until: fc.constantFrom(Date.parse('2026-01-01'), Date.parse('2027-02-01'), Date.parse('2027-02-01')),
    hasEnded: fc.boolean(),
  })
  .map(({ text, ...fields }) => toGrant(text, fields))

export const grants: fc.Arbitrary<Grant[]> = fc
  .array(grant, { maxLength: 4 })
  .map((list) => list.map((one, at) => ({ ...one, grant: `g${at}` })))

/** A standing permission for one subject of a call, made in its own dialog by its own author. */
export function exactGrant(of: Subject, { agent, tool, toolHash, cause, dialog }: GateCall, id: string): Grant {
  const by = cause.by[0]?.id ?? null
  return { ...toGrant(writeSubject(of), { agent, tool, toolHash, role: cause.role, author: by, dialog }), grant: id, fields: [] }
}

function writeSubject(of: Subject): string {
  switch (of.kind) {
    case 'run':
      return `run(${of.words[0]?.value} *)`
    case 'read':
    case 'write':
      return `${of.kind}(**)`
    case 'message':
      return `message(${of.address})`
    case 'mcp':
      return `mcp(${of.server}/${of.tool})`
    case 'net':
      return `net(${of.host})`
    case 'tool':
      return `tool(${of.name})`
  }
}
