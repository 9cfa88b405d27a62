import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { useSettings } from '../keep/settings.ts'
import { useReader } from '../link/reader.ts'
import { isTextField } from '../parts/is-text-field.ts'
import { type ApprovalAction, actionOfKey } from './approval-keys.ts'
import { type ApprovalDecision, type ApprovalQuestion, offeredDecisions } from './approval-texts.ts'
import { type ApprovalAnswer, type DecisionState, type OnSending, useDecision } from './use-decision.ts'

export type Actions = DecisionState & {
  offered: readonly ApprovalDecision[]
  /** The form that is open instead of the buttons. */
  form: 'always' | 'note' | null
  open(form: 'always' | 'note' | null): void
  decide(answer: ApprovalAnswer): Promise<ErrorWords | null>
}

/**
 * The decisions about one approval, by button, and by key while the focus is in its section. `isKnown`: the server has said what
 * this reader may decide.
 */
export function useActions(
  section: RefObject<HTMLElement | null>,
  question: ApprovalQuestion,
  isKnown: boolean,
  onSending: OnSending,
  edits: Readonly<Record<string, string>>,
): Actions {
  const { singleKeys } = useSettings()
  const reader = useReader()
  const { decide, ...state } = useDecision(onSending)
  const [form, setForm] = useState<'always' | 'note' | null>(null)
  const isEdited = Object.keys(edits).length > 0
  // A grant would cover words that have not been read.
  const offered = (isKnown ? offeredDecisions(question, reader) : []).filter(
    (decision) => !isEdited || decision === 'once' || decision === 'deny',
  )
  const send = (answer: ApprovalAnswer): Promise<ErrorWords | null> =>
    decide([question], isEdited && answer.decision === 'once' ? { ...answer, edits } : answer)
  const isBusy = state.isSending || state.sent !== null

  const act = (action: ApprovalAction): void => {
    if (action === 'always') setForm('always')
    else if (action === 'denyWithNote') setForm('note')
    else void send({ decision: action })
  }
  const onKey = useEffectEvent((event: KeyboardEvent): void => {
    if (event.key === 'Escape' && form !== null && !event.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      setForm(null)
      section.current?.focus({ preventScroll: true })
      return
    }
    if (!singleKeys || event.defaultPrevented || event.isComposing || isTextField(event.target)) return
    const action = actionOfKey(event)
    if (action === null) return
    // These letters mean something else outside of the card.
    event.preventDefault()
    event.stopPropagation()
    const isOffered = offered.includes(action === 'denyWithNote' ? 'deny' : action)
    // An irreversible call needs a button, never a single key.
    const isTooEasy = question.approval?.irreversible === true && action !== 'deny' && action !== 'denyWithNote'
    if (!event.repeat && !isBusy && form === null && isOffered && !isTooEasy) act(action)
  })
  useEffect(() => {
    const element = section.current
    const listen = (event: KeyboardEvent): void => onKey(event)
    element?.addEventListener('keydown', listen)
    return () => element?.removeEventListener('keydown', listen)
  }, [section])
  return { ...state, offered, form, open: setForm, decide: send }
}
