import { type ReactNode, useState } from 'react'
import { actionOf, type MessagePresentationButton } from '../../../src/chats/message/presentation.ts'
import { Icon } from '../look/icon.tsx'
import { safeLink } from '../markdown/safe-link.ts'
import { useWords } from '../words/use-words.ts'
import styles from './presentation.module.css'
import type { Taps } from './presentation-card.tsx'

const kinds = { primary: 'main', success: 'main', danger: 'bad', secondary: undefined } as const

/** A button as its action wants it: a link, a copy, or a tap that may ask first. */
export function ControlButton({ button, taps }: { button: MessagePresentationButton; taps: Taps }): ReactNode {
  const words = useWords()
  const [isAsking, setAsking] = useState(false)
  const [isCopied, setCopied] = useState(false)
  const action = actionOf(button)
  const kind = button.style && kinds[button.style]
  const label = <bdi>{button.label}</bdi>
  if (action.type === 'url') {
    const href = button.disabled ? null : safeLink(action.url)
    return href === null ? (
      <span className="button" aria-disabled="true">
        {label}
      </span>
    ) : (
      <a className="button" data-kind={kind} href={href} target="_blank" rel="noreferrer noopener">
        {label}
      </a>
    )
  }
  if (action.type === 'copy-text') {
    const copy = (): void => void navigator.clipboard?.writeText(action.text).then(() => setCopied(true))
    return (
      <button
        type="button"
        className="button"
        data-kind={kind}
        aria-disabled={button.disabled}
        onClick={button.disabled ? undefined : copy}
      >
        {isCopied ? words.signIn.copied : label}
      </button>
    )
  }
  const value = action.type === 'callback' ? action.value : action.type === 'command' ? action.command : null
  const isOff = button.disabled === true || value === null || (taps.isOver && button.reusable !== true) || taps.sending !== null
  const isChosen = value !== null && taps.chosen === value
  if (isAsking && !isOff)
    return (
      <span className={styles['ask']} role="group" aria-label={button.confirm}>
        <span dir="auto">{button.confirm}</span>
        <button
          type="button"
          className="button"
          data-kind={kind ?? 'main'}
          onClick={() => {
            setAsking(false)
            taps.tap(value)
          }}
        >
          {words.chat.confirmTap}
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={() => setAsking(false)}>
          {words.tree.cancel}
        </button>
      </span>
    )
  return (
    <button
      type="button"
      className="button"
      data-kind={kind}
      data-chosen={isChosen || undefined}
      aria-disabled={isOff}
      aria-pressed={isChosen || undefined}
      onClick={() => {
        if (isOff) return
        if (button.confirm === undefined) taps.tap(value)
        else setAsking(true)
      }}
    >
      {isChosen && <Icon name="check" />}
      {label}
    </button>
  )
}
