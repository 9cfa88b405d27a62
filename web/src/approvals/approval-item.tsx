import { type ReactNode, useContext, useId, useRef, useState } from 'react'
import { useReader } from '../link/reader.ts'
import { Icon } from '../look/icon.tsx'
import { Command } from '../parts/command.tsx'
import { LanguageContext, useWords } from '../words/use-words.ts'
import { ActionButtons } from './action-buttons.tsx'
import { approvalTitle, isShown } from './approval-title.ts'
import { joinNames, type ApprovalQuestion, bestScopes, hasGivenKey, personName, requestFacts } from './approval-texts.ts'
import styles from './approval.module.css'
import { EditTexts } from './edit-texts.tsx'
import { ShownCall } from './shown-call.tsx'
import { shortcuts } from './approval-keys.ts'
import { type Actions, useActions } from './use-actions.ts'
import { useSettings } from '../keep/settings.ts'
import type { OnSending } from './use-decision.ts'
import { useApprovalWords } from './approval-words.ts'

type ItemProps = {
  question: ApprovalQuestion
  /** The server has said what this reader may decide. */
  isKnown: boolean
  /** "2 of 3", in a card with several. */
  place?: string
  heading: 'h2' | 'h3'
  id?: string
  onSending: OnSending
}

/** One call that waits for a decision: what runs, who asked for it and why, and the decisions this reader may give. */
export function ApprovalItem({ question, isKnown, place, heading: Heading, id, onSending }: ItemProps): ReactNode {
  const own = useApprovalWords()
  const words = useWords()
  const title = useId()
  const section = useRef<HTMLElement>(null)
  const { singleKeys } = useSettings()
  const { approval } = question
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({})
  const actions = useActions(section, question, isKnown, onSending, edits)
  const texts = (approval && isShown(approval) && approval.keys === 1 && approval.shown.texts) || []
  return (
    <section ref={section} id={id} className={styles['item']} data-approval={question.id} tabIndex={-1} aria-labelledby={title}>
      <header className={styles['title']}>
        {place !== undefined && <p className={styles['soft']}>{place}</p>}
        <Heading id={title} dir="auto">
          {approvalTitle(question, words)}
        </Heading>
      </header>
      <div className={styles['body']}>
        {isShown(approval) ? <CallFacts approval={approval} isChatOffered={actions.offered.includes('chat')} /> : <p>{own.hidden}</p>}
        {texts.length > 0 && actions.offered.includes('once') && actions.sent === null && (
          <EditTexts texts={texts} edits={edits} onEdit={setEdits} />
        )}
      </div>
      {!isKnown ? (
        <p className={styles['loading']} role="status">
          {words.approval.loading}
        </p>
      ) : actions.offered.length === 0 ? (
        <WaitingLine question={question} />
      ) : (
        <>
          <ActionButtons question={question} actions={actions} titleId={title} />
          {singleKeys && actions.form === null && actions.sent === null && (
            <KeyHint actions={actions} isIrreversible={approval?.irreversible === true} />
          )}
        </>
      )}
    </section>
  )
}

/** Shown while the card has the focus, so that the keys are visible before one is pressed. */
function KeyHint({ actions: { offered }, isIrreversible }: { actions: Actions; isIrreversible: boolean }): ReactNode {
  const words = useWords()
  const own = useApprovalWords()
  const keys = (['once', 'always', 'deny'] as const).filter((action) => offered.includes(action) && (action === 'deny' || !isIrreversible))
  return (
    <p className={styles['hint']} aria-hidden="true">
      {own.keyHint}{' '}
      {keys.map((action, index) => (
        <span key={action}>
          {index > 0 && ' · '}
          <kbd>{shortcuts[action]}</kbd> {words.approval.actions[action]}
        </span>
      ))}
    </p>
  )
}

function WaitingLine({ question: { approval } }: { question: ApprovalQuestion }): ReactNode {
  const own = useApprovalWords()
  const language = useContext(LanguageContext)
  return (
    <p className={styles['waiting']}>
      <Icon name="clock" />
      {own.waiting(joinNames(approval?.names ?? [], own, language))}
    </p>
  )
}

function CallFacts({
  approval,
  isChatOffered,
}: {
  approval: NonNullable<ApprovalQuestion['approval']>
  isChatOffered: boolean
}): ReactNode {
  const own = useApprovalWords()
  const language = useContext(LanguageContext)
  const { tool, shown, keys, keysGiven, isChanged, isInterrupted, irreversible, offersWorkspace } = approval
  const scopes = bestScopes(approval)
  const reader = useReader()
  const list = new Intl.ListFormat(language, { type: 'conjunction' })
  return (
    <>
      {irreversible && (
        <p className={styles['alarm']}>
          <Icon name="warn" />
          {own.irreversible}
        </p>
      )}
      {isChanged && <p className={styles['notice']}>{own.changed(tool)}</p>}
      {isInterrupted && <p className={styles['notice']}>{own.interrupted}</p>}
      <ShownCall shown={shown} />
      {shown.isCut && <p className={styles['notice']}>{own.tooLarge}</p>}
      <p className={styles['facts']} dir="auto">
        {requestFacts(approval, own, language)}
      </p>
      {keys > 1 && (
        <p className={styles['keys']}>
          {own.keys(
            keysGiven.length,
            keys,
            keysGiven.length === 0 ? own.noKeys : list.format(keysGiven.map((name) => personName(name, own))),
          )}
        </p>
      )}
      {keys > 1 && hasGivenKey(approval, reader) && <p className={styles['notice']}>{own.keyGiven}</p>}
      {isChatOffered && scopes.length > 0 && (
        <p className={styles['facts']} dir="auto">
          {own.chatCovers(list.format(scopes))}
          {approval.proposals.some(([best]) => best?.anyContent) && ` ${own.grants.anyContent}`}
        </p>
      )}
      {offersWorkspace && (
        <details className={styles['preset']}>
          <summary>{own.preset}</summary>
          <p>{own.presetHow}</p>
          <Command text={'policy: { preset: workspace }'} />
        </details>
      )}
    </>
  )
}
