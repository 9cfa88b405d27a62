import { useContext, useState } from 'react'
import type { AnswerInput } from '../../../src/client/index.ts'
import type { ErrorWords, Language, QuestionView } from '../../../src/shapes/wire.ts'
import { approvalEnd } from '../chat/outcome-words.ts'
import { client } from '../link/page-client.ts'
import { inbox } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import { announce } from '../parts/announcer.tsx'
import type { PageWords } from '../../../src/words/en/page.ts'
import { inWords, LanguageContext, useWords } from '../words/use-words.ts'
import { joinNames, type ApprovalDecision, type ApprovalQuestion, decisionLabel, scopeWithFields } from './approval-texts.ts'
import { withVisibleCharacters } from './visible-characters.ts'
import { type ApprovalWords, useApprovalWords } from './approval-words.ts'

export type ApprovalAnswer = AnswerInput & { decision: ApprovalDecision }

export type DecisionState = {
  isSending: boolean
  /** Label of the decision the server took. */
  sent: string | null
  /** Why the last decision does not count, in one or two sentences. */
  problem: string | null
}

/** True while and after this page sends a decision; false when it was refused, so that the winner can be shown. */
export type OnSending = (question: string, isMine: boolean) => void

/**
 * Sends decisions about one or several approvals. A decision is never sent later by itself: a person who saw it fail may have
 * changed their mind.
 */
export function useDecision(onSending: OnSending): DecisionState & {
  decide(questions: readonly ApprovalQuestion[], answer: ApprovalAnswer): Promise<ErrorWords | null>
} {
  const words = useWords()
  const own = useApprovalWords()
  const language = useContext(LanguageContext)
  const [state, setState] = useState<DecisionState>({ isSending: false, sent: null, problem: null })
  return {
    ...state,
    async decide(questions, answer) {
      if (state.isSending || state.sent !== null) return null
      setState({ isSending: true, sent: null, problem: null })
      let failure: ErrorWords | null = null
      let problem = ''
      const answered: QuestionView[] = []
      for (const question of questions) {
        onSending(question.id, true)
        try {
          answered.push(await client.questions.answer(question.id, answer))
        } catch (error) {
          failure = asWords(error)
          onSending(question.id, false)
          problem = await problemText(failure, question, { words, own, language })
        }
      }
      const sentLabel = failure === null ? decisionLabel(answer.decision, words) : null
      setState({ isSending: false, sent: sentLabel, problem: problem === '' ? null : problem })
      const granted = answered.flatMap((view) => grantTexts(view, own, language)).join(' ')
      if (granted !== '') announce(granted, { isShown: true })
      else if (sentLabel !== null) announce(own.sent(sentLabel))
      inbox.refresh()
      return failure
    },
  }
}

/** The grants that were made, with the end that counts, and the calls elsewhere that they allowed. */
function grantTexts({ approval }: QuestionView, own: ApprovalWords, language: Language): string[] {
  const day = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'zh-CN', { dateStyle: 'medium' })
  const also = approval?.alsoAllowed ?? 0
  return [
    ...(approval?.grants ?? []).flatMap(({ scope, where, dialog, until, isShortened }) => [
      own.granted(withVisibleCharacters(scopeWithFields({ text: scope, ...(where ? { where } : {}) })), dialog === null, day.format(until)),
      ...(isShortened ? [own.shortened(dialog === null)] : []),
    ]),
    ...(also > 0 ? [own.alsoAllowed(also)] : []),
  ]
}

/** Faults of a scope belong beside its field. */
export const isScopeFault = ({ code, message }: ErrorWords): boolean =>
  code === 'scope_too_wide' || (code === 'bad_request' && message.startsWith('scope:'))

async function problemText(
  error: ErrorWords,
  { id, approval }: ApprovalQuestion,
  { words, own, language }: { words: PageWords; own: ApprovalWords; language: Language },
): Promise<string> {
  if (isScopeFault(error)) return ''
  if (error.code === 'already_allowed') return own.keyGiven
  if (error.code === 'not_addressed' || error.code === 'role_too_low') return own.refused(joinNames(approval?.names ?? [], own, language))
  if (error.code === 'already_answered' || error.code === 'question_closed') {
    const late = await lateText(id, words)
    if (late !== null) return late
  }
  const { message, hint } = inWords(error, words)
  return `${own.notSent} ${message} ${hint}`.trim()
}

async function lateText(question: string, words: PageWords): Promise<string | null> {
  try {
    return approvalEnd(await client.questions.get(question), words)
  } catch {
    return null
  }
}
