import type { DocumentTexts } from './document-texts.ts'
import type { Moment } from './render-document.ts'
import { bullets, type Section, section } from './sections.ts'
import { type ContextSnapshot, readValue } from './snapshot.ts'

/** One rule is one line; which rules are said when is in the table of `document-texts.ts`. */
export function policySections(snapshot: ContextSnapshot, texts: DocumentTexts, moment: Moment): Section {
  const { facts, world, brief, side, policy } = snapshot
  const { reporting, isLaterIntent } = policy
  const budget = readValue(policy.budget)
  const wrapUp = readValue(policy.wrapUp)
  const isReported = reporting !== 'none'
  return section('Policy', null, [
    section(
      'Handling Rules',
      bullets([
        texts.P1,
        ...(isLaterIntent ? [texts.P15] : []),
        texts.P4,
        texts.P5,
        ...(side === 'recipient' && moment === 'opener' ? [texts.P7] : []),
      ]),
    ),
    section('Style', bullets([texts.P2, ...(facts.mode === 'world' ? [texts.P3] : [])])),
    section(
      'Ending Rules',
      bullets([
        readValue(brief) === null ? texts.P9.open : texts.P9.brief,
        isReported ? texts.P10.report : texts.P10.plain,
        texts.P11,
        ...(wrapUp === null ? [] : [texts.wrapUp[wrapUp]]),
        ...(budget === null ? [] : [texts.P14(budget.turns, budget.minutes)]),
      ]),
    ),
    section('Reporting', bullets([texts.P12.modes[reporting], ...(isReported ? [texts.P12.covers, texts.P12.form] : [])])),
    section(
      'Conversation DSL',
      bullets([
        texts.P13.like,
        ...(readValue(world)?.dsl ?? []).map(({ name, meaning }) => texts.P13.world(`[[${name}]]`, oneLine(meaning))),
      ]),
    ),
  ])
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('`', "'").trim()
