import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { QuestionItemView } from '../../../src/client/index.ts'
import { useAttachments } from '../attach/use-attachments.ts'
import { isComposing } from '../keep/composing.ts'
import { drafts } from '../keep/drafts.ts'
import { pageOutbox } from '../keep/page-outbox.ts'
import { useSettings } from '../keep/settings.ts'
import { Icon } from '../look/icon.tsx'
import { useWords } from '../words/use-words.ts'
import styles from './composer.module.css'
import type { Turn } from './use-turn.ts'

const AnswerOffer = lazy(async () => ({ default: (await import('../offers/index.tsx')).AnswerOffer }))

const AttachmentList = lazy(async () => ({ default: (await import('../attach/index.tsx')).AttachmentList }))

/** Longest message; the server has the same limit. */
const mostChars = 100_000

type ComposerProps = {
  /** null opens a new dialog. */
  dialog: string | null
  waiting: number
  /** Open ones, which the words could answer. */
  questions?: readonly QuestionItemView[]
  agent?: string | null
  /** Of a new dialog. */
  taskdoc?: string | null
  model?: string | null
  /** Initial text of the field. */
  first?: string
  hasFocus?: boolean
  /** The turn that Stop ends. */
  turn?: Turn | null
  placeholder?: string
  /** Beside the buttons of a tall field, as a new chat has it. */
  tools?: ReactNode
}

/** Always takes words, whatever the connection does: they go to the outbox, which sees to the rest. */
export function Composer(props: ComposerProps): ReactNode {
  const {
    dialog,
    waiting,
    questions = [],
    agent = null,
    taskdoc = null,
    model = null,
    first = '',
    hasFocus = false,
    turn = null,
    placeholder,
    tools,
  } = props
  const words = useWords()
  const { sendWith, language } = useSettings()
  const place = dialog ?? 'new'
  const [text, setText] = useState(() => drafts.get(place) || first)
  const field = useRef<HTMLTextAreaElement>(null)
  const isTooLong = text.length > mostChars
  const attachments = useAttachments()
  const picker = useRef<HTMLInputElement>(null)

  useEffect(() => {
    const reread = (): void => setText(drafts.get(place))
    addEventListener('parley-draft', reread)
    return () => removeEventListener('parley-draft', reread)
  }, [place])

  useEffect(() => {
    // A touch screen would raise its keyboard over what is to be read.
    const box = field.current
    if (!box || !hasFocus || !matchMedia('(pointer: fine)').matches) return
    box.focus()
    box.setSelectionRange(box.value.length, box.value.length)
  }, [hasFocus])

  useEffect(() => {
    const box = field.current
    if (!box || CSS.supports('field-sizing', 'content')) return
    box.style.blockSize = 'auto'
    box.style.blockSize = `${box.scrollHeight + 2}px`
  }, [text])

  const change = (next: string): void => {
    setText(next)
    drafts.set(place, next)
  }
  const send = (): void => {
    field.current?.focus()
    const hasFiles = attachments.list.some(({ stored }) => stored)
    if ((text.trim() === '' && !hasFiles) || isTooLong || attachments.isBusy) return
    pageOutbox.post({ dialog, text, language, agent, taskdoc, model, files: attachments.take() })
    change('')
  }
  useStopKey(turn)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || isComposing(event)) return
    const isWanted = sendWith === 'enter' ? !event.shiftKey && !event.altKey : event.ctrlKey || event.metaKey
    if (!isWanted) return
    event.preventDefault()
    send()
  }

  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {attachments.list.length > 0 && (
        <Suspense>
          <AttachmentList attachments={attachments} />
        </Suspense>
      )}
      <div className={styles['box']} data-tall={tools !== undefined || undefined}>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={(event) => {
            attachments.add(event.target.files ?? [])
            event.target.value = ''
            field.current?.focus()
          }}
        />
        <button
          type="button"
          className="button"
          data-kind="quiet"
          data-shape="round"
          aria-label={words.files.attach}
          title={words.files.attach}
          onClick={() => picker.current?.click()}
        >
          <Icon name="plus" />
        </button>
        <textarea
          ref={field}
          id="composer"
          rows={tools === undefined ? 1 : 2}
          dir="auto"
          value={text}
          placeholder={placeholder ?? words.composer.placeholder}
          aria-label={words.composer.label}
          aria-describedby="composer-hint"
          aria-invalid={isTooLong || undefined}
          enterKeyHint={sendWith === 'enter' ? 'send' : 'enter'}
          onChange={(event) => change(event.target.value)}
          onKeyDown={onKeyDown}
          onDrop={(event) => {
            if (event.dataTransfer.files.length === 0) return
            event.preventDefault()
            attachments.add(event.dataTransfer.files)
          }}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return
            event.preventDefault()
            attachments.add(event.clipboardData.files)
          }}
        />
        {tools}
        {tools !== undefined && <span className={styles['gap']} />}
        {turn?.kind === 'works' && (
          <button
            type="button"
            className="button"
            data-shape="round"
            aria-label={turn.isStopping ? words.turn.stopping : words.turn.stop}
            title={`${turn.isStopping ? words.turn.stopping : words.turn.stop} (Esc)`}
            aria-disabled={turn.isStopping}
            onClick={() => void (turn.isStopping ? null : turn.ask('stop'))}
          >
            <Icon name="stop" />
          </button>
        )}
        {(turn?.kind !== 'works' || text.trim() !== '' || attachments.list.length > 0) && (
          <button
            type="submit"
            className="button"
            data-kind="main"
            data-shape="round"
            aria-label={words.composer.send}
            title={`${words.composer.send} (${sendWith === 'enter' ? 'Enter' : 'Ctrl Enter'})`}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
      {questions.length > 0 && text.trim() !== '' && (
        <Suspense>
          <AnswerOffer questions={questions} text={text} onAnswered={() => change('')} />
        </Suspense>
      )}
      <p
        id="composer-hint"
        className={isTooLong || waiting > 0 ? styles['hint'] : 'hidden-visually'}
        data-bad={isTooLong || undefined}
        role={isTooLong ? 'alert' : undefined}
      >
        {isTooLong
          ? words.composer.tooLong(text.length, mostChars)
          : waiting > 0
            ? words.composer.waiting(waiting)
            : sendWith === 'enter'
              ? words.composer.hintEnter
              : words.composer.hintCtrl}
      </p>
    </form>
  )
}

/** Escape stops the turn, unless something else on the page closes with it. */
function useStopKey(turn: Turn | null): void {
  const onKey = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || turn?.kind !== 'works' || turn.isStopping) return
    if (document.querySelector('dialog[open]')) return
    event.preventDefault()
    void turn.ask('stop')
  })
  useEffect(() => {
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}
