import { type ReactNode, useState } from 'react'
import { Field } from './fields.tsx'
import { Section } from './section.tsx'
import styles from './server-settings.module.css'
import { useEditing, useSettingsWords } from './settings-words.ts'

/** Names of stored secrets. A value goes to the server and never comes back. */
export function SecretPart(): ReactNode {
  const texts = useSettingsWords()
  const { view } = useEditing()
  return (
    <Section
      title={texts.secrets}
      about={texts.secretsAbout}
      add={texts.add.secret}
      empty={view.secrets.length === 0 ? texts.noSecrets : null}
      renderForm={(close) => <SecretForm onClose={close} />}
    >
      {view.secrets.map((name) => (
        <li key={name}>
          <code dir="ltr" className={styles['secret']}>
            {name}
          </code>
        </li>
      ))}
    </Section>
  )
}

function SecretForm({ onClose }: { onClose(): void }): ReactNode {
  const texts = useSettingsWords()
  const { keepSecret } = useEditing()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const store = async (): Promise<void> => {
    if (await keepSecret(name.trim(), value.trim())) onClose()
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void store()
      }}
    >
      <Field label={texts.fields.secretName} value={name} onChange={setName} isCode isRequired />
      <Field label={texts.fields.value} value={value} onChange={setValue} type="password" isCode isRequired />
      <div className={styles['acts']}>
        <button type="submit" className="button" data-kind="main">
          {texts.store}
        </button>
        <button type="button" className="button" data-kind="quiet" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
