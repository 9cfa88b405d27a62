import { type ReactNode, useId, useState } from 'react'
import { type DialogView, freshKey } from '../../../src/client/index.ts'
import { client } from '../link/page-client.ts'
import { serverInfo, useRefreshing } from '../link/refreshing.ts'
import { asWords } from '../link/sign-in.ts'
import modal from '../parts/modal.module.css'
import { inWords, useWords } from '../words/use-words.ts'
import { useOfferWords } from './offer-words.ts'

/** The model of a chat, where the settings of its agent offer several. */
export function ModelChoice({ dialog, view }: { dialog: string; view: DialogView }): ReactNode {
  const words = useWords()
  const texts = useOfferWords()
  const id = useId()
  const [error, setError] = useState<string | null>(null)
  const models = useRefreshing(serverInfo).value?.agents.find(({ name }) => name === view.agent)?.models ?? []
  const [usual = ''] = models
  if (models.length < 2) return null

  const choose = async (model: string): Promise<void> => {
    try {
      await client.dialogs.chooseModel(dialog, model === usual ? null : model, { key: freshKey() })
      setError(null)
    } catch (failure) {
      const { message, hint } = inWords(asWords(failure), words)
      setError(`${message} ${hint}`)
    }
  }
  return (
    <div className={modal['row']}>
      <label htmlFor={id}>{words.fresh.model}</label>
      <select
        id={id}
        className="field"
        aria-describedby={`${id}-about`}
        // A model that is not offered any more is not used either.
        value={view.model !== null && models.includes(view.model) ? view.model : usual}
        onChange={(event) => void choose(event.target.value)}
      >
        {models.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </select>
      <p id={`${id}-about`} className={modal['label']}>
        {texts.modelAbout}
      </p>
      {error !== null && (
        <p role="alert" className={modal['bad']}>
          {error}
        </p>
      )}
    </div>
  )
}
