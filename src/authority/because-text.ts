import { fill, type Language, words } from './authority-words.ts'
import type { Because } from './decision.ts'
import type { Unsure } from './subjects/unsure.ts'
import { withVisibleCharacters } from './visible-text.ts'

/** The reason of a decision as one sentence. Invisible characters of commands and paths are written out. */
export function becauseText(because: Because, language: Language, timeZone = 'UTC'): string {
  return withVisibleCharacters(sentence(because, language, timeZone))
}

function sentence(because: Because, language: Language, timeZone: string): string {
  const texts = words[language].because
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
      return fill(texts.unsure, { reasons: because.unsure.map((one) => unsureText(one, language)).join(language === 'en' ? '; ' : '；') })
    case 'grant': {
      const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', { day: 'numeric', month: 'short', timeZone })
      const { by, at, via, lasts, scope, until } = because
      const values = { name: by, date: day.format(at), surface: via, scope, until: day.format(until) }
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

export const unsureText = ({ why, detail }: Unsure, language: Language): string => fill(words[language].unsure[why], { detail })
