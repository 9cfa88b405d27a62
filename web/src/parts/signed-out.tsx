import type { ReactNode } from 'react'
import { basePath } from '../link/base-path.ts'
import type { ErrorWords } from '../../../src/shapes/wire.ts'
import { client } from '../link/page-client.ts'
import { asTypedHere, inWords, useWords } from '../words/use-words.ts'
import { Command } from './command.tsx'
import styles from './notice-page.module.css'

/** Says how to get in. A link that did not work is named; a person who signed in in another tab needs only one button. */
export function SignedOut({ isPending, refusal }: { isPending: boolean; refusal: ErrorWords | null }): ReactNode {
  const words = useWords()
  if (isPending) {
    return (
      <main className={styles['page']}>
        <p className={styles['lead']} role="status">
          {words.signIn.working}
        </p>
      </main>
    )
  }
  return (
    <main className={styles['page']}>
      <img className={styles['mark']} src={`${basePath}/icon.svg`} alt="" />
      <h1>{words.signIn.title}</h1>
      {refusal && (
        <p className={styles['refusal']} role="alert">
          {refusal.code === 'link_used' ? words.signIn.expired : `${words.signIn.failed} ${inWords(refusal, words).message}`}
        </p>
      )}
      <p className={styles['lead']}>
        {words.signIn.lead} {words.signIn.how}
      </p>
      <Command text={asTypedHere(words.signIn.command)} />
      <button type="button" className="button" onClick={() => client.live().retryNow()}>
        {words.signIn.retry}
      </button>
      <p className={styles['small']}>{words.signIn.kept}</p>
    </main>
  )
}
