import { visibleTitle } from '../approvals/visible-characters.ts'
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { Link } from 'wouter'
import { changeSettings, useSettings } from '../keep/settings.ts'
import { useLetters } from '../keep/page-outbox.ts'
import { useLate } from '../lists/use-late.ts'
import { Icon } from '../look/icon.tsx'
import { useMedia } from '../look/use-media.ts'
import { announce } from '../parts/announcer.tsx'
import { ConnectionBar } from '../parts/connection-bar.tsx'
import notice from '../parts/notice-page.module.css'
import { AllButtons } from '../tree/all-buttons.tsx'
import { useTrees } from '../tree/tree-store.ts'
import { inWords, useWords } from '../words/use-words.ts'
import { AgentMind } from './agent-mind.tsx'
import { handleName } from './author.ts'
import styles from './chat-page.module.css'
import { Composer } from './composer.tsx'
import { BranchContext, DialogContext } from './dialog-context.ts'
import dock from './dock.module.css'
import { Log, type LogHandle } from './log.tsx'
import { QuestionArea } from './question-area.tsx'
import { ReplyEnd } from './reply-end.tsx'
import { SideHead } from './side-head.tsx'
import { TurnBar } from './turn-bar.tsx'
import { useDialog } from './use-dialog.ts'
import { type Place, usePlace } from './use-place.ts'
import { useTurn } from './use-turn.ts'
import { WaitsBar } from './waits-bar.tsx'

const DialogMenu = lazy(async () => ({ default: (await import('../offers/index.tsx')).DialogMenu }))
const FactsPanel = lazy(async () => ({ default: (await import('./facts-panel.tsx')).FactsPanel }))
const TaskdocPane = lazy(async () => ({ default: (await import('../taskdoc/index.tsx')).TaskdocPane }))
const GiveUp = lazy(async () => ({ default: (await import('../offers/index.tsx')).GiveUp }))
const SideQuestions = lazy(async () => ({ default: (await import('./side-questions.tsx')).SideQuestions }))

export function ChatPage({ dialog }: { dialog: string }): ReactNode {
  const words = useWords()
  const { view, isReady, error, hasEarlier, earlier, events, store } = useDialog(dialog)
  const letters = useLetters(dialog)
  const isSlow = useLate(!isReady, 200)
  const log = useRef<LogHandle>(null)
  const [isCardOpen, setCardOpen] = useState(true)
  const isInTree = (useTrees().byRoot.get(dialog)?.length ?? 1) > 1
  const turn = useTurn(dialog, view)
  const isWide = useMedia('(width >= 75rem)')
  const { panel, taskdoc, language } = useSettings()
  // A narrow screen has room for one of them, so it begins with the messages.
  const [isDocumentOver, setDocumentOver] = useState(false)
  const hasDocument = view.taskdoc !== null && (isWide ? taskdoc : isDocumentOver)
  const hasPanel = isWide && panel && !hasDocument
  const showDocument = (isShown: boolean): void => {
    setDocumentOver(isShown)
    if (isWide) changeSettings({ taskdoc: isShown })
  }
  const onMissing = (place: Place): void =>
    void import('./missing-place.ts').then(({ missingPlace }) => announce(missingPlace(place, language), { isShown: true }))
  usePlace({ log, isReady, view, hasEarlier, loadEarlier: store.loadEarlier, onMissing })

  if (error) return <CannotShow code={error.code} message={inWords(error, words).message} />
  return (
    <div className={styles['chat']} data-status={isReady ? view.status : undefined}>
      <header className={styles['head']}>
        <Link href="/" className={`button ${styles['back']}`} data-kind="quiet" data-shape="icon" aria-label={words.app.back}>
          <Icon name="back" />
        </Link>
        <h1 dir="auto">{visibleTitle(view.title) || (isReady ? words.list.untitled : '\u00A0')}</h1>
        {isReady && (
          <span className={styles['who']}>
            {handleName(view.agent)}
            {view.model !== null && ` · ${view.model}`}
          </span>
        )}
        <span className={styles['tools']}>
          {isReady && view.taskdoc !== null && (
            <button
              type="button"
              className="button"
              data-kind="quiet"
              data-shape="icon"
              aria-label={words.fresh.taskdoc}
              title={`${words.fresh.taskdoc}: ${view.taskdoc}`}
              aria-pressed={hasDocument}
              onClick={() => showDocument(!hasDocument)}
            >
              <Icon name="file" />
            </button>
          )}
          {isWide && (
            <button
              type="button"
              className="button"
              data-kind="quiet"
              data-shape="icon"
              aria-label={words.panel.title}
              title={words.panel.title}
              aria-pressed={hasPanel}
              onClick={() => changeSettings({ panel: !hasPanel, ...(view.taskdoc !== null && { taskdoc: false }) })}
            >
              <Icon name="panel" />
            </button>
          )}
          {isReady && isInTree && view.origin === null && <AllButtons root={dialog} />}
          {isReady && (
            <Suspense fallback={<span className="button" data-kind="quiet" data-shape="icon" />}>
              {view.origin !== null && view.status !== 'dead' && view.status !== 'retired' && <GiveUp dialog={dialog} />}
              <DialogMenu dialog={dialog} view={view} />
            </Suspense>
          )}
        </span>
      </header>
      <SideHead view={view} />
      <AgentMind dialog={dialog} view={view} />
      <div className={styles['body']}>
        <DialogContext value={dialog}>
          <BranchContext value={isReady && view.origin === null && view.status !== 'retired'}>
            <div className={styles['column']} inert={hasDocument && !isWide}>
              <Log
                ref={log}
                view={view}
                letters={letters}
                isReady={isReady}
                isSlow={isSlow}
                hasEarlier={hasEarlier}
                earlier={earlier}
                onEarlier={store.loadEarlier}
                onShowCard={() => {
                  setCardOpen(true)
                  requestAnimationFrame(() => document.getElementById('question-card')?.focus())
                }}
              >
                {isReady && <ReplyEnd dialog={dialog} view={view} letters={letters} />}
              </Log>
              <div className={dock['dock']}>
                <div className={dock['box']}>
                  <ConnectionBar />
                  {isReady && (
                    <QuestionArea
                      dialog={dialog}
                      view={view}
                      isOpen={isCardOpen}
                      onOpen={setCardOpen}
                      onShowAsked={(question) => log.current?.show(question)}
                    />
                  )}
                  {isReady && view.status === 'delegated' && view.questions.length === 0 && (
                    <Suspense>
                      <SideQuestions view={view} />
                    </Suspense>
                  )}
                  {isReady && <WaitsBar view={view} />}
                  {isReady && <TurnBar view={view} turn={turn} />}
                  {view.status === 'dead' ? (
                    <section className={styles['dead']} aria-label={words.tree.deadTitle}>
                      <strong>{words.tree.deadTitle}</strong> {words.tree.deadNext}
                    </section>
                  ) : view.status === 'retired' ? null : (
                    <Composer
                      dialog={dialog}
                      questions={view.questions}
                      waiting={letters.filter((letter) => letter.state === 'waiting').length}
                      turn={isReady ? turn : null}
                    />
                  )}
                </div>
              </div>
            </div>
          </BranchContext>
        </DialogContext>
        {hasDocument && isReady && (
          <Suspense>
            <TaskdocPane dialog={dialog} view={view} takesFocus={!isWide} onClose={() => showDocument(false)} />
          </Suspense>
        )}
        {hasPanel && isReady && (
          <Suspense>
            <FactsPanel dialog={dialog} view={view} events={events} isWhole={!hasEarlier} />
          </Suspense>
        )}
      </div>
    </div>
  )
}

function CannotShow({ code, message }: { code: string; message: string }): ReactNode {
  const words = useWords()
  return (
    <div className={notice['page']}>
      <h1>{code === 'dialog_not_found' ? words.chat.notFound : code === 'dialog_deleted' ? words.chat.deleted : words.chat.loading}</h1>
      <p className={notice['lead']}>
        {code === 'dialog_not_found' ? words.chat.notFoundNext : code === 'dialog_deleted' ? words.chat.deletedNext : message}
      </p>
      <Link href="/" className="button">
        {words.app.toStart}
      </Link>
    </div>
  )
}
