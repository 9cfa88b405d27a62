import { decide } from '../src/authority/decide.ts'
import type { GateCall } from '../src/authority/decision.ts'
import { parsePolicy } from '../src/authority/parse-policy.ts'
import { runSubjects } from '../src/authority/subjects/command-subjects.ts'
import { fileSubjects } from '../src/authority/subjects/tool-subjects.ts'
import { many, median, print } from './figure.ts'

/** CPU time of one decision of the gate with 50 rules, with and without parsing a command, beside a gate that is a constant. */
const rules = Array.from({ length: 50 }, (_, at) => {
  const kinds = [`run(tool-${at} sub *)`, `read(folder-${at}/**)`, `write(out-${at}/**)`, `mcp(server-${at}/tool)`, `run(git log-${at} *)`]
  return { [['allow', 'deny', 'ask', 'allow', 'allow'][at % 5] ?? 'allow']: kinds[at % 5] }
})
const parsed = parsePolicy({ policy: { rules: [...rules.slice(1), { allow: 'run(git status *)' }] } })
if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
const { policy } = parsed

const layout = { root: '/project', foldsCase: false, hidden: ['.parley'], fixed: ['node_modules'] }
const lookUp = (real: string): { real: string; hardLinks: number } => ({ real, hardLinks: 1 })
const call: GateCall = {
  agent: 'ada',
  tool: 'run',
  kind: 'run',
  toolHash: 'h',
  subjects: [],
  unsure: [],
  cause: { by: [{ id: 'person:mia', name: 'mia', role: 'owner' }], role: 'owner', origin: 'message' },
  dialog: 'd',
  openApprovals: 0,
  now: 0,
}
const file = fileSubjects({ access: 'read', path: 'docs/a.md' }, layout, lookUp)
const command = runSubjects({ command: 'git status --short', hasBash: true }, layout, lookUp)
const read: GateCall = { ...call, tool: 'read_file', kind: 'read', ...file }

const gates: Record<string, () => string> = {
  'read_file, subjects known': () => decide(policy, [], read).decision,
  'run, subjects known': () => decide(policy, [], { ...call, ...command }).decision,
  'read_file with its path': () =>
    decide(policy, [], { ...read, ...fileSubjects({ access: 'read', path: 'docs/a.md' }, layout, lookUp) }).decision,
  'run with parsing the command': () =>
    decide(policy, [], {
      ...call,
      ...runSubjects({ command: 'git status --short && git status -s > out.txt', hasBash: true }, layout, lookUp),
    }).decision,
}
const constant = { decision: 'allow' } as const

/** Microseconds of CPU time for one call, the median of several rounds. */
function measure(gate: () => string): number {
  const count = many(20_000, 2_000)
  const rounds: number[] = []
  for (let round = -2; round < many(9, 3); round += 1) {
    let length = 0
    const before = process.cpuUsage()
    for (let at = 0; at < count; at += 1) length += gate().length
    const { user, system } = process.cpuUsage(before)
    if (length === 0) throw new Error('nothing was decided')
    if (round >= 0) rounds.push((user + system) / count)
  }
  return median(rounds)
}

const floor = Math.max(
  measure(() => constant.decision),
  0.001,
)
for (const [figure, gate] of Object.entries(gates))
  print({ bench: 'gate', figure, value: measure(gate), unit: 'µs', floor, rules: policy.rules.length })
