import type { Language } from '../../shapes/language.ts'
import { dialogTexts } from '../../words/index.ts'
import { limitAnswer, type LimitFacts } from './limit-facts.ts'
import type { Question } from './question.ts'

/** `percent` is set while work continues, in a notice. */
export function limitQuestion(language: Language, agent: string, facts: LimitFacts, percent?: number): Question {
  const { choose, limits } = dialogTexts[language]
  const { item, half, double, goOn, leave } = limitAnswer
  const options =
    facts.kind === 'budget'
      ? [
          { value: half, label: limits.raiseByHalf },
          { value: double, label: limits.double },
          { value: leave, label: percent === undefined ? limits.stopHere : limits.leave },
        ]
      : [
          { value: goOn, label: limits.goOn },
          { value: leave, label: limits.stopHere },
        ]
  return { text: questionText(language, agent, facts, percent), items: [{ id: item, text: choose, kind: 'choice', options }] }
}

function questionText(language: Language, agent: string, facts: LimitFacts, percent: number | undefined): string {
  const { limits } = dialogTexts[language]
  switch (facts.kind) {
    case 'budget':
      return percent === undefined ? limits.budgetSpent(facts) : limits.budgetNotice(facts, percent)
    case 'generations':
      return limits.generations(agent, facts.limit)
    case 'requests':
      return limits.requests(agent, facts.limit)
  }
}
