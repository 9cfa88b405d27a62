import type { Cause } from '../cause.ts'
import type { GateCall } from '../decision.ts'
import type { Grant } from '../grants.ts'
import { parsePolicy } from '../parse-policy.ts'
import type { Policy } from '../policy.ts'
import type { Author, Role } from '../roles.ts'
import { parseScope } from '../scope.ts'
import type { Layout } from '../subjects/protected-paths.ts'
import { runSubjects } from '../subjects/command-subjects.ts'
import { fileSubjects, toolSubject } from '../subjects/tool-subjects.ts'
import { getToolKind } from '../tool-kinds.ts'

/** The example of the specification. */
export const samplePolicy = {
  people: {
    mia: { role: 'owner', telegram: 42, slack: 'T1/U3' },
    ann: { role: 'operator', telegram: 43 },
    bob: { role: 'member', slack: 'T1/U7' },
  },
  policy: {
    preset: 'ask',
    approvers: ['bob'],
    rules: [
      { allow: 'run(git status *)' },
      { allow: 'read(guide/**)', for: 'guest' },
      {
        deny: 'run(git push --force)',
        note: 'Open a pull request instead.',
        examples: { match: ['git push -f origin main'], not: ['git push'] },
      },
      { ask: 'mcp(bank/transfer)', keys: 2, approvers: ['ann', 'bob'], escalate: { after: '4h', to: ['mia'] } },
      { allow: 'message(telegram:-500)', agent: 'ada', until: '2027-01-31' },
      { allow: 'mcp(github/create_issue)', where: { repo: 'acme/*' } },
    ],
  },
}

/** The parsed policy; a test that passes a wrong one fails here. */
export function makePolicy(raw: { people?: unknown; policy?: unknown } = samplePolicy): Policy {
  const parsed = parsePolicy(raw)
  if ('problems' in parsed) throw new Error(parsed.problems.map(({ path, why }) => `${path.join('.')}: ${why}`).join('\n'))
  return parsed.policy
}

export const listRules = (...rules: readonly object[]): Policy => makePolicy({ people: samplePolicy.people, policy: { rules } })

export const author = (role: Role, id: string = `person:${role}`): Author => ({ id, name: id, role })

export const causedBy = (role: Role, by: readonly Author[] = [author(role)]): Cause => ({ by, role, origin: 'message' })

export const layout: Layout = {
  root: '/project',
  foldsCase: false,
  hidden: ['data', '/project/parley.yaml'],
  fixed: ['agents/booker.ts', 'node_modules'],
}

export function getCall(more: Partial<GateCall>): GateCall {
  return {
    agent: 'ada',
    tool: 'run',
    kind: 'run',
    toolHash: 'h1',
    subjects: [],
    unsure: [],
    cause: causedBy('owner'),
    dialog: 'd1',
    openApprovals: 0,
    now: Date.parse('2026-11-17'),
    ...more,
  }
}

const noLinks = (real: string): { real: string; hardLinks: number } => ({ real, hardLinks: 1 })

/** A call of `run` with the subjects of this command. */
export const runCall = (command: string, more: Partial<GateCall> = {}): GateCall =>
  getCall({ ...runSubjects({ command, hasBash: true }, layout, noLinks), ...more })

export const fileCall = (tool: 'read_file' | 'write_file', path: string, more: Partial<GateCall> = {}): GateCall => {
  const access = tool === 'read_file' ? 'read' : 'write'
  return getCall({ tool, kind: access, ...fileSubjects({ access, path }, layout, noLinks), ...more })
}

export const toolCall = (tool: string, more: Partial<GateCall> = {}): GateCall =>
  getCall({ tool, kind: getToolKind(tool), subjects: [toolSubject(tool, {})], ...more })

export function toGrant(scopeText: string, more: Partial<Grant> = {}): Grant {
  const parsed = parseScope(scopeText)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return {
    grant: 'g1',
    agent: 'ada',
    tool: 'run',
    toolHash: 'h1',
    scopeText,
    scope: parsed.scope,
    role: 'operator',
    author: null,
    dialog: null,
    by: author('owner', 'person:mia'),
    via: 'Telegram',
    madeAt: Date.parse('2026-11-14'),
    until: Date.parse('2027-02-12'),
    hasEnded: false,
    scripts: {},
    ...more,
  }
}
