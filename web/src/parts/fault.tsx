import type { Language } from '../../../src/shapes/language.ts'
import { Component, type ReactNode } from 'react'
import { LanguageContext } from '../words/use-words.ts'
import { pageWords } from '../../../src/words/index.ts'
import styles from './notice-page.module.css'
import { errorMessage } from '../../../src/errors/error-message.ts'

/** A part of the page that cannot be drawn must not take the words of the person with it. */
export class Fault extends Component<{ children: ReactNode }, { fault: string | null }> {
  static override contextType = LanguageContext
  declare context: Language
  override state: { fault: string | null } = { fault: null }

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: errorMessage(error) }
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children
    const words = pageWords(this.context)
    return (
      <main className={styles['page']}>
        <h1>{words.app.broke}</h1>
        <p>{words.app.brokeNext}</p>
        <pre className={styles['details']} tabIndex={0}>
          {this.state.fault}
        </pre>
        <button type="button" className="button" data-kind="main" onClick={() => location.reload()}>
          {words.app.reload}
        </button>
      </main>
    )
  }
}
