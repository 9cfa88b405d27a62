import { languages, type Language } from '../shapes/language.ts'
import { type BecauseWords, fill } from './authority-words.ts'
import type { Because } from './decision.ts'
import { surfaceName } from './surface-name.ts'
import type { Unsure } from './subjects/unsure.ts'

/** The reason of a decision in the words of one dictionary. The page uses it with the one it has loaded. */
export function becauseSentence(because: Because, words: BecauseWords, language: Language, timeZone = 'UTC'): string {
  const texts = words.because
  switch (because.why) {
    case 'no-gate':
      return texts.noGate
    case 'invalid-input':
      return texts.invalidInput
    case 'default':
      return texts.default
    case 'no-subject':
      return texts.noSubject
    case 'protected':
      return fill(texts[because.protection], { subject: because.subject })
    case 'rule': {
      const text = { allow: texts.ruleAllow, 'ask:': texts.ruleAsk, deny: texts.ruleDeny }[because.rule.slice(0, 4)] ?? texts.ruleAllow
      return [fill(text, { rule: because.rule, subject: because.subject }), because.note ?? ''].join(' ').trim()
    }
    case 'never':
      return fill(texts.never, { subject: because.subject })
    case 'unsure':
      return fill(texts.unsure, { reasons: because.unsure.map((one) => unsureSentence(one, words)).join(texts.and) })
    case 'grant': {
      const day = new Intl.DateTimeFormat(languages[language].locale, { day: 'numeric', month: 'short', timeZone })
      const { by, at, via, lasts, scope, until } = because
      const values = { name: by, date: day.format(at), surface: surfaceName(via, words.surfaces), scope, until: day.format(until) }
      return fill(lasts === 'chat' ? texts.grantChat : texts.grantAlways, values)
    }
    case 'locked':
      return fill(texts.locked, { subject: because.subject })
    case 'ask-by-default':
      return fill(texts.askByDefault, { subjects: because.subjects.join(', ') })
    case 'too-many-approvals':
      return fill(texts.tooMany, { limit: because.limit })
  }
}

export const unsureSentence = ({ why, detail }: Unsure, { unsure }: BecauseWords): string => fill(unsure[why], { detail })
