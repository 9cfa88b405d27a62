import { type ReactNode, useContext, useEffect, useId, useRef, useState } from 'react'
import type { ApprovalView, ErrorWords } from '../../../src/shapes/wire.ts'
import { LanguageContext } from '../words/use-words.ts'
import styles from './approval.module.css'
import { dayAfter, endOfDay, longestDays, otherScopes, scopeChoices, scopeToSend } from './scope-choice.ts'
import type { ApprovalAnswer } from './use-decision.ts'
import { withVisibleCharacters } from './visible-characters.ts'
import { type ApprovalWords, useApprovalWords } from './approval-words.ts'

type EditorProps = {
  agent: string
  approval: ApprovalView
  isSending: boolean
  onBack(): void
  onAllow(answer: ApprovalAnswer): Promise<ErrorWords | null>
}

/** Which calls are allowed from now on, and how long. Enter does nothing here: only the button allows. */
export function ScopeEditor({ agent, approval, isSending, onBack, onAllow }: EditorProps): ReactNode {
  const own = useApprovalWords()
  const language = useContext(LanguageContext)
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const decision = useRef<HTMLDivElement>(null)
  const choices = scopeChoices(approval)
  const [chosen, setChosen] = useState(0)
  const [text, setText] = useState(choices[0]?.text ?? '')
  const [where, setWhere] = useState<Readonly<Record<string, string>>>(choices[0]?.where ?? {})
  const [now] = useState(() => Date.now())
  const [day, setDay] = useState(() => dayAfter(now, longestDays))
  const [scopeFault, setScopeFault] = useState<string | null>(null)
  const [isDayWrong, setDayWrong] = useState(false)
  /** The server said that the scope covers everything of its kind; the person has to say so a second time. */
  const [isWide, setWide] = useState(false)
  useEffect(() => first.current?.focus(), [])
  // The warning pushes its own button out of the card.
  useEffect(() => void (isWide && decision.current?.scrollIntoView({ block: 'end' })), [isWide])

  const part = choices[chosen]?.part ?? 0
  const others = otherScopes(part, approval).map(withVisibleCharacters)
  const fields = Object.keys(choices[chosen]?.where ?? {})
  const edit = (next: string): void => {
    setText(next)
    setScopeFault(null)
    setWide(false)
  }

  const allow = async (isConfirmed: boolean): Promise<void> => {
    if (isSending) return
    const until = endOfDay(day, Date.now())
    setDayWrong(until === null)
    if (text.trim() === '') {
      setScopeFault(own.always.scopeMissing)
      field.current?.focus()
      return
    }
    if (until === null) return
    const error = await onAllow({
      decision: 'always',
      ...scopeToSend({ text, where }, approval),
      until,
      ...(isConfirmed ? { isConfirmed } : {}),
    })
    if (error?.code === 'scope_too_wide') setWide(true)
    else if (error?.code === 'bad_request' && error.message.startsWith('scope:')) {
      setScopeFault(scopeFaultText(error.message, own))
      field.current?.focus()
    }
  }

  return (
    <form className={styles['form']} onSubmit={(event) => event.preventDefault()} data-part="scope-editor">
      <fieldset className={styles['part']}>
        <legend>{own.always.legend}</legend>
        {choices.map((choice, index) => (
          <label key={`${choice.part} ${choice.text}`} className={styles['pick']}>
            <input
              ref={index === 0 ? first : undefined}
              type="radio"
              name={id}
              checked={chosen === index}
              onChange={() => {
                setChosen(index)
                setWhere(choice.where ?? {})
                edit(choice.text)
              }}
            />
            <span>
              <code dir="ltr">{withVisibleCharacters(choice.text)}</code>
              {choice.script !== undefined && <small>{own.always.bound}</small>}
              {choice.anyContent && <small>{own.always.anyContent}</small>}
            </span>
          </label>
        ))}
      </fieldset>
      <div className={styles['part']}>
        <label htmlFor={`${id}scope`}>{own.always.scope}</label>
        <textarea
          ref={field}
          id={`${id}scope`}
          className={`field ${styles['code']}`}
          rows={1}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          maxLength={4_000}
          value={text}
          aria-invalid={scopeFault !== null || undefined}
          aria-describedby={scopeFault === null ? `${id}help` : `${id}fault`}
          onChange={(event) => edit(event.target.value.replaceAll('\n', ' '))}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        {scopeFault === null ? (
          <p id={`${id}help`} className={styles['soft']}>
            {own.always.scopeHelp}
          </p>
        ) : (
          <p id={`${id}fault`} className={styles['problem']} role="alert" dir="auto">
            {scopeFault}
          </p>
        )}
      </div>
      {fields.length > 0 && (
        <div className={styles['part']} role="group" aria-describedby={`${id}where`}>
          {fields.map((name) => (
            <label key={name} className={styles['where']}>
              <span>{own.always.where(withVisibleCharacters(name))}</span>
              <input
                className={`field ${styles['code']}`}
                dir="ltr"
                spellCheck={false}
                autoComplete="off"
                maxLength={200}
                value={where[name] ?? ''}
                onChange={(event) => {
                  setWhere({ ...where, [name]: event.target.value })
                  setWide(false)
                }}
              />
            </label>
          ))}
          <p id={`${id}where`} className={styles['soft']}>
            {own.always.whereHelp}
          </p>
        </div>
      )}
      {others.length > 0 && (
        <p className={styles['soft']}>{own.always.also(new Intl.ListFormat(language, { type: 'conjunction' }).format(others))}</p>
      )}
      <div className={styles['part']} role="group" aria-labelledby={`${id}until`}>
        <label id={`${id}until`} htmlFor={`${id}day`}>
          {own.always.until}
        </label>
        <div className={styles['days']}>
          {[0, 30, longestDays].map((days) => (
            <button
              key={days}
              type="button"
              className="button"
              aria-pressed={day === dayAfter(now, days)}
              onClick={() => setDay(dayAfter(now, days))}
            >
              {days === 0 ? own.always.today : own.always.inDays(days)}
            </button>
          ))}
          <input
            id={`${id}day`}
            type="date"
            className="field"
            min={dayAfter(now, 0)}
            max={dayAfter(now, longestDays)}
            value={day}
            aria-invalid={isDayWrong || undefined}
            aria-describedby={isDayWrong ? `${id}dayfault` : undefined}
            onChange={(event) => {
              setDay(event.target.value)
              setDayWrong(false)
            }}
          />
        </div>
        {isDayWrong && (
          <p id={`${id}dayfault`} className={styles['problem']} role="alert">
            {own.always.untilFault}
          </p>
        )}
      </div>
      <div className={styles['decide']} ref={decision}>
        {isWide && (
          <div className={styles['wide']} role="alert">
            <p>
              <strong>{own.always.wide(withVisibleCharacters(text.trim()), agent)}</strong>
            </p>
            <p>{own.always.wideNext}</p>
          </div>
        )}
        <div className={styles['acts']}>
          {isWide ? (
            <button type="button" className="button" data-kind="bad" aria-disabled={isSending} onClick={() => void allow(true)}>
              {own.always.wideAllow}
            </button>
          ) : (
            <button type="button" className="button" data-kind="main" aria-disabled={isSending} onClick={() => void allow(false)}>
              {isSending ? own.sending : own.always.allow}
            </button>
          )}
          <button type="button" className="button" data-kind="quiet" onClick={onBack}>
            {own.back}
          </button>
        </div>
      </div>
    </form>
  )
}

/** The server says in English what is wrong with a scope; the two usual faults are known in the reader's language. */
function scopeFaultText(message: string, own: ApprovalWords): string {
  const { faults } = own.always
  if (message.includes('does not cover')) return faults.cover
  if (message.includes('kind(pattern)')) return faults.form
  const why = message.replace(/^scope: /, '')
  return why.charAt(0).toUpperCase() + why.slice(1)
}
