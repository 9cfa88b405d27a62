import { allows, forbids } from './match-scope.ts'
import type { Match } from './match-run.ts'
import type { Rule } from './policy.ts'
import { type Report, reportUnknown, textList } from './policy-problem.ts'
import { ruleLimits, type Path } from './parse-rule.ts'
import { absolutePath } from './subjects/paths.ts'
import { parseNetHost } from './subjects/net.ts'
import { readCommand } from './subjects/read-command.ts'
import type { Subject } from './subjects/subject.ts'
import { isRecord } from '../shapes/record.ts'

/** `examples: { match: […], not: […] }`. A rule that does not do what its author expects stops the start. */
export function checkExamples(raw: unknown, rule: Rule, path: Path, report: Report): void {
  if (raw === undefined) return
  if (!isRecord(raw)) return report(path, 'it must be written as { match: […], not: […] }')
  reportUnknown(raw, ['match', 'not'], path, report)
  for (const kind of ['match', 'not'] as const) {
    const texts = textList(raw[kind], [...path, kind], report)
    if (texts.length > ruleLimits.examples) report([...path, kind], `it has more than ${ruleLimits.examples} examples`)
    for (const [at, text] of texts.slice(0, ruleLimits.examples).entries()) {
      const isMatch = matchesExample(rule, text)
      if (isMatch === (kind === 'match')) continue
      report(
        [...path, kind, at],
        `the rule ${rule.effect}: ${rule.text} ${isMatch ? 'matches' : 'does not match'} the example "${text.slice(0, 200)}"`,
      )
    }
  }
}

/** Allow has to cover every part of the example, deny and ask one of them. Conditions on fields are taken as met. */
function matchesExample({ effect, scope }: Rule, text: string): boolean {
  const subjects = exampleSubjects(scope.kind, text)
  const bare = 'where' in scope ? { ...scope, where: {} } : scope
  if (effect === 'allow') return subjects.length > 0 && subjects.every((subject) => allows(bare, subject) === 'yes')
  const matches = subjects.map((subject): Match => forbids(bare, subject, ''))
  return matches.includes('yes') || matches.includes('behind')
}

const exampleRoot = '/project'

function exampleSubjects(kind: Rule['scope']['kind'], text: string): readonly Subject[] {
  switch (kind) {
    case 'run':
      return readCommand(text).runs
    case 'read':
    case 'write': {
      const absolute = absolutePath(text, exampleRoot)
      const inside = absolute.startsWith(`${exampleRoot}/`) ? absolute.slice(exampleRoot.length + 1) : null
      return [{ kind, names: [{ inside, absolute }] }]
    }
    case 'net': {
      const net = parseNetHost(text)
      return net ? [net] : []
    }
    case 'message':
      return [{ kind, address: text }]
    case 'mcp': {
      const [server = '', ...tool] = text.split('/')
      return [{ kind, server, tool: tool.join('/'), scalars: {} }]
    }
    case 'tool':
      return [{ kind, name: text, scalars: {} }]
  }
}
