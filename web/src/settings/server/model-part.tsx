import { type ReactNode, useState } from 'react'
import type { ModelCheckView } from '../../../../src/shapes/settings.ts'
import { client } from '../../link/page-client.ts'
import { asWords } from '../../link/sign-in.ts'
import { inWords, useWords } from '../../words/use-words.ts'
import { EntryForm } from './entry-form.tsx'
import { Choice, Field } from './fields.tsx'
import { Section } from './section.tsx'
import styles from './server-settings.module.css'
import {
  listChanges,
  entriesIn,
  type Entry,
  toEntry,
  textIn,
  toVariable,
  useEditing,
  useSettingsWords,
  variableIn,
} from './settings-words.ts'

const providers = [
  ['openai-compatible', 'OpenAI, Ollama …'],
  ['anthropic', 'Anthropic'],
] as const
const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** A test writes three short replies. The server ends it a little earlier and says so. */
const testMs = 120_000

export function ModelPart(): ReactNode {
  const texts = useSettingsWords()
  const { view } = useEditing()
  const models = entriesIn(view.values['models'])
  return (
    <Section
      title={texts.models}
      add={texts.add.model}
      empty={models.length === 0 ? texts.noModels : null}
      renderForm={(close) => <ModelForm name={null} model={{}} onClose={close} />}
    >
      {models.map(([name, model]) => (
        <ModelRow key={name} name={name} model={model} />
      ))}
    </Section>
  )
}

function ModelRow({ name, model }: { name: string; model: Entry }): ReactNode {
  const words = useWords()
  const texts = useSettingsWords()
  const [isOpen, setOpen] = useState(false)
  const [isTesting, setTesting] = useState(false)
  const [check, setCheck] = useState<ModelCheckView | null>(null)
  const [error, setError] = useState<string | null>(null)

  const test = async (): Promise<void> => {
    setTesting(true)
    setCheck(null)
    setError(null)
    try {
      setCheck(await client.settings.testModel(name, { timeoutMs: testMs }))
    } catch (failure) {
      const { message, hint } = inWords(asWords(failure), words)
      setError(`${message} ${hint}`)
    }
    setTesting(false)
  }
  return (
    <li>
      <div className={styles['entry']}>
        <div>
          <b dir="auto">{name}</b>
          <small dir="auto">
            {[textIn(model, 'model'), textIn(model, 'baseUrl') || textIn(model, 'provider')].filter((part) => part !== '').join(' · ')}
          </small>
        </div>
        <span className={styles['acts']}>
          <button
            type="button"
            className="button"
            data-kind="quiet"
            aria-label={texts.testOf(name)}
            disabled={isTesting}
            onClick={() => void test()}
          >
            {isTesting ? texts.testing : texts.test}
          </button>
          <button type="button" className="button" aria-label={texts.editOf(name)} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {texts.edit}
          </button>
        </span>
      </div>
      <div role="status" className={styles['outcome']}>
        {check && <Abilities check={check} />}
        {error !== null && <p className={styles['bad']}>{error}</p>}
      </div>
      {isOpen && <ModelForm name={name} model={model} onClose={() => setOpen(false)} />}
    </li>
  )
}

function Abilities({ check }: { check: ModelCheckView }): ReactNode {
  const texts = useSettingsWords()
  const tried = (['answers', 'streams', 'tools', 'asksQuestions'] as const).filter((one) => one === 'answers' || check.answers.ok)
  return (
    <ul>
      {tried.map((one) => (
        <li key={one} data-ok={check[one].ok}>
          {check[one].ok ? '✓' : '✗'} {texts.abilities[one]}
          {one === 'answers' && check.firstTokenMs !== null && ` · ${texts.firstToken((check.firstTokenMs / 1_000).toFixed(1))}`}
          {!check[one].ok && check[one].why !== undefined && `: ${check[one].why}`}
        </li>
      ))}
    </ul>
  )
}

function ModelForm({ name, model, onClose }: { name: string | null; model: Entry; onClose(): void }): ReactNode {
  const texts = useSettingsWords()
  const { view, review, keepSecret } = useEditing()
  const [provider, setProvider] = useState(textIn(model, 'provider') || 'openai-compatible')
  const [baseUrl, setBaseUrl] = useState(textIn(model, 'baseUrl'))
  const [id, setId] = useState(textIn(model, 'model'))
  const [key, setKey] = useState(variableIn(model, 'apiKey'))
  const [newKey, setNewKey] = useState('')
  const [effort, setEffort] = useState(textIn(model, 'effort'))
  const [context, setContext] = useState(textIn(model, 'contextLength'))
  const [longest, setLongest] = useState(textIn(model, 'maxOutputTokens'))
  const taken = entriesIn(view.values['models']).map(([one]) => one)

  const onReview = async (wanted: string): Promise<void> => {
    const variable = newKey === '' ? key : toVariable('parley', wanted, 'key')
    if (newKey !== '' && !(await keepSecret(variable, newKey.trim()))) return
    // A key that is written into the file itself stays, unless another one is chosen.
    const apiKey =
      variable === '' && textIn(model, 'apiKey') !== '' && variableIn(model, 'apiKey') === ''
        ? {}
        : { apiKey: variable === '' ? null : `\${${variable}}` }
    const fields = {
      provider,
      baseUrl: baseUrl.trim(),
      model: id.trim(),
      ...apiKey,
      effort,
      contextLength: toNumber(context),
      maxOutputTokens: toNumber(longest),
    }
    review(name === null ? [{ path: ['models', wanted], value: toEntry(fields) }] : listChanges(['models', name], model, fields))
    onClose()
  }
  return (
    <EntryForm
      name={name}
      taken={taken}
      suggested={taken.length === 0 ? 'main' : ''}
      onReview={(wanted) => void onReview(wanted)}
      onRemove={name === null ? null : () => review([{ path: ['models', name], value: null }])}
      onCancel={onClose}
    >
      <Choice label={texts.fields.provider} value={provider} options={providers} onChange={setProvider} />
      <Field label={texts.fields.baseUrl} value={baseUrl} onChange={setBaseUrl} isCode />
      <Field label={texts.fields.model} value={id} onChange={setId} isCode isRequired />
      <Choice
        label={texts.fields.key}
        value={key}
        options={[['', texts.fields.noKey], ...view.secrets.map((one) => [one, one] as const)]}
        onChange={setKey}
      />
      <Field label={texts.fields.newKey} value={newKey} onChange={setNewKey} type="password" isCode />
      <Choice
        label={texts.fields.effort}
        value={effort}
        options={[['', texts.fields.unset], ...efforts.map((one) => [one, one] as const)]}
        onChange={setEffort}
      />
      <Field label={texts.fields.contextLength} value={context} onChange={setContext} type="number" />
      <Field label={texts.fields.maxOutputTokens} value={longest} onChange={setLongest} type="number" />
    </EntryForm>
  )
}

const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text))
