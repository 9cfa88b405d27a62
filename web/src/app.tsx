import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { Route, Switch } from 'wouter'
import type { ErrorWords } from '../../src/shapes/wire.ts'
import type { ChatPage as ChatPageType } from './chat/chat-page.tsx'
import { FreshChat } from './chat/fresh-chat.tsx'
import { useSettings } from './keep/settings.ts'
import { useConnection } from './link/connection.ts'
import { Announcer } from './parts/announcer.tsx'
import { Fault } from './parts/fault.tsx'
import { NotFound } from './parts/not-found.tsx'
import { Shell } from './parts/shell.tsx'
import { SignedOut } from './parts/signed-out.tsx'
import { LanguageContext } from './words/use-words.ts'

const BuildPage = lazy(async () => ({ default: (await import('./build/index.tsx')).BuildPage }))
const ChatsPage = lazy(async () => ({ default: (await import('./chats/chats-page.tsx')).ChatsPage }))
const PreviewPage = lazy(async () => ({ default: (await import('./chats/preview-page.tsx')).PreviewPage }))
const GrantsPage = lazy(async () => ({ default: (await import('./grants/grants-page.tsx')).GrantsPage }))
const Overview = lazy(async () => ({ default: (await import('./lists/overview.tsx')).Overview }))
const BuildsPage = lazy(async () => ({ default: (await import('./build/index.tsx')).BuildsPage }))
const QuestionLink = lazy(async () => ({ default: (await import('./notices/question-link.tsx')).QuestionLink }))
const SettingsFrame = lazy(async () => ({ default: (await import('./settings/settings-frame.tsx')).SettingsFrame }))
const SettingsPage = lazy(async () => ({ default: (await import('./settings/settings-page.tsx')).SettingsPage }))
const ServerSettings = lazy(async () => ({ default: (await import('./settings/server/server-settings.tsx')).ServerSettings }))
const WorldsPage = lazy(async () => ({ default: (await import('./worlds/index.tsx')).WorldsPage }))
const WorldPage = lazy(async () => ({ default: (await import('./worlds/index.tsx')).WorldPage }))
const TalkPage = lazy(async () => ({ default: (await import('./worlds/index.tsx')).TalkPage }))

/** Chats are what most people open next, so that the browser fetches this part as soon as the first page is drawn. */
const loadChat = async (): Promise<{ default: typeof ChatPageType }> => ({ default: (await import('./chat/chat-page.tsx')).ChatPage })
const ChatPage = lazy(loadChat)

/** Everything needs a sign-in; a lost connection does not end it, so the shell stays through every outage. */
export function App({ signingIn, isSigningIn }: { signingIn: Promise<ErrorWords | null>; isSigningIn: boolean }): ReactNode {
  const { language } = useSettings()
  const [isPending, setPending] = useState(isSigningIn)
  const [refusal, setRefusal] = useState<ErrorWords | null>(null)

  useEffect(() => {
    let isGone = false
    void signingIn.then((error) => {
      if (isGone) return
      setRefusal(error)
      setPending(false)
    })
    return () => {
      isGone = true
    }
  }, [signingIn])

  return (
    <LanguageContext value={language}>
      <Fault>{isPending ? <SignedOut isPending refusal={null} /> : <SignedIn refusal={refusal} />}</Fault>
      <Announcer />
    </LanguageContext>
  )
}

function SignedIn({ refusal }: { refusal: ErrorWords | null }): ReactNode {
  const connection = useConnection()
  return connection === 'signed-out' ? <SignedOut isPending={false} refusal={refusal} /> : <Pages />
}

function Pages(): ReactNode {
  const keys = useRef<HTMLDialogElement>(null)
  const showKeys = useCallback(() => keys.current?.showModal(), [])
  useEffect(() => void loadChat().catch(() => undefined), [])
  return (
    <Shell keys={keys} onShowKeys={showKeys}>
      <Switch>
        <Route path="/">
          <FreshChat isDemo={false} />
        </Route>
        <Route path="/o">
          <Suspense>
            <Overview />
          </Suspense>
        </Route>
        <Route path="/chats">
          <Suspense>
            <SettingsFrame>
              <ChatsPage />
            </SettingsFrame>
          </Suspense>
        </Route>
        <Route path="/chats/preview">
          <Suspense>
            <PreviewPage />
          </Suspense>
        </Route>
        <Route path="/grants">
          <Suspense>
            <SettingsFrame>
              <GrantsPage />
            </SettingsFrame>
          </Suspense>
        </Route>
        <Route path="/settings">
          <Suspense>
            <SettingsFrame>
              <SettingsPage onShowKeys={showKeys} />
            </SettingsFrame>
          </Suspense>
        </Route>
        <Route path="/settings/server">
          <Suspense>
            <SettingsFrame>
              <ServerSettings />
            </SettingsFrame>
          </Suspense>
        </Route>
        <Route path="/c/new">
          <FreshChat isDemo={false} />
        </Route>
        <Route path="/c/demo">
          <FreshChat isDemo />
        </Route>
        <Route path="/c/:dialog">
          {({ dialog }) => (
            <Suspense>
              <ChatPage key={dialog} dialog={dialog} />
            </Suspense>
          )}
        </Route>
        <Route path="/q/:question">
          {({ question }) => (
            <Suspense>
              <QuestionLink key={question} question={question} />
            </Suspense>
          )}
        </Route>
        <Route path="/b">
          <Suspense>
            <BuildsPage />
          </Suspense>
        </Route>
        <Route path="/b/:build">
          {({ build }) => (
            <Suspense>
              <BuildPage key={build} build={build} />
            </Suspense>
          )}
        </Route>
        <Route path="/w">
          <Suspense>
            <WorldsPage />
          </Suspense>
        </Route>
        <Route path="/w/:account/world/:world">
          {({ account, world }) => (
            <Suspense>
              <WorldPage key={`${account} ${world}`} account={account} world={world} />
            </Suspense>
          )}
        </Route>
        <Route path="/w/:account/:request">
          {({ account, request }) => (
            <Suspense>
              <TalkPage key={`${account} ${request}`} account={account} request={request} />
            </Suspense>
          )}
        </Route>
        <Route>
          <NotFound />
        </Route>
      </Switch>
    </Shell>
  )
}
