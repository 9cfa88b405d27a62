import { lazy, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { handleName } from '../chat/author.ts'
import { isComposing } from '../keep/composing.ts'
import { useSettings } from '../keep/settings.ts'
import { useWords } from '../words/use-words.ts'
import { type ApprovalAction, shortcuts } from './approval-keys.ts'
import type { ApprovalDecision, ApprovalQuestion } from './approval-texts.ts'
import styles from './approval.module.css'
import type { Actions } from './use-actions.ts'
import { useApprovalWords } from './approval-words.ts'

const ScopeEditor = lazy(async () => ({ default: (await import('./scope-editor.tsx')).ScopeEditor }))

/** The decisions that are offered, or the form one of them needs. None has the focus by itself. */
export function ActionButtons({
  question,
  actions,
  titleId,
}: {
  question: ApprovalQuestion
  actions: Actions
  titleId: string
}): ReactNode {
  const words = useWords()
  const own = useApprovalWords()
  const { offered, form, open, decide, isSending, sent, problem } = actions
  const choices = useRef<HTMLDivElement>(null)
  // Kept when the form is closed: Escape discards no text.
  const [note, setNote] = useState('')
  const isIrreversible = question.approval?.irreversible === true
  if (sent !== null) return <p className={styles['sent']}>{own.sent(sent)}</p>

  const close = (): void => {
    open(null)
    requestAnimationFrame(() => choices.current?.closest<HTMLElement>('[data-approval]')?.focus({ preventScroll: true }))
  }
  const button = (action: ApprovalAction, kind: string | undefined, onClick: () => void): ReactNode => (
    <button
      key={action}
      type="button"
      className="button"
      data-kind={kind}
      data-action={action}
      aria-disabled={isSending}
      aria-keyshortcuts={isIrreversible && action !== 'deny' && action !== 'denyWithNote' ? undefined : shortcuts[action]}
      aria-describedby={titleId}
      onClick={onClick}
    >
      {words.approval.actions[action]}
    </button>
  )
  const simple = (decision: ApprovalDecision, kind?: string): ReactNode =>
    offered.includes(decision) && button(decision, kind, () => void decide({ decision }))
  const withNote = offered.includes('deny') && button('denyWithNote', 'quiet', () => open('note'))
  const fault = problem !== null && (
    <p className={styles['problem']} role="alert" dir="auto">
      {problem}
    </p>
  )
  if (form === 'note')
    return (
      <>
        <NoteForm
          note={note}
          onNote={setNote}
          agent={handleName(question.agent)}
          isSending={isSending}
          onBack={close}
          onDeny={(text) => void decide({ decision: 'deny', note: text })}
        />
        {fault}
      </>
    )
  if (form === 'always' && question.approval)
    return (
      <Suspense fallback={<p role="status">{words.approval.loading}</p>}>
        <ScopeEditor
          agent={handleName(question.agent)}
          approval={question.approval}
          isSending={isSending}
          onBack={close}
          onAllow={decide}
        />
        {fault}
      </Suspense>
    )
  return (
    <>
      {fault}
      <div className={styles['acts']} ref={choices} role="group" aria-labelledby={titleId}>
        {isIrreversible ? (
          <>
            {simple('deny')}
            {withNote}
            {simple('once', 'bad')}
            {simple('chat', 'bad')}
          </>
        ) : (
          <>
            {simple('once', 'main')}
            {simple('chat')}
            {offered.includes('always') && button('always', undefined, () => open('always'))}
            {simple('deny')}
            {withNote}
          </>
        )}
      </div>
    </>
  )
}

const noteLimit = 2_000

/** A note reaches the agent with the denial. */
function NoteForm({
  note,
  onNote,
  agent,
  isSending,
  onBack,
  onDeny,
}: {
  note: string
  onNote(note: string): void
  agent: string
  isSending: boolean
  onBack(): void
  onDeny(note: string): void
}): ReactNode {
  const words = useWords()
  const own = useApprovalWords()
  const { sendWith } = useSettings()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(note.trim() === '')
        if (note.trim() === '') field.current?.focus()
        else if (!isSending) onDeny(note.trim())
      }}
    >
      <div className={styles['part']}>
        <label htmlFor={id}>{own.note(agent)}</label>
        <textarea
          ref={field}
          id={id}
          className="field"
          rows={2}
          dir="auto"
          maxLength={noteLimit}
          value={note}
          aria-invalid={isMissing || undefined}
          aria-describedby={isMissing ? `${id}fault` : undefined}
          onChange={(event) => onNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event)) return
            if (sendWith === 'enter' ? event.shiftKey : !(event.ctrlKey || event.metaKey)) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        {isMissing && (
          <p id={`${id}fault`} className={styles['problem']}>
            {own.noteMissing}
          </p>
        )}
      </div>
      <div className={styles['acts']}>
        <button type="submit" className="button" data-kind="main" aria-disabled={isSending}>
          {isSending ? own.sending : words.approval.actions.denyWithNote}
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={onBack}>
          {own.back}
        </button>
      </div>
    </form>
  )
}
