import type { CommandFunction } from '../command-row.ts'
import { languages } from '../../shapes/language.ts'
import { policyView, type PolicyView, type RuleView } from '../../authority/policy-view.ts'
import { whereText } from '../approval-words.ts'
import { durationText } from '../age.ts'
import { ifServed } from '../connect.ts'
import { localPolicy } from '../local-policy.ts'
import { oneLine } from '../plain-text.ts'
import { shortPath } from '../places.ts'
import type { Terminal } from '../terminal.ts'

type Found = { policy: PolicyView; note: string; mistakes: readonly string[] }

export const run: CommandFunction = async (terminal, given) => {
  const { approvals } = terminal.words
  const source = given.on('local')
    ? null
    : await ifServed(terminal, async ({ client, found }): Promise<Found> => ({
        policy: await client.policy.show(),
        note: approvals.fromServer(found.url),
        mistakes: (await client.info()).problems.filter((problem) => policyProblem.test(problem)),
      }))
  const { policy, note, mistakes } = source ?? (await locally())
  terminal.result(policy, () => policyLines(policy, terminal))
  if (mistakes.length > 0) terminal.warn(approvals.olderPolicy, ...mistakes.map((mistake) => `  ${oneLine(mistake)}`))
  if (!terminal.json) terminal.say(terminal.errPaint.dim(note))

  async function locally(): Promise<Found> {
    const local = await localPolicy(terminal)
    const origin = local.exists ? approvals.fromFile(shortPath(local.file, terminal.cwd)) : approvals.noFile
    return { policy: policyView(local.policy), note: origin, mistakes: [] }
  }
}

/** A problem that a server reports about the sections of the policy. */
const policyProblem = /: (?:policy|people)(?:\.|:)/

function policyLines({ preset, people, approvers, rules }: PolicyView, terminal: Terminal): string[] {
  const { words, paint } = terminal
  const { approvals } = words
  const heading = (text: string): string => paint.bold(`${text}${words.colon}`.trimEnd())
  return [
    `${heading(approvals.preset)} ${preset} ${paint.dim(`(${approvals.presets[preset]})`)}`,
    ...(people.length === 0 ? [] : [heading(approvals.people)]),
    ...people.map(({ key, name, role, identities }) => {
      const linked = identities.map(({ platform, id }) => `${oneLine(platform)} ${oneLine(id)}`).join(approvals.list)
      const called = name === key ? oneLine(key) : `${oneLine(key)} (${oneLine(name)})`
      return `  ${called}  ${approvals.shared.roles[role]}${linked === '' ? '' : paint.dim(`  ${linked}`)}`
    }),
    ...(approvers.length === 0 ? [] : [`${heading(approvals.approvers)} ${approvers.map(oneLine).join(approvals.list)}`]),
    heading(approvals.rules),
    ...(rules.length === 0 ? [`  ${approvals.noRules}`] : rules.flatMap((rule) => ruleLines(rule, terminal))),
  ]
}

function ruleLines(rule: RuleView, { words, paint, language }: Terminal): string[] {
  const { approvals } = words
  const day = (at: number): string => new Date(at).toLocaleDateString(languages[language].locale)
  const role = approvals.shared.roles[rule.role]
  const facts = [
    rule.effect === 'allow'
      ? rule.role === 'owner'
        ? approvals.ruleForOwner
        : approvals.ruleFor.allow(role)
      : rule.role === 'owner'
        ? ''
        : approvals.ruleFor.other(role),
    rule.agent === null ? '' : approvals.ruleAgent(oneLine(rule.agent)),
    rule.where ? oneLine(whereText(rule.where)) : '',
    rule.keys > 1 ? approvals.ruleKeys(rule.keys) : '',
    rule.approvers.length > 0 ? `${approvals.approvers}${words.colon}${rule.approvers.map(oneLine).join(approvals.list)}` : '',
    rule.escalate ? approvals.ruleEscalates(durationText(rule.escalate.afterMs, words), rule.escalate.to.join(approvals.list)) : '',
    rule.until === null
      ? ''
      : rule.until > Date.now()
        ? approvals.ruleUntil(day(rule.until))
        : paint.red(approvals.ruleExpired(day(rule.until))),
    rule.irreversible ? approvals.irreversible : '',
    rule.line === null ? '' : approvals.line(rule.line),
  ].filter((fact) => fact !== '')
  const effect = { allow: paint.green, ask: paint.yellow, deny: paint.red }[rule.effect](`${rule.effect}:`)
  return [
    `  ${effect} ${oneLine(rule.scope)}${facts.length === 0 ? '' : paint.dim(`  ${facts.join(' · ')}`)}`,
    ...(rule.note === null ? [] : [`    ${paint.dim(oneLine(rule.note))}`]),
  ]
}
