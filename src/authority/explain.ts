import type { Language } from '../shapes/language.ts'
import { fill } from './authority-words.ts'
import { authorityWords } from '../words/index.ts'
import { becauseText, unsureText } from './because-text.ts'
import { decide } from './decide.ts'
import type { Decision, GateCall } from './decision.ts'
import type { Grant } from './grants.ts'
import { forbidding, isInForce } from './judge.ts'
import { type Policy, type Rule, ruleName } from './policy.ts'
import { subjectText } from './subjects/subject.ts'
import { withVisibleCharacters } from './visible-text.ts'

/** `rules` and `grants` have something to say about the call, also those that a stricter rule overrides. */
export type Explanation = { decision: Decision; rules: readonly Rule[]; grants: readonly Grant[]; lines: readonly string[] }

/**
 * `parley policy explain`: subjects, rules with lines, decision. The decision is the gate's own, not a second opinion. `refusal`:
 * the tool itself refuses this input, and the gate denies it with that reason.
 */
export function explain(
  policy: Policy,
  grants: readonly Grant[],
  call: GateCall,
  language: Language = 'en',
  refusal?: string,
): Explanation {
  const decision = decide(policy, grants, refusal === undefined ? call : { ...call, isInvalid: true })
  const text = authorityWords[language].explain
  const subjects = call.subjects.map((subject, at) => {
    const verdict = decision.subjects[at]?.verdict
    return `  ${subjectText(subject)}${verdict === undefined ? '' : ` → ${text[verdict]}`}`
  })
  const doubts = call.unsure.map((one) => `  ? ${unsureText(one, language)}`)
  const { onceOnly, decision: verdict, because } = decision
  const rules = matching(policy, call, decision)
  const used = usedGrants(decision, grants)
  const lines = [
    `${text.subjects}:`,
    ...(subjects.length + doubts.length > 0 ? [...subjects, ...doubts] : [`  ${text.none}`]),
    `${text.rules}:`,
    ...listed(rules, used, language),
    `${text.decision}: ${text[verdict]}${onceOnly && verdict === 'ask' ? ` (${text.once})` : ''}`,
    `  ${refusal ?? becauseText(because, language)}`,
  ]
  return { decision, rules, grants: used, lines: lines.map(withVisibleCharacters) }
}

/** Rules that say something about the call, also those that a stricter one overrides. */
function matching(policy: Policy, call: GateCall, decision: Decision): Rule[] {
  const inForce = policy.rules.filter((rule) => isInForce(rule, call))
  const { deny, ask } = forbidding(inForce, call)
  const ruleHits = new Set([...deny, ...ask].map(({ rule }) => rule))
  for (const { rules } of decision.subjects) for (const rule of rules) ruleHits.add(rule)
  return policy.rules.filter((rule) => ruleHits.has(rule))
}

function usedGrants(decision: Decision, grants: readonly Grant[]): Grant[] {
  const ids = new Set(decision.subjects.flatMap((one) => one.grants))
  return grants.filter(({ grant }) => ids.has(grant))
}

function listed(rules: readonly Rule[], grants: readonly Grant[], language: Language): string[] {
  const text = authorityWords[language].explain
  const lines = [
    ...rules.map((rule) => `  ${ruleName(rule)}${rule.line === null ? '' : ` (${fill(text.line, { line: rule.line })})`}`),
    ...grants.map(({ grant, scopeText, by }) => `  ${grant}: ${scopeText} (${by.name})`),
  ]
  return lines.length > 0 ? lines : [`  ${text.none}`]
}
