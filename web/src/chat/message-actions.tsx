import { lazy, type ReactNode, Suspense, useContext, useState } from 'react'
import { useLocation } from 'wouter'
import { basePath } from '../link/base-path.ts'
import { client } from '../link/page-client.ts'
import { asWords } from '../link/sign-in.ts'
import { Icon, type IconName } from '../look/icon.tsx'
import { announce } from '../parts/announcer.tsx'
import { inWords, useWords } from '../words/use-words.ts'
import { BranchContext, DialogContext } from './dialog-context.ts'
import styles from './log-row.module.css'

const EditMessage = lazy(async () => ({ default: (await import('../offers/index.tsx')).EditMessage }))

type Props = { message: string; text: string; isMine: boolean; hasFiles: boolean }

/**
 * Below a message. Edit, Retry and Branch open a new chat that begins with the words up to here: this one stays as it is, because
 * what its tools did cannot be taken back. Copying gives the Markdown of the agent.
 */
export function MessageActions({ message, text, isMine, hasFiles }: Props): ReactNode {
  const words = useWords()
  const dialog = useContext(DialogContext)
  const canBranch = useContext(BranchContext)
  const [, navigate] = useLocation()
  const [isCopied, setCopied] = useState(false)
  const [isEditing, setEditing] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)

  const copy = (): void => {
    navigator.clipboard?.writeText(text).then(
      () => {
        setCopied(true)
        announce(words.signIn.copied)
      },
      () => setCopied(false),
    )
  }
  const copyLink = (): void => {
    const address = `${location.origin}${basePath}/c/${encodeURIComponent(dialog)}#${encodeURIComponent(message)}`
    navigator.clipboard?.writeText(address).then(
      () => announce(words.signIn.copied, { isShown: true }),
      () => undefined,
    )
  }
  const branch = async (change: { text?: string; again?: boolean }): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    try {
      const { id } = await client.dialogs.branch(dialog, { message, ...change })
      announce(words.chat.branched, { isShown: true })
      navigate(`/c/${id}`)
    } catch (failure) {
      setError(inWords(asWords(failure), words).message)
      setBusy(false)
    }
  }
  if (isEditing)
    return (
      <Suspense>
        <EditMessage text={text} error={error} onSend={(changed) => void branch({ text: changed })} onCancel={() => setEditing(false)} />
      </Suspense>
    )
  return (
    <div className={styles['acts']} data-part="acts">
      {text.trim() !== '' && (
        <Act
          icon={isCopied ? 'check' : 'copy'}
          name={words.chat.copyMessage}
          title={isCopied ? words.signIn.copied : undefined}
          onClick={copy}
        />
      )}
      <Act icon="link" name={words.chat.copyLink} title={undefined} onClick={copyLink} />
      {canBranch && isMine && !hasFiles && text.trim() !== '' && (
        <Act icon="pen" name={words.chat.editMessage} title={words.chat.editAbout} onClick={() => setEditing(true)} />
      )}
      {canBranch && !isMine && (
        <>
          <Act icon="retry" name={words.chat.retryMessage} title={words.chat.retryAbout} onClick={() => void branch({ again: true })} />
          <Act icon="branch" name={words.chat.branchMessage} title={words.chat.branchAbout} onClick={() => void branch({})} />
        </>
      )}
      {error !== null && <span role="alert">{error}</span>}
    </div>
  )
}

function Act({ icon, name, title, onClick }: { icon: IconName; name: string; title: string | undefined; onClick(): void }): ReactNode {
  return (
    <button type="button" className="button" data-kind="quiet" data-shape="icon" aria-label={name} title={title ?? name} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
